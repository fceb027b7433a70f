import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sevenZip } from "../../src/formats/sevenzip/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { buildSevenZip, number, type BuiltArchive } from "./build-sevenzip.js";

interface Quirk {
  readonly title: string;
  readonly archive: BuiltArchive;
  readonly members: readonly string[];
  readonly anomalies?: readonly string[];
  readonly omissions?: readonly string[];
}

const ab = { contents: ["alpha", "beta"] };
const twoFiles = [{ name: "a" }, { name: "b" }];
const one = { contents: ["alpha"] };
const deflated = deflateRawSync("alpha");
const lzmaProperties = Buffer.from("5d00001000", "hex");
const hugeDictionary = Buffer.from("5dffffffff", "hex");

const quirks: readonly Quirk[] = [
  { title: "a solid folder", archive: { folders: [ab], files: twoFiles }, members: ["a=ok", "b=ok"] },
  { title: "a folder for each member", archive: { folders: [one, { contents: ["beta"] }], files: twoFiles }, members: ["a=ok", "b=ok"] },
  { title: "no members", archive: { files: [] }, members: [] },
  {
    title: "directories, empty files and deletions",
    archive: {
      folders: [one],
      files: [{ name: "d", empty: "directory" }, { name: "a" }, { name: "e", empty: "file" }, { name: "gone", empty: "anti" }],
    },
    members: ["d=none", "a=ok", "e=ok", "gone=none"],
  },
  { title: "a CRC of the folder besides those of members", archive: { folders: [{ ...ab, crc: crc32("alphabeta") }], files: twoFiles }, members: ["a=ok", "b=ok"] },
  { title: "a wrong CRC of the folder", archive: { folders: [{ ...ab, crc: 1 }], files: twoFiles }, members: ["a=ok", "b=ok"], anomalies: ["crc_mismatch"] },
  { title: "a wrong CRC of a member", archive: { folders: [{ ...ab, crcs: [1, crc32("beta")] }], files: twoFiles }, members: ["a=crc32", "b=ok"] },
  { title: "right CRCs of packed streams", archive: { folders: [ab], files: twoFiles, packCrcs: [crc32("alphabeta")] }, members: ["a=ok", "b=ok"] },
  { title: "a wrong CRC of a packed stream", archive: { folders: [ab], files: twoFiles, packCrcs: [7] }, members: ["a=ok", "b=ok"], anomalies: ["crc_mismatch"] },
  { title: "a packed list of members", archive: { folders: [ab], files: twoFiles, layers: 1 }, members: ["a=ok", "b=ok"] },
  { title: "a list packed three times", archive: { folders: [ab], files: twoFiles, layers: 3 }, members: ["a=ok", "b=ok"] },
  { title: "a list packed nine times", archive: { folders: [ab], files: twoFiles, layers: 9 }, members: [], omissions: ["malformed"] },
  { title: "a first header whose checksum is wrong", archive: { folders: [one], files: [{ name: "a" }], startCrc: 5 }, members: ["a=ok"], anomalies: ["bad_checksum_header"] },
  { title: "a list whose checksum is wrong", archive: { folders: [one], files: [{ name: "a" }], listCrc: 5 }, members: ["a=ok"], anomalies: ["bad_checksum_header"] },
  { title: "something before the archive", archive: { folders: [one], files: [{ name: "a" }], prefix: Buffer.from("#!program\n7z\xbc\xaf") }, members: ["a=ok"], anomalies: ["prefix_data"] },
  { title: "something behind the archive", archive: { folders: [one], files: [{ name: "a" }], trailing: Buffer.from("more") }, members: ["a=ok"], anomalies: ["trailing_data"] },
  { title: "bytes that nothing claims", archive: { folders: [one], files: [{ name: "a" }], gap: Buffer.from("hidden") }, members: ["a=ok"], anomalies: ["gap"] },
  {
    title: "packed data that is the list itself",
    archive: { folders: [{ contents: ["x".repeat(9)], crcs: [0] }], files: [{ name: "a" }], packOffset: 8 },
    members: ["a=crc32"],
    anomalies: ["gap", "overlap"],
  },
  { title: "an unknown major version", archive: { folders: [one], files: [{ name: "a" }], major: 9 }, members: ["a=ok"], omissions: ["unsupported_format"] },
  { title: "bytes behind the end of the list", archive: { folders: [one], files: [{ name: "a" }], listTail: Buffer.from("tail") }, members: ["a=ok"], anomalies: ["header_size_mismatch"] },
  { title: "a property of a kind nobody knows", archive: { folders: [one], files: [{ name: "a" }], extraProperty: Buffer.from([77, 2, 1, 1]) }, members: ["a=ok"] },
  { title: "a property that reaches past the list", archive: { folders: [one], files: [{ name: "a" }], extraProperty: Buffer.from([77, 99]) }, members: [], omissions: ["malformed"] },
  {
    title: "more members than contents",
    archive: { folders: [one], files: twoFiles },
    members: ["a=ok", "b=malformed"],
    anomalies: ["entry_count_mismatch"],
  },
  {
    title: "more contents than members",
    archive: { folders: [ab], files: [{ name: "a" }] },
    members: ["a=ok"],
    anomalies: ["entry_count_mismatch"],
    omissions: ["malformed"],
  },
  { title: "a claim of 2^40 members", archive: { folders: [one], files: [{ name: "a" }], fileCount: 2 ** 40 }, members: [], omissions: ["malformed"] },
  { title: "contents larger than their folder", archive: { folders: [{ ...ab, declared: [99, 4] }], files: twoFiles }, members: [], omissions: ["malformed"] },
  { title: "an encrypted folder", archive: { folders: [{ ...one, coders: [{ id: "06f10701", properties: Buffer.from("13", "hex") }] }], files: [{ name: "a" }] }, members: ["a=encrypted"] },
  { title: "a known method that is not decoded", archive: { folders: [{ ...one, coders: [{ id: "04f71102" }] }], files: [{ name: "a" }] }, members: ["a=unsupported_method"] },
  {
    title: "a method that means nothing",
    archive: { folders: [{ ...one, coders: [{ id: "0badc0de" }] }], files: [{ name: "a" }] },
    members: ["a=unsupported_method"],
    anomalies: ["unknown_method"],
  },
  {
    title: "a dictionary of 4 GiB for 4 GiB of data",
    archive: { folders: [{ contents: ["alpha"], coders: [{ id: "030101", properties: hugeDictionary }], sizes: [2 ** 32 - 1] }], files: [{ name: "a" }] },
    members: ["a=limit"],
  },
  {
    title: "a PPMd model of 4 GiB",
    archive: { folders: [{ ...one, coders: [{ id: "030401", properties: Buffer.from("06ffffffff", "hex") }] }], files: [{ name: "a" }] },
    members: ["a=limit"],
  },
  {
    title: "a PPMd order that does not exist",
    archive: { folders: [{ ...one, coders: [{ id: "030401", properties: Buffer.from("ff00000100", "hex") }] }], files: [{ name: "a" }] },
    members: ["a=malformed"],
  },
  { title: "LZMA data that is none", archive: { folders: [{ ...one, coders: [{ id: "030101", properties: lzmaProperties }] }], files: [{ name: "a" }] }, members: ["a=broken"] },
  { title: "LZMA without properties", archive: { folders: [{ ...one, coders: [{ id: "030101" }] }], files: [{ name: "a" }] }, members: ["a=malformed"] },
  { title: "deflated data", archive: { folders: [{ ...one, coders: [{ id: "040108" }], packs: [deflated] }], files: [{ name: "a" }] }, members: ["a=ok"] },
  {
    title: "bytes behind the end of deflated data",
    archive: { folders: [{ ...one, coders: [{ id: "040108" }], packs: [Buffer.concat([deflated, Buffer.from("hidden")])] }], files: [{ name: "a" }] },
    members: ["a=ok"],
    anomalies: ["header_size_mismatch"],
  },
  {
    title: "data that gives more than the folder declares",
    archive: { folders: [{ ...one, packs: [Buffer.from("alphabet")] }], files: [{ name: "a" }] },
    members: ["a=ok"],
    anomalies: ["size_mismatch"],
  },
  { title: "data that gives less than the folder declares", archive: { folders: [{ ...one, packs: [Buffer.from("alp")] }], files: [{ name: "a" }] }, members: ["a=broken"] },
  {
    title: "coders in a row",
    archive: { folders: [{ ...one, coders: [{ id: "00" }, { id: "040108" }], bonds: [[0, 1]], packs: [deflated] }], files: [{ name: "a" }] },
    members: ["a=ok"],
  },
  {
    title: "coders in a circle",
    archive: { folders: [{ ...one, coders: [{ id: "00" }, { id: "00" }, { id: "00" }], bonds: [[0, 1], [1, 0]], sizes: [5, 5, 5] }], files: [{ name: "a" }] },
    members: ["a=malformed"],
  },
  { title: "a coder bound to a stream that does not exist", archive: { folders: [{ ...one, coders: [{ id: "00" }, { id: "00" }], bonds: [[0, 9]] }], files: [{ name: "a" }] }, members: [], omissions: ["malformed"] },
  { title: "Copy with two inputs", archive: { folders: [{ ...one, coders: [{ id: "00", inputs: 2 }], packed: [0, 1], packs: [Buffer.from("al"), Buffer.from("pha")] }], files: [{ name: "a" }] }, members: ["a=malformed"] },
  {
    title: "BCJ2 whose choices end too early",
    archive: {
      folders: [{ contents: ["\u00e8\u0000\u0000\u0000\u0000"], coders: [{ id: "0303011b", inputs: 4, outputs: 1 }], packed: [0, 1, 2, 3], packs: [Buffer.from([0xe8, 0, 0, 0]), Buffer.alloc(4), Buffer.alloc(0), Buffer.alloc(3)] }],
      files: [{ name: "a" }],
    },
    members: ["a=broken"],
  },
  { title: "a packed stream past the end", archive: { folders: [one], files: [{ name: "a" }], packOffset: 5000 }, members: ["a=malformed"], anomalies: ["gap"] },
  { title: "equal names", archive: { folders: [ab], files: [{ name: "a" }, { name: "a" }] }, members: ["a=ok", "a=ok"] },
  { title: "names that lead out", archive: { folders: [ab], files: [{ name: "../a" }, { name: "C:\\b" }] }, members: ["../a=ok", "C:\\b=ok"] },
  { title: "a list that is no list", archive: { files: [], list: Buffer.from([99, 1, 2, 3]) }, members: [], omissions: ["malformed"] },
  { title: "a list of one lone mark", archive: { files: [], list: Buffer.from([1]) }, members: [], omissions: ["malformed"] },
  { title: "folders without number", archive: { files: [], list: Buffer.concat([Buffer.from([1, 4, 6, 0, 1, 9, 5, 0, 7, 11]), number(2 ** 50), Buffer.from([0])]) }, members: [], omissions: ["malformed"] },
];

describe("odd 7z archives", () => {
  for (const quirk of quirks) {
    test(quirk.title, async () => {
      const found = await readContainer(sevenZip, buildSevenZip(quirk.archive));
      expect({ members: statesOf(found), anomalies: kindsOf(found), omissions: found.omissions.map(({ reason }) => reason) }).toEqual({
        members: quirk.members,
        anomalies: quirk.anomalies ?? [],
        omissions: quirk.omissions ?? [],
      });
    });
  }

  test("modes and links are read from the attributes", async () => {
    const unix = (mode: number): number => ((mode << 16) | 0x8000) >>> 0;
    const found = await readContainer(
      sevenZip,
      buildSevenZip({
        folders: [{ contents: ["alpha", "a", "data"] }],
        files: [
          { name: "a", attributes: unix(0o100755) },
          { name: "l", attributes: unix(0o120777) },
          { name: "r", attributes: 0x420 },
          { name: "d", attributes: 0x10, empty: "directory" },
          { name: "p", attributes: unix(0o010644), empty: "file" },
        ],
      }),
    );
    expect(found.members.map(({ entry }) => [entry.kind, entry.executable])).toEqual([
      ["file", true],
      ["symlink", null],
      ["file", null],
      ["directory", null],
      ["special", null],
    ]);
    expect(found.members.map(({ entry }) => (entry.linkTarget === null ? "" : Buffer.from(entry.linkTarget).toString()))).toEqual(["", "a", "", "", ""]);
    expect(found.members[2]?.entry.limitations.join()).toContain("reparse point");
  });

  test("a name with half a surrogate pair is no text", async () => {
    const found = await readContainer(sevenZip, buildSevenZip({ folders: [one], files: [{ name: "a\ud800" }] }));
    expect(found.members.map(({ entry, state }) => [entry.name.text, state])).toEqual([[undefined, "ok"]]);
  });

  test("an interrupted archive without a list is named", async () => {
    const found = await readContainer(sevenZip, Buffer.concat([Buffer.from("377abcaf271c0004", "hex"), Buffer.alloc(24), Buffer.from("packed data")]));
    expect([kindsOf(found), found.omissions.map(({ reason }) => reason)]).toEqual([["bad_checksum_header", "missing_end_marker"], ["malformed"]]);
  });
});
