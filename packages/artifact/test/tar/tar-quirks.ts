import type { AnomalyKind } from "../../src/graph/anomaly.js";
import { archive, base256, end, gnuLong, member, octal, pax, padded, record, sparseEntries } from "./build-tar.js";

/** What a member must come out as: content text, a link's target, or the reason why there is no content. */
export interface ExpectedMember {
  readonly name: string;
  readonly kind?: string;
  readonly content?: string;
  readonly link?: string;
  readonly problem?: string;
}

export type Judge = "python" | "bsdtar" | "tar";

export interface TarQuirk {
  readonly title: string;
  readonly bytes: Buffer;
  readonly members: readonly ExpectedMember[];
  readonly anomalies?: readonly AnomalyKind[];
  readonly omissions?: number;
  /** Programs that read it as we do; each other one has a reason below. */
  readonly judges: readonly Judge[];
  /** Why the programs not named read something else. */
  readonly differs?: string;
}

const all: readonly Judge[] = ["python", "bsdtar", "tar"];
const long = `${"d".repeat(90)}/${"e".repeat(90)}/${"f".repeat(40)}`;
const stored = `${"a".repeat(512)}defg`;
const sparseText = `${"\0".repeat(1024)}${"a".repeat(512)}${"\0".repeat(1536)}defg`;
const sparseExtents = [
  [1024, 512],
  [3072, 4],
] as const;
const map10 = padded(Buffer.from("2\n1024\n512\n3072\n4\n"));
const manyExtents = Array.from({ length: 60 }, (_, n) => [n * 1024, 512] as const);
const manyStored = Array.from({ length: 60 }, (_, n) => String(n % 10).repeat(512));
const manyText = manyStored.join("\0".repeat(512));

/** An old GNU sparse member, with as many extension blocks as its map needs. */
function oldGnuSparse(extents: readonly (readonly [number, number])[], realBytes: number, data: string, name = "sparse"): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 4; at < extents.length; at += 21) {
    const block = Buffer.alloc(512);
    block.write(sparseEntries(extents.slice(at, at + 21)), "latin1");
    block[504] = at + 21 < extents.length ? 1 : 0;
    blocks.push(block);
  }
  const patch = [
    [386, sparseEntries(extents.slice(0, 4))],
    [482, blocks.length > 0 ? "\u0001" : "\0"],
    [483, octal(realBytes, 12)],
  ] as const;
  const header = member({ name, magic: "gnu", typeflag: "S", size: data.length, patch });
  return Buffer.concat([header, ...blocks, padded(Buffer.from(data))]);
}

export const tarQuirks: readonly TarQuirk[] = [
  { title: "a V7 header without magic", bytes: archive(member({ magic: "v7", typeflag: "\0", data: "old" })), members: [{ name: "file", content: "old" }], judges: all },
  { title: "a V7 directory, which is a file with a slash at the end", bytes: archive(member({ magic: "v7", typeflag: "\0", name: "dir/" })), members: [{ name: "dir/", kind: "directory" }], judges: all },
  { title: "a ustar name joined from its prefix", bytes: archive(member({ prefix: "a/b", name: "c", data: "x" })), members: [{ name: "a/b/c", content: "x" }], judges: all },
  { title: "a ustar name of exactly 100 bytes without a NUL", bytes: archive(member({ name: "n".repeat(100), data: "x" })), members: [{ name: "n".repeat(100), content: "x" }], judges: all },
  { title: "GNU long name and link", bytes: archive(gnuLong("L", long), member({ magic: "gnu", name: "cut", data: "x" }), gnuLong("K", long), gnuLong("L", `${long}2`), member({ magic: "gnu", typeflag: "2", link: "cut" })), members: [{ name: long, content: "x" }, { name: `${long}2`, kind: "symlink", link: long }], judges: all },
  { title: "GNU times where ustar has its prefix", bytes: archive(member({ magic: "gnu", data: "x", patch: [[345, octal(1_700_000_000, 12)]] })), members: [{ name: "file", content: "x" }], judges: ["bsdtar", "tar"], differs: "python joins the times as a prefix" },
  { title: "star, whose prefix is shorter and followed by times", bytes: archive(member({ magic: "star", prefix: "p", data: "x", patch: [[476, octal(1_700_000_000, 12)], [488, octal(1_700_000_000, 12)]] })), members: [{ name: "p/file", content: "x" }], judges: all },
  { title: "bytes in the prefix of a V7 header", bytes: archive(member({ magic: "v7", prefix: "evil", data: "x" })), members: [{ name: "file", content: "x" }], anomalies: ["ambiguous_header"], judges: ["bsdtar", "tar"], differs: "python joins them as a prefix" },
  { title: "pax path and linkpath", bytes: archive(pax([["path", `${long}/ä`]]), member({ data: "x" }), pax([["linkpath", `${long}/ö`]]), member({ name: "l", typeflag: "2", link: "cut" })), members: [{ name: `${long}/ä`, content: "x" }, { name: "l", kind: "symlink", link: `${long}/ö` }], judges: all },
  { title: "a pax size that replaces that of the header", bytes: archive(pax([["size", "5"]]), member({ size: 0, data: "hello" }), member({ name: "next", data: "y" })), members: [{ name: "file", content: "hello" }, { name: "next", content: "y" }], judges: all },
  { title: "a pax size that contradicts the header", bytes: archive(pax([["size", "600"]]), member({ size: 3, data: "z".repeat(600) }), member({ name: "next", data: "y" })), members: [{ name: "file", content: "z".repeat(600) }, { name: "next", content: "y" }], anomalies: ["header_size_mismatch"], judges: all },
  { title: "a pax size that is no number", bytes: archive(pax([["size", "1x"]]), member({}), member({ name: "next", data: "y" })), members: [{ name: "file", problem: "malformed" }, { name: "next", content: "y" }], omissions: 1, judges: [], differs: "each of them takes the digits it finds or the header's size" },
  { title: "a global pax header that a member's own one overrides", bytes: archive(pax([["path", "global"]], "g"), pax([["path", "own"]]), member({ data: "a" }), member({ data: "b" })), members: [{ name: "own", content: "a" }, { name: "global", content: "b" }], anomalies: ["ambiguous_header"], judges: ["python", "tar"], differs: "libarchive ignores names in global headers" },
  { title: "a global comment, as git writes it", bytes: archive(pax([["comment", "0123456789abcdef"]], "g"), member({ data: "a" })), members: [{ name: "file", content: "a" }], judges: all },
  { title: "an empty pax value, which takes a global one back", bytes: archive(pax([["path", "global"]], "g"), pax([["path", ""]]), member({ data: "a" })), members: [{ name: "file", content: "a" }], anomalies: ["ambiguous_header"], judges: [], differs: "python makes the name empty, GNU tar keeps the global one, libarchive ignores both" },
  { title: "a repeated pax key, the last of which counts", bytes: archive(pax([["path", "first"], ["path", "second"]]), member({ data: "a" })), members: [{ name: "second", content: "a" }], anomalies: ["ambiguous_header"], judges: all },
  { title: "a pax path with a NUL inside", bytes: archive(pax([["path", "a\0b"]]), member({ data: "a" })), members: [{ name: "a\0b", content: "a" }], judges: [], differs: "python keeps the NUL, C programs end the name at it" },
  { title: "a pax value with a line feed and an equals sign", bytes: archive(pax([["path", "a=b\nc"]]), member({ data: "a" })), members: [{ name: "a=b\nc", content: "a" }], judges: ["python"], differs: "the others print the line feed as an escape" },
  { title: "a pax record with a wrong length", bytes: archive(member({ typeflag: "x", data: Buffer.concat([record("comment", "ok"), Buffer.from("99 path=x\n")]) }), member({ data: "a" })), members: [{ name: "file", content: "a" }], omissions: 1, judges: ["bsdtar"], differs: "python and GNU tar give up the archive or warn" },
  { title: "hdrcharset BINARY with a name that is no UTF-8", bytes: archive(pax([["hdrcharset", "BINARY"], ["path", Buffer.from([0x61, 0xff, 0x62])]]), member({ data: "a" })), members: [{ name: "a\u00ffb", content: "a" }], judges: [], differs: "each prints such bytes in its own way" },
  { title: "a pax and a GNU long name that disagree", bytes: archive(gnuLong("L", "gnu-name"), pax([["path", "pax-name"]]), member({ data: "a" })), members: [{ name: "pax-name", content: "a" }], anomalies: ["ambiguous_header"], judges: ["tar"], differs: "python and libarchive take the one that stands first" },
  { title: "a base-256 size", bytes: archive(member({ magic: "gnu", size: base256(5n, 12), data: "hello" })), members: [{ name: "file", content: "hello" }], judges: all },
  { title: "a negative base-256 size", bytes: archive(member({ magic: "gnu", size: base256(-1n, 12) }), member({ name: "next", data: "y" })), members: [{ name: "file", problem: "malformed" }, { name: "next", content: "y" }], omissions: 1, judges: [], differs: "all of them give up or move backwards" },
  { title: "a base-256 size beyond 2⁵³", bytes: archive(member({ magic: "gnu", size: base256(1n << 80n, 12) }), member({ name: "next", data: "y" })), members: [{ name: "file", problem: "malformed" }, { name: "next", content: "y" }], omissions: 1, judges: [], differs: "all of them give up or look past the end" },
  { title: "an octal size with blanks around it", bytes: archive(member({ size: Buffer.from("         5 \0"), data: "hello" })), members: [{ name: "file", content: "hello" }], judges: all },
  { title: "an octal size without a NUL or blank", bytes: archive(member({ size: Buffer.from("000000000005"), data: "hello" })), members: [{ name: "file", content: "hello" }], judges: all },
  { title: "a size that is no number", bytes: archive(member({ name: "first", data: "x" }), member({ size: Buffer.from("what is this") }), member({ name: "next", data: "y" })), members: [{ name: "first", content: "x" }, { name: "file", problem: "malformed" }, { name: "next", content: "y" }], omissions: 1, judges: [], differs: "python stops, the others read no digits as zero" },
  { title: "an old GNU sparse member", bytes: archive(oldGnuSparse(sparseExtents, 3076, stored), member({ name: "next", data: "y" })), members: [{ name: "sparse", content: sparseText }, { name: "next", content: "y" }], judges: all },
  { title: "an old GNU sparse member with extension blocks", bytes: archive(oldGnuSparse(manyExtents, 60_928, manyStored.join("")), member({ name: "next", data: "y" })), members: [{ name: "sparse", content: manyText }, { name: "next", content: "y" }], judges: ["bsdtar", "tar"], differs: "python drops a part at offset 0" },
  { title: "a pax 0.0 sparse member", bytes: archive(pax([["GNU.sparse.size", "3076"], ["GNU.sparse.numblocks", "2"], ["GNU.sparse.offset", "1024"], ["GNU.sparse.numbytes", "512"], ["GNU.sparse.offset", "3072"], ["GNU.sparse.numbytes", "4"]]), member({ name: "sparse", data: stored }), member({ name: "next", data: "y" })), members: [{ name: "sparse", content: sparseText }, { name: "next", content: "y" }], judges: all },
  { title: "a pax 0.1 sparse member", bytes: archive(pax([["GNU.sparse.size", "3076"], ["GNU.sparse.numblocks", "2"], ["GNU.sparse.map", "1024,512,3072,4"], ["GNU.sparse.name", "real-name"]]), member({ name: "GNUSparseFile.0/sparse", data: stored }), member({ name: "next", data: "y" })), members: [{ name: "real-name", content: sparseText }, { name: "next", content: "y" }], judges: ["bsdtar", "tar"], differs: "python before 3.12 keeps the stand-in name" },
  { title: "a pax 1.0 sparse member", bytes: archive(pax([["GNU.sparse.major", "1"], ["GNU.sparse.minor", "0"], ["GNU.sparse.name", "real-name"], ["GNU.sparse.realsize", "3076"]]), member({ name: "GNUSparseFile.0/sparse", data: Buffer.concat([map10, Buffer.from(stored)]) }), member({ name: "next", data: "y" })), members: [{ name: "real-name", content: sparseText }, { name: "next", content: "y" }], judges: ["bsdtar", "tar"], differs: "python before 3.12 keeps the stand-in name" },
  { title: "a sparse member that is one hole", bytes: archive(oldGnuSparse([[2000, 0]], 2000, ""), member({ name: "next", data: "y" })), members: [{ name: "sparse", content: "\0".repeat(2000) }, { name: "next", content: "y" }], judges: all },
  { title: "a sparse map whose parts are no whole blocks", bytes: archive(oldGnuSparse([[1, 3], [10, 4]], 14, "abcdefg"), member({ name: "next", data: "y" })), members: [{ name: "sparse", content: "\0abc\0\0\0\0\0\0defg" }, { name: "next", content: "y" }], anomalies: ["ambiguous_header"], judges: ["python", "bsdtar"], differs: "GNU tar starts each part at a new block" },
  { title: "a sparse map whose parts overlap", bytes: archive(oldGnuSparse([[0, 4], [2, 3]], 10, "abcdefg"), member({ name: "next", data: "y" })), members: [{ name: "sparse", problem: "malformed" }, { name: "next", content: "y" }], judges: [], differs: "they write the parts over one another" },
  { title: "a sparse map that asks for more than is stored", bytes: archive(oldGnuSparse([[0, 4000]], 4000, "abcdefg"), member({ name: "next", data: "y" })), members: [{ name: "sparse", problem: "malformed" }, { name: "next", content: "y" }], judges: [], differs: "they read what follows as the member's data" },
  { title: "a hard link, a hard link to a symbolic link, and a symbolic link", bytes: archive(member({ name: "a", data: "x" }), member({ name: "s", typeflag: "2", link: "a" }), member({ name: "h", typeflag: "1", link: "a" }), member({ name: "hs", typeflag: "1", link: "s" })), members: [{ name: "a", content: "x" }, { name: "s", kind: "symlink", link: "a" }, { name: "h", kind: "hardlink", link: "a" }, { name: "hs", kind: "hardlink", link: "s" }], judges: all },
  { title: "a hard link that declares a size and has no data", bytes: archive(member({ name: "a", data: "x" }), member({ name: "h", typeflag: "1", link: "a", size: 1 }), member({ name: "next", data: "y" })), members: [{ name: "a", content: "x" }, { name: "h", kind: "hardlink", link: "a" }, { name: "next", content: "y" }], anomalies: ["header_size_mismatch"], judges: ["python", "tar"], differs: "libarchive shows the declared size as content" },
  { title: "devices and pipes", bytes: archive(member({ name: "c", typeflag: "3" }), member({ name: "b", typeflag: "4" }), member({ name: "p", typeflag: "6" })), members: [{ name: "c", kind: "special" }, { name: "b", kind: "special" }, { name: "p", kind: "special" }], judges: all },
  { title: "a contiguous file and one of a kind nobody knows", bytes: archive(member({ name: "c", typeflag: "7", data: "x" }), member({ name: "q", typeflag: "Q", data: "y" })), members: [{ name: "c", content: "x" }, { name: "q", content: "y" }], judges: ["python", "bsdtar"], differs: "GNU tar leaves unknown kinds out of its extraction" },
  { title: "a checksum summed up with signed bytes", bytes: archive(member({ name: "ä".repeat(20), data: "x", checksum: "signed" })), members: [{ name: "ä".repeat(20), content: "x" }], judges: all },
  { title: "a header with a bad checksum among good ones", bytes: archive(member({ name: "a", data: "x" }), member({ name: "bad", data: "z", checksum: "bad" }), member({ name: "next", data: "y" })), members: [{ name: "a", content: "x" }, { name: "next", content: "y" }], anomalies: ["bad_checksum_header"], omissions: 1, judges: ["bsdtar", "tar"], differs: "python stops there" },
  { title: "no end marker", bytes: member({ data: "x" }), members: [{ name: "file", content: "x" }], anomalies: ["missing_end_marker"], judges: all },
  { title: "one zero block at the end", bytes: Buffer.concat([member({ data: "x" }), Buffer.alloc(512)]), members: [{ name: "file", content: "x" }], anomalies: ["missing_end_marker"], judges: all },
  { title: "a zero block between members", bytes: Buffer.concat([member({ name: "a", data: "x" }), Buffer.alloc(512), archive(member({ name: "b", data: "y" }))]), members: [{ name: "a", content: "x" }, { name: "b", content: "y" }], anomalies: ["missing_end_marker", "concatenated_archive"], judges: [], differs: "they stop at the zero block" },
  { title: "two archives one after another", bytes: Buffer.concat([archive(pax([["path", "global"]], "g"), member({ name: "a", data: "x" })), archive(member({ name: "b", data: "y" }))]), members: [{ name: "global", content: "x" }, { name: "b", content: "y" }], anomalies: ["ambiguous_header", "concatenated_archive"], judges: [], differs: "they stop at the end marker unless told to go on" },
  { title: "other data behind the end marker", bytes: Buffer.concat([archive(member({ data: "x" })), Buffer.from("hidden")]), members: [{ name: "file", content: "x" }], anomalies: ["trailing_data"], judges: all },
  { title: "an archive without members", bytes: end, members: [], judges: all },
  { title: "an extended header without a member", bytes: archive(pax([["path", "x"]])), members: [], omissions: 1, judges: [], differs: "python and libarchive call it damaged" },
  { title: "a volume label and a directory listing with data", bytes: archive(member({ name: "label", magic: "gnu", typeflag: "V" }), member({ name: "dir/", magic: "gnu", typeflag: "D", data: "Yfile\0\0" }), member({ data: "x" })), members: [{ name: "label", kind: "special" }, { name: "dir/", kind: "directory" }, { name: "file", content: "x" }], judges: [], differs: "they show labels and listings in different ways or not at all" },
  { title: "a member longer than the archive", bytes: member({ size: 5000, data: "short" }), members: [{ name: "file", problem: "The archive ends 4488 bytes before the end of a member." }], anomalies: ["missing_end_marker"], omissions: 1, judges: [], differs: "they end with an error" },
];
