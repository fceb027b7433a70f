import { crc32, deflateRawSync } from "node:zlib";
import { describe, test } from "vitest";
import { compressedSample, plainSample, type SampleName } from "../codecs/compressed-samples.js";
import { buildZip, extraField, u16, u32, u64, type ZipMember } from "./build-zip.js";
import { expectQuirk, type Quirk } from "./quirk.js";

const a = { name: "a.txt", content: "alpha" } as const;
const long = { name: "b.txt", content: "beta ".repeat(40), method: 8 } as const;
const noise = Buffer.from("5e1f0c9d7ab3642885f1d00c3b9ae7724c6d18", "hex");
const aesField = extraField(0x9901, Buffer.concat([u16(2), Buffer.from("AE"), Buffer.from([3]), u16(8)]));
const strongField = extraField(0x0017, Buffer.concat([u16(2), u16(0x660e), u16(256), u16(1)]));

function unicodeField(name: string, of: string | Uint8Array): Buffer {
  return extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(crc32(of)), Buffer.from(name)]));
}

function bothExtra(member: ZipMember, extra: Uint8Array): ZipMember {
  return { ...member, local: { ...member.local, extra }, central: { ...member.central, extra } };
}

function encrypted(member: ZipMember): ZipMember {
  return { ...member, flags: 1, data: noise, local: { bytes: 7 }, central: { bytes: 7 } };
}

const mismatches: readonly Quirk[] = [
  { title: "another name in the local header", archive: () => buildZip([{ ...a, local: { name: "evil.exe" } }]), members: ["a.txt=ok"], anomalies: ["central_local_mismatch"] },
  { title: "another method in the local header", archive: () => buildZip([{ ...long, local: { method: 0 } }]), members: ["b.txt=ok"], anomalies: ["central_local_mismatch"] },
  { title: "another UTF-8 flag in the local header", archive: () => buildZip([{ ...a, local: { flags: 0x800 } }]), members: ["a.txt=ok"], anomalies: ["central_local_mismatch"] },
  { title: "other advice to compressors is no contradiction", archive: () => buildZip([{ ...long, local: { flags: 2 } }]), members: ["b.txt=ok"], anomalies: [] },
  { title: "another size in the local header", archive: () => buildZip([{ ...long, local: { bytes: 7 } }]), members: ["b.txt=ok"], anomalies: ["central_local_mismatch"] },
  { title: "a greater compressed size in the local header", archive: () => buildZip([{ ...long, local: { compressedBytes: 9000 } }]), members: ["b.txt=ok"], anomalies: ["central_local_mismatch"] },
  { title: "another CRC-32 in the local header", archive: () => buildZip([{ ...a, local: { crc32: 1 } }]), members: ["a.txt=ok"], anomalies: ["central_local_mismatch"] },
  { title: "a wrong CRC-32 in both headers", archive: () => buildZip([{ ...a, local: { crc32: 1 }, central: { crc32: 1 } }]), members: ["a.txt=crc32"], anomalies: [] },
  { title: "a wrong size in both headers", archive: () => buildZip([{ ...long, local: { bytes: 7 }, central: { bytes: 7 } }]), members: ["b.txt=size"], anomalies: [] },
  { title: "no local header where the record points", archive: () => buildZip([{ ...a, central: { offset: 3 } }]), members: ["a.txt=malformed", "a.txt=ok"], anomalies: ["central_local_mismatch", "orphan_local_entry"] },
  { title: "a record that points behind the file", archive: () => buildZip([{ ...a, central: { offset: 90_000 } }]), members: ["a.txt=malformed", "a.txt=ok"], anomalies: ["central_local_mismatch", "orphan_local_entry"] },
  { title: "data that would reach past the file", archive: () => buildZip([{ ...a, central: { compressedBytes: 70_000 } }]), members: ["a.txt=malformed"], anomalies: ["central_local_mismatch", "gap"] },
  { title: "a size in a zip64 field that is not there", archive: () => buildZip([{ ...a, central: { compressedBytes: 0xffffffff } }]), members: ["a.txt=malformed"], anomalies: ["central_local_mismatch", "gap"] },
  {
    title: "a zip64 size beyond 2^53",
    archive: () => buildZip([{ ...a, central: { compressedBytes: 0xffffffff, extra: extraField(1, u64(2n ** 60n)) } }]),
    members: ["a.txt=malformed"],
    anomalies: ["central_local_mismatch", "gap"],
  },
  { title: "compressed data that ends before its declared size", archive: () => buildZip([{ ...long, data: Buffer.concat([deflateRawSync("beta ".repeat(40)), noise]) }]), members: ["b.txt=ok"], anomalies: ["header_size_mismatch"] },
  { title: "data that is not what the method says", archive: () => buildZip([{ ...long, data: Buffer.alloc(40, 0xff) }]), members: ["b.txt=broken"], anomalies: [] },
];

const descriptors: readonly Quirk[] = [
  { title: "a descriptor with signature", archive: () => buildZip([{ ...long, descriptor: "signed" }, a]), members: ["b.txt=ok", "a.txt=ok"], anomalies: [] },
  { title: "a descriptor without signature", archive: () => buildZip([{ ...long, descriptor: "unsigned" }, a]), members: ["b.txt=ok", "a.txt=ok"], anomalies: [] },
  { title: "a zip64 descriptor with signature", archive: () => buildZip([{ ...long, descriptor: "signed64" }, a]), members: ["b.txt=ok", "a.txt=ok"], anomalies: [] },
  { title: "a zip64 descriptor without signature", archive: () => buildZip([{ ...long, descriptor: "unsigned64" }, a]), members: ["b.txt=ok", "a.txt=ok"], anomalies: [] },
  { title: "a stored member with a descriptor", archive: () => buildZip([{ ...a, descriptor: "signed" }]), members: ["a.txt=ok"], anomalies: [] },
  { title: "a descriptor with another CRC-32", archive: () => buildZip([{ ...a, descriptor: "signed", descriptorValues: { crc32: 9 } }]), members: ["a.txt=ok"], anomalies: ["central_local_mismatch"] },
  { title: "a flag for a descriptor that is not there", archive: () => buildZip([{ ...a, flags: 8 }]), members: ["a.txt=ok"], anomalies: ["central_local_mismatch"] },
];

const encryption: readonly Quirk[] = [
  { title: "the classic cipher", archive: () => buildZip([encrypted(a)]), members: ["a.txt=encrypted"], anomalies: [] },
  { title: "the classic cipher over deflated data", archive: () => buildZip([{ ...encrypted(long), method: 8 }]), members: ["b.txt=encrypted"], anomalies: [] },
  { title: "AES", archive: () => buildZip([bothExtra({ ...encrypted(a), method: 99 }, aesField)]), members: ["a.txt=encrypted"], anomalies: [] },
  { title: "strong encryption", archive: () => buildZip([bothExtra({ ...encrypted(a), flags: 0x41 }, strongField)]), members: ["a.txt=encrypted"], anomalies: [] },
  { title: "a false flag over stored data", archive: () => buildZip([{ ...a, flags: 1 }]), members: ["a.txt=ok"], anomalies: ["fake_encryption_flag"] },
  { title: "a false flag over deflated data", archive: () => buildZip([{ ...long, flags: 1 }]), members: ["b.txt=ok"], anomalies: ["fake_encryption_flag"] },
  { title: "a false flag in the central record only", archive: () => buildZip([{ ...long, central: { flags: 1 } }]), members: ["b.txt=ok"], anomalies: ["central_local_mismatch", "fake_encryption_flag"] },
  { title: "a false flag in the local header only", archive: () => buildZip([{ ...long, local: { flags: 1 } }]), members: ["b.txt=ok"], anomalies: ["central_local_mismatch", "fake_encryption_flag"] },
  { title: "a true flag in one header only", archive: () => buildZip([{ ...encrypted(a), flags: 0, local: { flags: 1, bytes: 7 } }]), members: ["a.txt=encrypted"], anomalies: ["central_local_mismatch"] },
  { title: "the strong bit without the encryption bit", archive: () => buildZip([{ ...a, flags: 0x40 }]), members: ["a.txt=ok"], anomalies: ["fake_encryption_flag"] },
  { title: "a hidden encrypted member", archive: () => buildZip([a, { ...encrypted(long), hidden: true }]), members: ["a.txt=ok", "b.txt=encrypted"], anomalies: ["orphan_local_entry"] },
];

function compressedMember(method: number, sample: SampleName): ZipMember {
  return { name: "a.txt", content: plainSample, method, data: compressedSample(sample) };
}

/** LZMA data with the header that zip members have: SDK version, length of the properties, properties. */
function zipLzmaMember(flags: number): ZipMember {
  const alone = compressedSample("lzma");
  return { ...compressedMember(14, "lzma"), flags, data: Buffer.concat([Buffer.from([22, 2, 5, 0]), alone.subarray(0, 5), alone.subarray(13)]) };
}

const methods: readonly Quirk[] = [
  { title: "bzip2", archive: () => buildZip([compressedMember(12, "bzip2")]), members: ["a.txt=ok"], anomalies: [] },
  { title: "xz", archive: () => buildZip([compressedMember(95, "xz")]), members: ["a.txt=ok"], anomalies: [] },
  { title: "zstd", archive: () => buildZip([compressedMember(93, "zstd")]), members: ["a.txt=ok"], anomalies: [] },
  { title: "zstd under its former number", archive: () => buildZip([compressedMember(20, "zstd")]), members: ["a.txt=ok"], anomalies: [] },
  { title: "LZMA with an end marker", archive: () => buildZip([zipLzmaMember(2)]), members: ["a.txt=ok"], anomalies: [] },
  { title: "LZMA data that is cut short", archive: () => buildZip([{ ...zipLzmaMember(2), data: zipLzmaMember(2).data?.subarray(0, 60) ?? noise }]), members: ["a.txt=broken"], anomalies: [] },
  { title: "a false encryption flag over zstd", archive: () => buildZip([{ ...compressedMember(93, "zstd"), flags: 1 }]), members: ["a.txt=ok"], anomalies: ["fake_encryption_flag"] },
  { title: "shrink is named and not decoded", archive: () => buildZip([{ ...a, method: 1 }]), members: ["a.txt=unsupported_method"], anomalies: [] },
  { title: "implode is named and not decoded", archive: () => buildZip([{ ...a, method: 6 }]), members: ["a.txt=unsupported_method"], anomalies: [] },
  { title: "PPMd is named and not decoded", archive: () => buildZip([{ ...a, method: 98 }]), members: ["a.txt=unsupported_method"], anomalies: [] },
  { title: "a reserved method means nothing", archive: () => buildZip([{ ...a, method: 11 }]), members: ["a.txt=unsupported_method"], anomalies: ["unknown_method"] },
  { title: "a nonsense method means nothing", archive: () => buildZip([{ ...a, method: 0xbeef }]), members: ["a.txt=unsupported_method"], anomalies: ["unknown_method"] },
  { title: "method 99 without encryption field is encrypted all the same", archive: () => buildZip([{ ...a, method: 99 }]), members: ["a.txt=encrypted"], anomalies: [] },
];

const kinds: readonly Quirk[] = [
  { title: "directories", archive: () => buildZip([{ name: "d/" }, { name: "d/f", content: "x" }]), members: ["d/=none", "d/f=ok"], anomalies: [] },
  { title: "a directory by its mode", archive: () => buildZip([{ name: "d", central: { mode: 0o040755 } }]), members: ["d=none"], anomalies: [] },
  { title: "a directory with content is read as a file", archive: () => buildZip([{ name: "d/", content: "payload" }]), members: ["d/=ok"], anomalies: [] },
  { title: "a directory with data and no content", archive: () => buildZip([{ name: "d/", data: noise }]), members: ["d/=none"], anomalies: ["size_mismatch"] },
  { title: "a symbolic link", archive: () => buildZip([{ name: "l", content: "../up", central: { mode: 0o120777 } }]), members: ["l=none"], anomalies: [] },
  { title: "a deflated symbolic link", archive: () => buildZip([{ name: "l", content: "x".repeat(300), method: 8, central: { mode: 0o120777 } }]), members: ["l=none"], anomalies: [] },
  { title: "a symbolic link with a wrong CRC-32", archive: () => buildZip([{ name: "l", content: "t", central: { mode: 0o120777, crc32: 5 }, local: { crc32: 5 } }]), members: ["l=none"], anomalies: ["crc_mismatch"] },
  { title: "an encrypted symbolic link", archive: () => buildZip([{ ...encrypted({ name: "l" }), central: { mode: 0o120777, bytes: 7 } }]), members: ["l=encrypted"], anomalies: [] },
  { title: "a link and a file through it", archive: () => buildZip([{ name: "l", content: "/tmp", central: { mode: 0o120777 } }, { name: "l/f", content: "x" }]), members: ["l=none", "l/f=ok"], anomalies: [] },
  { title: "a device", archive: () => buildZip([{ name: "null", central: { mode: 0o020666 } }]), members: ["null=none"], anomalies: [] },
  { title: "a device with content is read as a file", archive: () => buildZip([{ name: "null", content: "x", central: { mode: 0o020666 } }]), members: ["null=ok"], anomalies: [] },
];

const names: readonly Quirk[] = [
  { title: "a name with a NUL", archive: () => buildZip([{ name: "a.txt\0.exe", content: "x" }]), members: ["a.txt\0.exe=ok"], anomalies: [] },
  { title: "a name that climbs out", archive: () => buildZip([{ name: "../../etc/passwd", content: "x" }]), members: ["../../etc/passwd=ok"], anomalies: [] },
  { title: "equal names", archive: () => buildZip([a, { ...a, content: "other" }]), members: ["a.txt=ok", "a.txt=ok"], anomalies: [] },
  { title: "an empty name", archive: () => buildZip([{ name: "", content: "x" }]), members: ["=ok"], anomalies: [] },
  { title: "code page 437", archive: () => buildZip([{ name: Buffer.from([0x81, 0x9b, 0xe1]), central: { host: 0 } }]), members: ["ü¢ß=ok"], anomalies: [] },
  { title: "UTF-8 by flag", archive: () => buildZip([{ name: "ü€.txt", flags: 0x800, central: { host: 0 } }]), members: ["ü€.txt=ok"], anomalies: [] },
  { title: "UTF-8 by custom of Unix", archive: () => buildZip([{ name: "ü€.txt" }]), members: ["ü€.txt=ok"], anomalies: [] },
  { title: "a Unicode path that belongs to the name", archive: () => buildZip([bothExtra({ name: "?.txt" }, unicodeField("€.txt", "?.txt"))]), members: ["€.txt=ok"], anomalies: [] },
  { title: "a Unicode path of another name", archive: () => buildZip([bothExtra({ name: "a.txt" }, unicodeField("€.txt", "b.txt"))]), members: ["a.txt=ok"], anomalies: ["unicode_path_conflict"] },
  { title: "a Unicode path that says something else", archive: () => buildZip([bothExtra({ name: "readme.txt" }, unicodeField("evil.exe", "readme.txt"))]), members: ["evil.exe=ok"], anomalies: ["unicode_path_conflict"] },
  { title: "a Unicode path in the local header only", archive: () => buildZip([{ name: "a.txt", local: { extra: unicodeField("evil.exe", "a.txt") } }]), members: ["a.txt=ok"], anomalies: ["unicode_path_conflict"] },
];

const groups: readonly (readonly [string, readonly Quirk[]])[] = [
  ["headers that contradict each other", mismatches],
  ["data descriptors", descriptors],
  ["encryption", encryption],
  ["compression methods", methods],
  ["kinds of members", kinds],
  ["names of members", names],
];

for (const [title, quirks] of groups) {
  describe(title, () => {
    for (const quirk of quirks) test(quirk.title, () => expectQuirk(quirk));
  });
}
