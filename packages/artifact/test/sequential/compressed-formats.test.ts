import { execFileSync, spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { combineCrc32 } from "../../src/codecs/gzip/crc32-combine.js";
import type { SequentialFormat } from "../../src/format.js";
import { bzip2Format } from "../../src/formats/bzip2/bzip2-format.js";
import { gzipFormat } from "../../src/formats/gzip/gzip-format.js";
import { lz4Format } from "../../src/formats/lz4/lz4-format.js";
import { lzmaFormat } from "../../src/formats/lzma/lzma-format.js";
import { xzFormat } from "../../src/formats/xz/xz-format.js";
import { zstdFormat } from "../../src/formats/zstd/zstd-format.js";
import { compressedSample, plainSample, sampleNames, type SampleName } from "../codecs/compressed-samples.js";
import { collect, sha256, type Seen } from "./collect-entries.js";
import { crc32 } from "node:zlib";

const formats: { readonly [K in SampleName]: SequentialFormat } = { gzip: gzipFormat, bzip2: bzip2Format, xz: xzFormat, lzma: lzmaFormat, zstd: zstdFormat, lz4: lz4Format };
const anomalies = ({ anomalies: found }: Seen): readonly string[] => found.map(({ anomaly }) => anomaly);
const streaming = sampleNames.filter((name) => name !== "lzma");

test.each(sampleNames)("%s has one member, called like the file without its suffix", async (name) => {
  const suffixes = { gzip: "gz", bzip2: "bz2", xz: "xz", lzma: "lzma", zstd: "zst", lz4: "lz4" };
  const seen = await collect(formats[name], compressedSample(name), { containerName: `notes.txt.${suffixes[name]}` });
  expect(seen.entries.map(({ name: called, kind, sha256: digest, failedChecks }) => [called, kind, digest, failedChecks])).toEqual([["notes.txt", "file", sha256(plainSample), []]]);
  expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
});

test.each([
  ["x.tgz", "x.tar"],
  ["x.TAR.GZ", "x.TAR"],
  ["x", "x"],
  [".gz", ".gz"],
  ["", "content"],
])("the member of %j is called %j", async (containerName, name) => {
  expect((await collect(gzipFormat, gzipSync("x"), { containerName })).entries[0]?.name).toBe(name);
});

test.each(streaming)("%s streams one after another are one content and are told", async (name) => {
  const sample = compressedSample(name);
  const seen = await collect(formats[name], Buffer.concat([sample, sample, sample]));
  expect(seen.entries[0]?.sha256).toBe(sha256(Buffer.concat([plainSample, plainSample, plainSample])));
  expect(seen.entries[0]?.failedChecks).toEqual([]);
  expect(anomalies(seen)).toEqual(["concatenated_archive"]);
});

test.each(sampleNames)("%s with other bytes behind it tells of them and where they are", async (name) => {
  const sample = compressedSample(name);
  const seen = await collect(formats[name], Buffer.concat([sample, Buffer.from("hidden")]));
  expect(seen.entries[0]?.sha256).toBe(sha256(plainSample));
  expect(seen.anomalies.map(({ anomaly, offset }) => [anomaly, offset])).toEqual([["trailing_data", sample.byteLength]]);
});

test.each(sampleNames)("%s cut short breaks its content", async (name) => {
  const seen = await collect(formats[name], compressedSample(name).subarray(0, -3));
  expect(seen.entries[0]?.problem).toBeDefined();
});

test("xz padding between and behind streams is no trailing data", async () => {
  const sample = compressedSample("xz");
  const seen = await collect(xzFormat, Buffer.concat([sample, Buffer.alloc(8), sample, Buffer.alloc(4)]));
  expect(anomalies(seen)).toEqual(["concatenated_archive"]);
});

/** A gzip member with every optional header field. */
function fullGzip(name: string): Buffer {
  const plain = gzipSync("data");
  const extra = Buffer.from([4, 0, 1, 2, 3, 4]);
  const header = Buffer.concat([Buffer.from("1f8b081e000000000003", "hex"), extra, Buffer.from(`${name}\0`), Buffer.from("a comment\0")]);
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc32(header) & 0xffff);
  return Buffer.concat([header, crc, plain.subarray(10)]);
}

test("the name in a gzip header wins, in UTF-8 or Latin-1", async () => {
  expect((await collect(gzipFormat, fullGzip("größe.txt"), { containerName: "x.gz" })).entries[0]?.name).toBe("größe.txt");
  const latin = gzipSync("x");
  const named = Buffer.concat([latin.subarray(0, 3), Buffer.from([8]), latin.subarray(4, 10), Buffer.from([0xe4, 0]), latin.subarray(10)]);
  expect((await collect(gzipFormat, named)).entries[0]?.name).toBe("ä");
});

test("a gzip header whose own checksum does not hold is not read", async () => {
  const bytes = fullGzip("name");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  const seen = await collect(gzipFormat, bytes);
  expect(seen.entries).toEqual([]);
  expect(seen.omissions).toHaveLength(1);
});

test("a wrong CRC or length in any gzip member is a failed check of the whole", async () => {
  const first = gzipSync("first");
  const second = gzipSync("second");
  const wrongCrc = Buffer.from(first);
  wrongCrc[first.byteLength - 8] = (wrongCrc[first.byteLength - 8] ?? 0) ^ 1;
  const wrongSize = Buffer.from(second);
  wrongSize[second.byteLength - 4] = 1;
  const seen = await collect(gzipFormat, Buffer.concat([wrongCrc, wrongSize]));
  expect(seen.entries[0]?.sha256).toBe(sha256("firstsecond"));
  expect(seen.entries[0]?.failedChecks).toEqual(["crc32", "size"]);
});

test("CRCs of parts join to the CRC of the whole", () => {
  const left = plainSample.subarray(0, 333);
  const right = plainSample.subarray(333);
  expect(combineCrc32(crc32(left), crc32(right), right.byteLength)).toBe(crc32(plainSample));
  expect(combineCrc32(crc32(left), 0, 0)).toBe(crc32(left));
});

const judges = [
  ["gzip", "gzip"],
  ["bzip2", "bzip2"],
  ["xz", "xz"],
  ["zstd", "zstd"],
  ["lz4", "lz4"],
] as const;

test.for(judges)("%s joins streams as the %s program does", async ([name, program], context) => {
  if (spawnSync(program, ["--version"]).error !== undefined) context.skip(`${program} is not installed`);
  const sample = compressedSample(name);
  const joined = Buffer.concat([sample, sample]);
  const seen = await collect(formats[name], joined);
  expect(seen.entries[0]?.sha256).toBe(sha256(execFileSync(program, ["-dc"], { input: joined })));
});
