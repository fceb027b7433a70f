import { describe, test } from "vitest";
import { buildZip, u16, u32, u64 } from "./build-zip.js";
import { expectQuirk, type Quirk } from "./quirk.js";

const a = { name: "a.txt", content: "alpha" } as const;
const b = { name: "b.txt", content: "beta ".repeat(40), method: 8 } as const;
const hidden = { name: "hidden.txt", content: "not in the directory", hidden: true } as const;
const random = Buffer.from("d3a1f0779b52c4e8d3a1f0779b52c4e8aa", "hex");

/** 24 bytes around one pair of id and value. */
function signingBlock(): Buffer {
  const pairs = Buffer.concat([u64(4 + 5), u32(0x42726577), Buffer.from("proof")]);
  const size = u64(pairs.byteLength + 24);
  return Buffer.concat([size, pairs, size, Buffer.from("APK Sig Block 42")]);
}

function crxHeader(): Buffer {
  return Buffer.concat([Buffer.from("Cr24"), u32(3), u32(10), Buffer.alloc(10, 0x12)]);
}

/** An archive whose comment is the end of another archive. */
function endInComment(): Buffer {
  const inner = buildZip([], { end: { entries: 0 } });
  return buildZip([a], { comment: Buffer.concat([inner, Buffer.from("behind")]) });
}

/** Two directories over the same data: the inner one is in the outer one's comment, and both end with the file. */
function twoDirectories(): Buffer {
  const shown = buildZip([a]);
  const start = shown.indexOf(Buffer.from("PK\u0001\u0002"));
  const end = shown.indexOf(Buffer.from("PK\u0005\u0006"));
  const directory = Buffer.from(shown.subarray(start, end));
  directory.write("z.txt", 46);
  const second = Buffer.concat([directory, u32(0x06054b50), u32(0), u16(1), u16(1), u32(directory.byteLength), u32(end + 22), u16(0)]);
  return buildZip([a], { comment: second });
}

const encryptedDirectory = Buffer.concat([u32(0x08064b50), u32(4), Buffer.from("keys"), Buffer.alloc(60, 0x5c)]);

const quirks: readonly Quirk[] = [
  { title: "no members at all", archive: () => buildZip([]), members: [], anomalies: [] },
  { title: "an empty archive with a comment", archive: () => buildZip([], { comment: "nothing here" }), members: [], anomalies: [] },
  { title: "a plain archive is without anomalies", archive: () => buildZip([a, b]), members: ["a.txt=ok", "b.txt=ok"], anomalies: [] },
  { title: "zip64 records with every field there", archive: () => buildZip([{ ...a, zip64: true }, b], { zip64: "all" }), members: ["a.txt=ok", "b.txt=ok"], anomalies: [] },
  {
    title: "zip64 records behind data in front of the archive",
    archive: () => buildZip([a], { zip64: "all", prefix: random }),
    members: ["a.txt=ok"],
    anomalies: ["prefix_data"],
  },
  { title: "a forged zip64 locator", archive: () => buildZip([a], { zip64: "locator" }), members: ["a.txt=ok"], anomalies: ["gap", "zip64_conflict"] },
  {
    title: "a zip64 record that counts other members than the end record",
    archive: () => buildZip([a, b], { zip64: { entries: 1 } }),
    members: ["a.txt=ok", "b.txt=ok"],
    anomalies: ["zip64_conflict"],
  },
  {
    title: "a zip64 record that places the directory elsewhere",
    archive: () => buildZip([a, b], { zip64: { directoryOffset: 4 } }),
    members: ["a.txt=ok", "b.txt=ok"],
    anomalies: ["zip64_conflict"],
  },
  { title: "an end record in the comment", archive: endInComment, members: ["a.txt=ok"], anomalies: ["multiple_end_records"] },
  { title: "two directories that both end with the file", archive: twoDirectories, members: ["z.txt=ok"], anomalies: ["central_local_mismatch", "gap", "multiple_end_records"] },
  {
    title: "one archive behind another",
    archive: () => Buffer.concat([buildZip([a]), buildZip([b])]),
    members: ["b.txt=ok", "a.txt=ok"],
    anomalies: ["gap", "multiple_end_records", "orphan_local_entry"],
  },
  { title: "data in front, offsets counted from behind it", archive: () => buildZip([a], { prefix: random }), members: ["a.txt=ok"], anomalies: ["prefix_data"] },
  { title: "data in front, offsets adjusted", archive: () => buildZip([a], { prefix: random, adjusted: true }), members: ["a.txt=ok"], anomalies: ["prefix_data"] },
  { title: "data behind the end", archive: () => buildZip([a], { trailing: random }), members: ["a.txt=ok"], anomalies: ["trailing_data"] },
  {
    title: "more data behind the end than a comment can hold",
    archive: () => buildZip([a], { trailing: Buffer.alloc(200_000, 7) }),
    members: ["a.txt=ok"],
    anomalies: ["trailing_data"],
  },
  {
    title: "a member behind the end",
    archive: () => buildZip([a], { trailing: buildZip([b], { noEnd: true }).subarray(0, -51) }),
    members: ["a.txt=ok", "b.txt=ok"],
    anomalies: ["orphan_local_entry"],
  },
  { title: "bytes between members", archive: () => buildZip([a, { ...b, gapBefore: random }]), members: ["a.txt=ok", "b.txt=ok"], anomalies: ["gap"] },
  { title: "bytes before the directory", archive: () => buildZip([a], { beforeDirectory: random }), members: ["a.txt=ok"], anomalies: ["gap"] },
  { title: "bytes between directory and end record", archive: () => buildZip([a], { afterDirectory: random }), members: ["a.txt=ok"], anomalies: ["gap"] },
  { title: "a signing block before the directory is no gap", archive: () => buildZip([a], { beforeDirectory: signingBlock() }), members: ["a.txt=ok"], anomalies: [], parts: ["APK signing block"] },
  {
    title: "a signing block with contradicting sizes is a gap",
    archive: () => buildZip([a], { beforeDirectory: Buffer.concat([random, signingBlock().subarray(1)]) }),
    members: ["a.txt=ok"],
    anomalies: ["gap"],
  },
  { title: "the header of a Chrome extension", archive: () => buildZip([a], { prefix: crxHeader() }), members: ["a.txt=ok"], anomalies: [], parts: ["Chrome extension header"] },
  {
    title: "bytes between a Chrome extension's header and its archive",
    archive: () => buildZip([a], { prefix: Buffer.concat([crxHeader(), random]) }),
    members: ["a.txt=ok"],
    anomalies: ["gap"],
    parts: ["Chrome extension header"],
  },
  { title: "more members declared than there are", archive: () => buildZip([a, b], { end: { entries: 3 } }), members: ["a.txt=ok", "b.txt=ok"], anomalies: ["entry_count_mismatch"] },
  { title: "fewer members declared than there are", archive: () => buildZip([a, b], { end: { entries: 1 } }), members: ["a.txt=ok", "b.txt=ok"], anomalies: ["entry_count_mismatch"] },
  {
    title: "a directory that is longer than declared",
    archive: () => buildZip([a, b], { end: { entries: 1, directoryBytes: 51 } }),
    members: ["a.txt=ok", "b.txt=ok"],
    anomalies: ["entry_count_mismatch", "header_size_mismatch"],
  },
  { title: "a comment that is longer than the file", archive: () => buildZip([a], { commentBytes: 90 }), members: ["a.txt=ok"], anomalies: ["header_size_mismatch"], omissions: ["malformed"] },
  { title: "no end record", archive: () => buildZip([a, b], { noEnd: true }).subarray(0, -102), members: ["a.txt=ok", "b.txt=ok"], anomalies: ["missing_end_marker"], omissions: ["malformed"] },
  {
    title: "an end record that leads nowhere",
    archive: () => buildZip([a], { end: { directoryOffset: 3, directoryBytes: 7 } }),
    members: ["a.txt=ok"],
    anomalies: ["gap"],
    omissions: ["malformed"],
  },
  {
    title: "an encrypted directory",
    archive: () => buildZip([{ ...a, flags: 0x2041, hidden: true }], { beforeDirectory: encryptedDirectory, end: { entries: 1, directoryBytes: encryptedDirectory.byteLength, directoryOffset: 40 } }),
    members: ["a.txt=encrypted"],
    anomalies: [],
    omissions: ["encrypted"],
    parts: ["encrypted central directory"],
  },
  {
    title: "the last part of a split archive",
    archive: () => buildZip([{ ...a, hidden: true, gapBefore: random, name: "x" }, b, { ...a, central: { disk: 0 }, sharesDataOf: 1 }].slice(1, 2).map((member) => ({ ...member, central: { disk: 1 } })), { end: { disk: 1 } }),
    members: ["b.txt=ok"],
    anomalies: [],
    omissions: ["missing_companion"],
  },
  {
    title: "a member in another part of a split archive",
    archive: () => buildZip([{ ...b, central: { disk: 1 } }, { ...a, central: { disk: 0, offset: 900 }, sharesDataOf: 0 }], { end: { disk: 1 }, prefix: random, adjusted: true }),
    members: ["b.txt=ok", "a.txt=missing_companion"],
    anomalies: [],
    omissions: ["missing_companion"],
  },
  {
    title: "the marker of an archive that could have been split",
    archive: () => buildZip([a], { prefix: Buffer.from("PK00"), adjusted: true }),
    members: ["a.txt=ok"],
    anomalies: [],
    parts: ["split archive marker"],
  },
  { title: "a hidden member in front", archive: () => buildZip([hidden, a]), members: ["a.txt=ok", "hidden.txt=ok"], anomalies: ["orphan_local_entry"] },
  { title: "a hidden member in the middle", archive: () => buildZip([a, hidden, b]), members: ["a.txt=ok", "b.txt=ok", "hidden.txt=ok"], anomalies: ["orphan_local_entry"] },
  { title: "a hidden member before the directory", archive: () => buildZip([a, hidden]), members: ["a.txt=ok", "hidden.txt=ok"], anomalies: ["orphan_local_entry"] },
  {
    title: "a hidden member with the name of a listed one",
    archive: () => buildZip([{ ...a, content: "other", hidden: true }, a]),
    members: ["a.txt=ok", "a.txt=ok"],
    anomalies: ["orphan_local_entry"],
  },
  {
    title: "a hidden member behind other bytes",
    archive: () => buildZip([a, { ...hidden, gapBefore: random }, b]),
    members: ["a.txt=ok", "b.txt=ok", "hidden.txt=ok"],
    anomalies: ["gap", "orphan_local_entry"],
  },
  {
    title: "hidden members with descriptors of every form",
    archive: () =>
      buildZip([
        { ...b, name: "1", hidden: true, descriptor: "signed" },
        { ...b, name: "2", hidden: true, descriptor: "unsigned" },
        { ...b, name: "3", hidden: true, descriptor: "signed64" },
        { ...b, name: "4", hidden: true, descriptor: "unsigned64" },
        a,
      ]),
    members: ["a.txt=ok", "1=ok", "2=ok", "3=ok", "4=ok"],
    anomalies: ["orphan_local_entry"],
  },
  {
    title: "a hidden member of unknown size that ends by itself",
    archive: () => buildZip([{ ...b, name: "open", hidden: true, flags: 8, local: { crc32: 0, compressedBytes: 0, bytes: 0 } }, a]),
    members: ["a.txt=ok", "open=ok"],
    anomalies: ["orphan_local_entry"],
  },
  {
    title: "every member hidden behind an end record that counts none",
    archive: () => buildZip([{ ...a, hidden: true }, { ...b, hidden: true }]),
    members: ["a.txt=ok", "b.txt=ok"],
    anomalies: ["orphan_local_entry"],
  },
  {
    title: "a member inside another by the local header's size",
    archive: () => {
      const inner = buildZip([hidden], { noEnd: true });
      const content = Buffer.concat([Buffer.from("start"), inner]);
      return buildZip([{ name: "outer", content, local: { compressedBytes: 5, bytes: 5 } }]);
    },
    members: ["outer=ok", "hidden.txt=ok"],
    anomalies: ["central_local_mismatch", "orphan_local_entry"],
  },
  { title: "an archive stored in an archive is no contradiction", archive: () => buildZip([{ name: "in.zip", content: buildZip([a, b]) }]), members: ["in.zip=ok"], anomalies: [] },
  { title: "the same data for several names", archive: () => buildZip([a, { ...a, name: "again.txt", sharesDataOf: 0, local: {} }]), members: ["a.txt=ok", "again.txt=ok"], anomalies: ["central_local_mismatch", "overlap"] },
  {
    title: "members that quote one another",
    archive: () => {
      const second = buildZip([{ name: "b", content: "beta", hidden: true }], { noEnd: true });
      return buildZip([{ name: "a", content: second }, { name: "b", content: "beta", sharesDataOf: 0, central: { offset: 31 } }]);
    },
    members: ["a=ok", "b=ok"],
    anomalies: ["overlap"],
  },
  {
    title: "a member that reaches into the directory",
    archive: () => buildZip([{ name: "a", content: "alpha", central: { compressedBytes: 20, bytes: 20 } }]),
    members: ["a=crc32"],
    anomalies: ["central_local_mismatch", "overlap"],
  },
];

describe("odd structures of ZIP archives", () => {
  for (const quirk of quirks) test(quirk.title, () => expectQuirk(quirk));
});
