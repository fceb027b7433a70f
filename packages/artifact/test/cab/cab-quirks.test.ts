import { describe, expect, test } from "vitest";
import { cab } from "../../src/formats/cab/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { mixedText } from "../zip/programs.js";
import { buildCab, type BuiltCab, type BuiltFolder } from "./build-cab.js";

interface Quirk {
  readonly title: string;
  readonly archive: BuiltCab;
  readonly members: readonly string[];
  readonly anomalies?: readonly string[];
  readonly omissions?: readonly string[];
  readonly parts?: readonly string[];
}

const short: BuiltFolder = { data: Buffer.from("alphabeta") };
const a = { name: "a", offset: 0, bytes: 5 };
const b = { name: "b", offset: 5, bytes: 4 };
const long = mixedText(100_000);
const blocks: BuiltFolder = { method: "mszip", data: long };
const halves = [
  { name: "a", offset: 0, bytes: 40_000 },
  { name: "b", offset: 40_000, bytes: 60_000 },
];

/** A signed cabinet: the reserved area leads to what stands behind it. */
function signed(): BuiltCab {
  const header = Buffer.alloc(20);
  const plain = buildCab({ folders: [short], files: [a, b], reserve: { header, folder: 0, data: 0 } });
  header.writeUInt32LE(0x00100000, 0);
  header.writeUInt32LE(plain.byteLength, 4);
  header.writeUInt32LE(9, 8);
  return { folders: [short], files: [a, b], reserve: { header, folder: 0, data: 0 }, trailing: Buffer.from("signature") };
}

const quirks: readonly Quirk[] = [
  { title: "two files in one folder", archive: { folders: [short], files: [a, b] }, members: ["a=ok", "b=ok"] },
  { title: "two folders", archive: { folders: [short, short], files: [a, b, { ...a, name: "c", folder: 1 }, { ...b, name: "d", folder: 1 }] }, members: ["a=ok", "b=ok", "c=ok", "d=ok"] },
  { title: "no files", archive: { folders: [], files: [] }, members: [] },
  { title: "an empty file", archive: { folders: [short], files: [{ name: "e", offset: 0, bytes: 0 }, a, b] }, members: ["e=ok", "a=ok", "b=ok"] },
  { title: "blocks without checksums", archive: { folders: [{ ...blocks, unchecked: true }], files: halves }, members: ["a=ok", "b=ok"] },
  { title: "a wrong checksum of the first block", archive: { folders: [{ ...blocks, wrongBlock: 0 }], files: halves }, members: ["a=measured", "b=ok"] },
  { title: "a wrong checksum of a block both files lie in", archive: { folders: [{ ...blocks, wrongBlock: 1 }], files: halves }, members: ["a=measured", "b=measured"] },
  { title: "a wrong checksum of the last block", archive: { folders: [{ ...blocks, wrongBlock: 3 }], files: halves }, members: ["a=ok", "b=measured"] },
  { title: "a damaged block", archive: { folders: [{ data: long, damagedBlock: 2 }], files: halves }, members: ["a=ok", "b=measured"] },
  { title: "files that overlap", archive: { folders: [short], files: [a, { ...b, offset: 3, bytes: 6 }] }, members: ["a=ok", "b=ok"], anomalies: ["overlap"] },
  { title: "files out of order", archive: { folders: [short], files: [b, a] }, members: ["b=ok", "a=ok"], anomalies: ["unordered_offsets"] },
  { title: "plain bytes that no file has", archive: { folders: [short], files: [a] }, members: ["a=ok"], anomalies: ["gap"] },
  { title: "bytes that nothing claims", archive: { folders: [short], files: [a, b], gap: Buffer.from("hidden") }, members: ["a=ok", "b=ok"], anomalies: ["gap"] },
  { title: "something before the cabinet", archive: { folders: [short], files: [a, b], prefix: Buffer.from("program") }, members: ["a=ok", "b=ok"], anomalies: ["prefix_data"], parts: ["data before the cabinet"] },
  { title: "something behind the cabinet", archive: { folders: [short], files: [a, b], trailing: Buffer.from("more") }, members: ["a=ok", "b=ok"], anomalies: ["trailing_data"] },
  { title: "a signature behind the cabinet", archive: signed(), members: ["a=ok", "b=ok"], parts: ["reserved area of the cabinet", "Authenticode signature"] },
  { title: "reserved areas everywhere", archive: { folders: [short], files: [a, b], reserve: { header: Buffer.alloc(7), folder: 5, data: 3 } }, members: ["a=ok", "b=ok"], parts: ["reserved area of the cabinet"] },
  { title: "two folders with the same blocks", archive: { folders: [short, { ...short, dataOffset: 88 }], files: [a, b] }, members: ["a=ok", "b=ok"], anomalies: ["gap", "overlap"] },
  { title: "a folder that does not exist", archive: { folders: [short], files: [a, { ...b, folder: 9 }] }, members: ["a=ok", "b=malformed"], anomalies: ["gap"] },
  { title: "a file past the end of its folder", archive: { folders: [short], files: [a, { ...b, bytes: 99 }] }, members: ["a=ok", "b=malformed"] },
  { title: "a file that goes on in the next cabinet", archive: { folders: [short], files: [a, { ...b, folder: 0xfffe }], next: "disk2.cab" }, members: ["a=ok", "b=missing_companion", "disk2.cab=missing_companion"], anomalies: ["gap"] },
  {
    title: "a file that starts in the previous cabinet",
    archive: { folders: [short], files: [{ ...a, folder: 0xfffd }, b], previous: "disk1.cab" },
    members: ["a=missing_companion", "b=missing_companion", "disk1.cab=missing_companion"],
    anomalies: ["gap"],
  },
  {
    title: "a file that goes through the whole cabinet",
    archive: { folders: [short], files: [{ ...a, folder: 0xffff }], previous: "disk1.cab", next: "disk3.cab" },
    members: ["a=missing_companion", "disk1.cab=missing_companion", "disk3.cab=missing_companion"],
  },
  {
    title: "a last block that goes on in the next cabinet",
    archive: { folders: [{ data: Buffer.concat([long.subarray(0, 32_768), Buffer.from("rest")]), goesOn: true }], files: [{ name: "a", offset: 0, bytes: 32_000 }, { name: "b", offset: 32_000, bytes: 5000 }] },
    members: ["a=ok", "b=missing_companion"],
  },
  { title: "a method that means nothing", archive: { folders: [{ ...short, methodField: 9 }], files: [a] }, members: ["a=unsupported_method"], anomalies: ["gap", "unknown_method"] },
  { title: "an LZX window that does not exist", archive: { folders: [{ ...short, methodField: 3 | (9 << 8) }], files: [a, b] }, members: ["a=malformed", "b=malformed"] },
  { title: "a Quantum window that does not exist", archive: { folders: [{ ...short, methodField: 2 | (31 << 8) }], files: [a, b] }, members: ["a=malformed", "b=malformed"] },
  { title: "MSZIP data that is none", archive: { folders: [{ ...short, methodField: 1 }], files: [a, b] }, members: ["a=broken", "b=broken"] },
  { title: "LZX data that is none", archive: { folders: [{ data: Buffer.alloc(40, 0xff), methodField: 3 | (16 << 8) }], files: [{ name: "a", offset: 0, bytes: 40 }] }, members: ["a=broken"] },
  { title: "more blocks than there are", archive: { folders: [{ ...short, blockCount: 7 }], files: [a, b] }, members: ["a=ok", "b=ok"], anomalies: ["size_mismatch"], omissions: ["malformed"] },
  { title: "more folders than there are", archive: { folders: [short], files: [a, b], folderCount: 60_000 }, members: ["a=ok", "b=ok"], anomalies: ["overlap"], omissions: ["malformed", "malformed"] },
  { title: "more files than there are", archive: { folders: [short], files: [a, b], fileCount: 60_000 }, members: ["a=ok", "b=ok"], omissions: ["malformed"] },
  { title: "a size that is too large", archive: { folders: [short], files: [a, b], cabinetBytes: 5000 }, members: ["a=ok", "b=ok"], omissions: ["malformed"] },
  { title: "a size that is too small", archive: { folders: [short], files: [a, b], cabinetBytes: 40 }, members: ["a=ok", "b=ok"] },
  { title: "another version", archive: { folders: [short], files: [a, b], version: [9, 1] }, members: ["a=ok", "b=ok"], omissions: ["unsupported_format"] },
  { title: "names that lead out", archive: { folders: [short], files: [{ ...a, name: "..\\a" }, { ...b, name: "\\b" }] }, members: ["../a=ok", "/b=ok"] },
  { title: "equal names", archive: { folders: [short], files: [a, { ...b, name: "a" }] }, members: ["a=ok", "a=ok"] },
];

describe("odd cabinets", () => {
  for (const quirk of quirks) {
    test(quirk.title, async () => {
      const found = await readContainer(cab, buildCab(quirk.archive));
      expect({ members: statesOf(found), anomalies: kindsOf(found), omissions: found.omissions.map(({ reason }) => reason), parts: found.parts.map(({ part }) => part) }).toEqual({
        members: quirk.members,
        anomalies: quirk.anomalies ?? [],
        omissions: quirk.omissions ?? [],
        parts: quirk.parts ?? [],
      });
    });
  }

  test("names are UTF-8 where they say so, and Windows-1252 with a word about it where they do not", async () => {
    const files = [
      { ...a, name: "dir\\größe", attributes: 0xa0 },
      { ...b, name: Buffer.from("gr\u00f6\u00dfe", "latin1") },
      { name: Buffer.from("bad\u00ff", "latin1"), offset: 0, bytes: 0, attributes: 0xa0 },
    ];
    const found = await readContainer(cab, buildCab({ folders: [short], files }));
    expect(found.members.map(({ entry }) => [entry.name.text, entry.name.stored, entry.limitations.length])).toEqual([
      ["dir/größe", "dir\\größe", 0],
      ["größe", undefined, 1],
      [undefined, undefined, 0],
    ]);
  });

  test("a file behind more bytes than the walk may read is named and not reached", async () => {
    const found = await readContainer(cab, buildCab({ folders: [blocks], files: halves }), { maximum: 1000, limits: { maxTotalBytes: 10_000 } });
    expect(found.members.map(({ state }) => state)).toEqual(["maximum", "maximum"]);
    const backwards = await readContainer(cab, buildCab({ folders: [blocks], files: [...halves, ...halves] }), { maximum: 1000, limits: { maxTotalBytes: 10_000 } });
    expect(backwards.members.map(({ state }) => state)).toEqual(["maximum", "maximum", "maximum", "limit"]);
  });
});
