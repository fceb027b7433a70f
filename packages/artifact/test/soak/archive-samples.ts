import { createHash } from "node:crypto";
import { deflateRawSync, gzipSync } from "node:zlib";
import { buildApfs } from "../apfs/build-apfs.js";
import { buildAsar, fileNode } from "../asar/build-asar.js";
import { buildCab } from "../cab/build-cab.js";
import { compressedSample, sampleNames } from "../codecs/compressed-samples.js";
import { cpioArchive } from "../cpio/build-cpio.js";
import { buildDmg } from "../dmg/build-dmg.js";
import { buildHfsPlus } from "../hfsplus/build-hfsplus.js";
import { buildIso } from "../iso/build-iso.js";
import { buildOle } from "../ole/build-ole.js";
import { appleDisk, guidDisk } from "../partition/build-disk.js";
import { rpmHeader, rpmPackage } from "../rpm/build-rpm.js";
import { buildSevenZip } from "../sevenzip/build-sevenzip.js";
import { buildSquashfs } from "../squashfs/build-squashfs.js";
import { archive, member } from "../tar/build-tar.js";
import { buildPbzx } from "../xar/build-pbzx.js";
import { buildXar } from "../xar/build-xar.js";
import { buildZip } from "../zip/build-zip.js";
import { mixedText } from "../zip/programs.js";

export interface ArchiveSample {
  /** The format as it is detected. */
  readonly format: string;
  readonly title: string;
  readonly bytes: Buffer;
  /** True when every byte of a content is under a checksum that the format always has. */
  readonly proves: boolean;
  /** Lengths at which a shorter archive is a whole one: the format has no mark of its end, nor a count. */
  readonly ends?: readonly number[];
}

const text = mixedText(2000);
const cpio = cpioArchive("newc", { name: "a", data: "alpha" }, { name: "d", mode: 0o040755 }, { name: "d/b", data: text });

function arArchive(members: readonly (readonly [name: string, data: Buffer])[]): Buffer {
  const parts = members.flatMap(([name, data]) => [
    Buffer.from(`${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(data.byteLength).padEnd(10)}\`\n`),
    data,
    Buffer.from(data.byteLength % 2 === 1 ? "\n" : ""),
  ]);
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}

function rpm(): Buffer {
  const payload = gzipSync(cpio);
  const main = rpmHeader([
    [1000, "name"],
    [1124, "cpio"],
    [1125, "gzip"],
    [5092, [createHash("sha256").update(payload).digest("hex")]],
    [5093, 8],
  ]);
  const signature = rpmHeader([
    [269, createHash("sha1").update(main).digest("hex")],
    [1000, main.byteLength + payload.byteLength],
    [1004, createHash("md5").update(main).update(payload).digest()],
  ]);
  return rpmPackage(signature, main, payload);
}

/** A universal file of two slices (mach-o/fat.h). */
function universal(): Buffer {
  const file = Buffer.alloc(4096 * 3, "s");
  const words = [0xcafebabe, 2, 0x01000007, 3, 4096, 4000, 12, 0x0100000c, 0, 8192, 4000, 12];
  for (const [index, word] of words.entries()) file.writeUInt32BE(word, index * 4);
  for (const at of [4096, 8192]) file.writeUInt32LE(0xfeedfacf, at);
  return file;
}

const two = [
  { name: "one", first: 64, data: Buffer.alloc(1024, "1") },
  { name: "two", first: 70, data: Buffer.alloc(512, "2") },
];
const pack = ["alpha", text.toString()];

/** One small archive of each format, made without any program. */
export function archiveSamples(): readonly ArchiveSample[] {
  const sample = (format: string, bytes: Buffer, proves = false, title = format): ArchiveSample => ({ format, title, bytes, proves });
  return [
    sample("zip", buildZip([{ name: "a", content: "alpha" }, { name: "b", content: text.toString(), method: 8 }, { name: "c", content: "gamma ".repeat(20), method: 8, descriptor: "signed" }]), true),
    sample("tar", archive(member({ name: "a", data: "alpha" }), member({ name: "d/b", data: text }))),
    sample("asar", buildAsar({ files: { a: fileNode("alpha", 0), d: { files: { b: fileNode("beta beta", 5) } } } }, "alphabeta beta")),
    ...sampleNames.map((name) => sample(name, compressedSample(name), name !== "lzma")),
    sample("gzip", gzipSync(archive(member({ name: "a", data: text }))), true, "gzip of a tar"),
    // Some writers leave out the fill behind a last content of odd size.
    { ...sample("ar", arArchive([["a/", Buffer.from("alpha")], ["b/", text]])), ends: [8, 8 + 60 + 5, 8 + 60 + 6] },
    sample("deb", arArchive([["debian-binary", Buffer.from("2.0\n")], ["control.tar.gz", gzipSync(archive(member({ name: "./control", data: "Package: a\n" })))], ["data.tar.gz", gzipSync(archive(member({ name: "./usr/a", data: text })))]])),
    sample("cpio", cpio),
    sample("cpio", cpioArchive("odc", { name: "a", data: "alpha" }, { name: "b", data: text }), false, "cpio, octal"),
    sample("rpm", rpm()),
    sample("iso9660", buildIso([{ name: "A.TXT;1", data: "alpha" }, { name: "DIR", children: [{ name: "B.;1", data: "beta" }] }])),
    sample("7z", buildSevenZip({ folders: [{ contents: pack, coders: [{ id: "040108" }], packs: [deflateRawSync(pack.join(""))] }], files: [{ name: "a" }, { name: "b" }], layers: 1 }), true),
    sample("cab", buildCab({ folders: [{ method: "mszip", data: text }, { method: "lzx", data: text }, { method: "quantum", data: text }], files: [0, 1, 2].map((folder) => ({ name: `f${String(folder)}`, offset: 0, bytes: text.byteLength, folder })) }), true),
    sample("ole", buildOle({ members: [{ name: "a", content: Buffer.from("alpha") }, { name: "b", content: mixedText(6000) }] })),
    sample("squashfs", buildSquashfs([{ name: "a", data: "alpha" }, { name: "d", children: [{ name: "b", data: text }] }])),
    sample("pkg", buildXar({ files: [{ name: "a", data: text }, { name: "b", data: "beta" }] }), true),
    { ...sample("pbzx", buildPbzx(cpio)), ends: [12] },
    sample("dmg", buildDmg({ tables: [{ name: "a", chunks: [{ kind: "zlib", plain: mixedText(1024).subarray(0, 1024) }, { kind: "zero", sectors: 2 }, { kind: "raw", plain: Buffer.alloc(512, "r") }] }] }), true),
    sample("disk-image", appleDisk(two), false, "Apple partition map"),
    sample("disk-image", guidDisk(two.map((partition) => ({ ...partition, type: "apfs" }))), false, "GUID partition table"),
    sample("hfsplus", buildHfsPlus({ items: [{ path: ["d"], folder: true }, { path: ["d", "a"], data: text }, { path: ["b"], data: "beta" }] })),
    sample("apfs", buildApfs({ volumes: [{ name: "Vol", items: [{ path: ["d"], folder: true }, { path: ["d", "a"], data: text }, { path: ["b"], data: "beta" }] }] })),
    sample("mach-o-universal", universal()),
  ];
}
