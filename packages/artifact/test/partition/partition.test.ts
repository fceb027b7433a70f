import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { detectFormat } from "@rea/binary";
import { memorySource } from "@rea/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diskImageFormat } from "../../src/formats/partition/disk-image-format.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { buildDmg } from "../dmg/build-dmg.js";
import { buildApfs } from "../apfs/build-apfs.js";
import { buildHfsPlus } from "../hfsplus/build-hfsplus.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { hasProgram, sha256 } from "../zip/programs.js";
import { appleDisk, bootEntry, guidDisk } from "./build-disk.js";

const data = (letter: string, sectors = 4, bytes = 512): Buffer => Buffer.alloc(sectors * bytes, letter);
const two = [
  { name: "one", first: 80, data: data("1") },
  { name: "two", first: 90, data: data("2", 10) },
];

const apple = appleDisk(two);
const guid = guidDisk(two.map((partition) => ({ ...partition, type: "apfs" })));

function pcDisk(): Buffer {
  const disk = Buffer.alloc(200 * 512);
  bootEntry(disk, 0, { type: 0x83, first: 80, sectors: 4 });
  bootEntry(disk, 1, { type: 0x05, first: 100, sectors: 50 });
  bootEntry(disk, 0, { type: 0x07, first: 2, sectors: 3 }, 100);
  bootEntry(disk, 1, { type: 0x05, first: 10, sectors: 20 }, 100);
  bootEntry(disk, 0, { type: 0xaf, first: 1, sectors: 3 }, 110);
  data("1").copy(disk, 80 * 512);
  data("5", 3).copy(disk, 102 * 512);
  data("6", 3).copy(disk, 111 * 512);
  return disk;
}

test.each([
  ["Apple map", apple, ["1 Apple (Apple_partition_map)=ok", "2 one (Apple_HFS)=ok", "3 two (Apple_HFS)=ok"]],
  ["Apple map of larger blocks", appleDisk([{ name: "one", first: 20, data: data("1", 1, 2048) }], { blockBytes: 2048 }), ["1 Apple (Apple_partition_map)=ok", "2 one (Apple_HFS)=ok"]],
  ["GUID table", guid, ["1 one (Apple APFS)=ok", "2 two (Apple APFS)=ok"]],
  ["GUID table of larger sectors", guidDisk([{ name: "x/y", first: 20, data: data("1", 1, 4096) }], { sectorBytes: 4096, sectors: 60 }), ["1 x:y (Apple HFS+)=ok"]],
  ["boot record with logical partitions", pcDisk(), ["1 (0x83)=ok", "5 (0x07)=ok", "6 (0xaf)=ok"]],
])("the partitions of a disk with an %s are volumes", async (_title, disk, states) => {
  expect(detectFormat(memorySource(disk)).format).toBe("disk-image");
  const found = await readContainer(diskImageFormat, disk);
  expect(statesOf(found)).toEqual(states);
  expect([found.anomalies, found.omissions]).toEqual([[], []]);
  const last = found.members.at(-1);
  expect(last?.bytes?.every((byte, _index, all) => byte === all[0])).toBe(true);
});

function changed(disk: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(disk);
  change(copy);
  return copy;
}

test.each([
  ["an Apple map that declares more partitions", appleDisk(two, { count: 900 }), ["entry_count_mismatch"], 0],
  ["partitions that overlap", appleDisk([{ first: 80, data: data("1") }, { first: 82, data: data("2") }]), ["overlap"], 0],
  ["a partition past the end", appleDisk([{ first: 199, data: data("1") }]), [], 1],
  ["a GUID header with a wrong CRC", changed(guid, (disk) => disk.writeUInt32LE(1, 512 + 16)), ["bad_checksum_header"], 0],
  ["GUID entries with a wrong CRC", changed(guid, (disk) => disk.fill(9, 1024 + 56, 1024 + 60)), ["bad_checksum_header"], 0],
  ["a GUID copy that is missing", changed(guid, (disk) => disk.fill(0, 199 * 512)), ["central_local_mismatch"], 0],
  ["a GUID table cut behind its entries", guid.subarray(0, 40 * 512), ["central_local_mismatch"], 2],
  ["GUID entries of a nonsense size", changed(guid, (disk) => disk.writeUInt32LE(0xffffffff, 512 + 84)), ["bad_checksum_header"], 0],
  ["a boot record that names a partition of its own", changed(guid, (disk) => bootEntry(disk, 1, { type: 0x83, first: 120, sectors: 1 })), ["central_local_mismatch"], 0],
  ["a chain of boot records that comes back", changed(pcDisk(), (disk) => bootEntry(disk, 1, { type: 0x05, first: 0, sectors: 20 }, 110)), [], 0],
] as const)("%s is told", async (_title, disk, kinds, malformed) => {
  const found = await readContainer(diskImageFormat, disk);
  expect(kindsOf(found)).toEqual([...kinds]);
  expect(found.members.filter(({ state }) => state === "malformed")).toHaveLength(malformed);
});

test("a partitioned disk inside an image is opened down to its volumes", async () => {
  const bytes = buildDmg({ tables: [{ name: "whole disk (unknown partition : 0)", chunks: [{ kind: "zlib", plain: pcDisk() }] }] });
  const { graph, omissions } = await inventory(artifactOfBytes(bytes, "disk.dmg"));
  const paths = graph.occurrences.map(({ logical_path, entry_kind }) => `${entry_kind} ${logical_path}`);
  expect(paths).toContain("volume whole disk (unknown partition : 0)!/6 (0xaf)");
  expect(omissions).toEqual([]);
});

test("raw images are opened down to the files of their volumes, whatever they are called", async () => {
  const hfs = buildHfsPlus({ items: [{ path: ["on hfs"], data: "1" }] });
  const apfs = buildApfs({ volumes: [{ name: "V", items: [{ path: ["on apfs"], data: "2" }] }] });
  const first = 80;
  const second = first + hfs.byteLength / 512;
  const parts = [{ name: "one", first, data: hfs }, { name: "two", type: "apfs", first: second, data: apfs }];
  for (const name of ["raw.dmg", "raw.img", "raw.txt"]) {
    const { graph, anomalies, omissions } = await inventory(artifactOfBytes(guidDisk(parts, { sectors: second + apfs.byteLength / 512 + 40 }), name));
    const files = graph.occurrences.filter(({ entry_kind }) => entry_kind === "file").map(({ logical_path }) => logical_path);
    expect([files.sort(), anomalies, omissions]).toEqual([[".", "1 one (Apple HFS+)!/on hfs", "2 two (Apple APFS)!/V/on apfs"], [], []]);
  }
});

test("flipped and cut disks are read to an end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(apple, guid, pcDisk()), fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 6 }), fc.nat(200 * 512), async (disk, changes, length) => {
      const bytes = changed(disk, (copy) => changes.forEach(([at, value]) => (copy[at] = value))).subarray(0, Math.max(1, length));
      const found = await readContainer(diskImageFormat, bytes, { maximum: 1 << 20 });
      expect(found.members.length).toBeLessThan(2000);
    }),
    { numRuns: 150 },
  );
});

test.skipIf(!hasProgram("7z")).each([
  ["apm", apple],
  ["gpt", guid],
  ["mbr", pcDisk()],
])("7z extracts the same partitions by its %s reader", async (type, disk) => {
  const directory = mkdtempSync(join(tmpdir(), "rea-disk-"));
  try {
    writeFileSync(join(directory, "disk.img"), disk);
    execFileSync("7z", ["x", `-t${type}`, "-y", "-oout", "disk.img"], { cwd: directory, stdio: "pipe" });
    const theirs = readdirSync(join(directory, "out")).map((name) => sha256(readFileSync(join(directory, "out", name))));
    const ours = (await readContainer(diskImageFormat, disk)).members.map(({ bytes }) => sha256(bytes ?? Buffer.alloc(0)));
    // Each reader of 7z leaves out the map itself or adds what lies between; every partition of ours must be there.
    expect(ours.filter((digest, index) => !(type === "apm" && index === 0) && !theirs.includes(digest))).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
