import { describe, expect, test } from "vitest";
import { ole } from "../../src/formats/ole/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { mixedText } from "../zip/programs.js";
import { buildOle, type BuiltOle } from "./build-ole.js";

interface Quirk {
  readonly title: string;
  readonly archive: BuiltOle;
  readonly members: readonly string[];
  readonly anomalies?: readonly string[];
  readonly omissions?: readonly string[];
}

const large = mixedText(10_000);
const text = (name: string, content: string | Buffer = name): { name: string; content: Buffer } => ({ name, content: Buffer.from(content) });
const plain: BuiltOle = { members: [text("a"), text("b", large), { name: "dir", members: [text("c"), { name: "sub", members: [text("d", large)] }] }] };
const plainMembers = ["a=ok", "b=ok", "dir=none", "dir/c=ok", "dir/sub=none", "dir/sub/d=ok"];
// The streams of `plain`: b in sectors 0 to 19, dir/sub/d in 20 to 39, small sectors and tables behind them.

const quirks: readonly Quirk[] = [
  { title: "storages, small and large streams", archive: plain, members: plainMembers },
  { title: "version 4", archive: { ...plain, version: 4 }, members: plainMembers },
  { title: "no members", archive: { members: [] }, members: [] },
  { title: "an empty stream", archive: { members: [text("e", ""), text("a")] }, members: ["a=ok", "e=ok"] },
  { title: "bytes behind the ends of streams", archive: { ...plain, slack: 0x41 }, members: plainMembers, anomalies: ["gap"] },
  { title: "a free sector that is not empty", archive: { ...plain, extra: [[Buffer.from("deleted"), 0xffffffff]] }, members: plainMembers, anomalies: ["gap"] },
  { title: "a free sector that is empty", archive: { ...plain, extra: [[Buffer.alloc(1), 0xffffffff]] }, members: plainMembers },
  { title: "a used sector that belongs to nobody", archive: { ...plain, extra: [[Buffer.from("lost"), 0xfffffffe]] }, members: plainMembers, anomalies: ["gap"] },
  { title: "an entry that nothing leads to", archive: { members: [text("a"), text("b"), text("c")], patchEntries: [[2, 72, 0xffffffff]] }, members: ["a=ok", "b=ok", "c=ok"], anomalies: ["orphan_local_entry"] },
  { title: "siblings in a circle", archive: { members: [text("a"), text("b"), text("c")], patchEntries: [[3, 72, 2]] }, members: ["a=ok", "b=ok", "c=ok"], anomalies: ["link_cycle"] },
  { title: "a storage that holds the root", archive: { members: [{ name: "s", members: [] }], patchEntries: [[1, 76, 0]] }, members: ["s=none"], anomalies: ["link_cycle"] },
  { title: "a sibling that does not exist", archive: { members: [text("a")], patchEntries: [[1, 68, 77]] }, members: ["a=ok"], omissions: ["malformed"] },
  { title: "siblings out of order", archive: { members: [text("b"), text("a")], unsorted: true }, members: ["b=ok", "a=ok"], anomalies: ["ambiguous_header"] },
  { title: "an entry of an unknown type", archive: { members: [text("a")], patchEntries: [[1, 64, 0x00090004]] }, members: ["a=none"] },
  { title: "a stream in a circle", archive: { members: [{ ...text("b", large), declared: 10_000_000 }], patchTable: [[19, 0]] }, members: ["b=broken"], anomalies: ["overlap"] },
  { title: "a stream that leads out of the file", archive: { members: [text("b", large)], patchTable: [[5, 0x00ffffff]] }, members: ["b=broken"], anomalies: ["gap"] },
  { title: "a stream whose chain is too short", archive: { members: [text("b", large)], patchTable: [[5, 0xfffffffe]] }, members: ["b=broken"], anomalies: ["gap"] },
  { title: "a stream whose chain is too long", archive: { members: [{ ...text("b", large), declared: 5000 }] }, members: ["b=ok"], anomalies: ["gap", "size_mismatch"] },
  { title: "two streams with the same sectors", archive: { members: [text("a", large), { ...text("b", large), start: 0 }] }, members: ["a=ok", "b=ok"], anomalies: ["overlap"] },
  { title: "a size of many gigabytes", archive: { members: [{ ...text("b", large), declared: 0xf0000000 }] }, members: ["b=broken"] },
  { title: "a size beyond 2^53", archive: { version: 4, members: [text("b", large)], patchEntries: [[1, 124, 0xffffffff]] }, members: ["b=broken"] },
  { title: "the upper half of sizes in version 3", archive: { members: [text("b", large)], patchEntries: [[1, 124, 0xffffffff]] }, members: ["b=ok"] },
  { title: "a small stream outside the small sectors", archive: { members: [{ ...text("a"), start: 500 }] }, members: ["a=broken"] },
  { title: "a table longer than the header says", archive: { ...plain, patchHeader: [[44, 9]] }, members: plainMembers, anomalies: ["entry_count_mismatch"] },
  { title: "a directory longer than the header says", archive: { ...plain, version: 4, patchHeader: [[40, 9]] }, members: plainMembers, anomalies: ["entry_count_mismatch"] },
  { title: "a table that lies outside the file", archive: { ...plain, patchHeader: [[76, 0x00ffffff]] }, members: ["a=ok", "b=broken", "dir=none"], anomalies: ["gap"], omissions: ["malformed", "malformed", "malformed"] },
  { title: "a directory that lies outside the file", archive: { ...plain, patchHeader: [[48, 0x00ffffff]] }, members: [], omissions: ["malformed", "malformed"] },
  { title: "sectors of another size than the version has", archive: { ...plain, patchHeader: [[30, 0x0006000a]] }, members: [], anomalies: ["ambiguous_header"], omissions: ["malformed", "malformed", "malformed"] },
  { title: "sectors of 2^40 bytes", archive: { ...plain, patchHeader: [[30, 0x00060028]] }, members: [], omissions: ["malformed"] },
  { title: "a byte order that there is not", archive: { ...plain, patchHeader: [[28, 0x0009feff]] }, members: plainMembers, anomalies: ["ambiguous_header"] },
];

describe("odd compound files", () => {
  for (const quirk of quirks) {
    test(quirk.title, async () => {
      const found = await readContainer(ole, buildOle(quirk.archive));
      expect({ members: statesOf(found), anomalies: kindsOf(found), omissions: found.omissions.map(({ reason }) => reason) }).toEqual({
        members: quirk.members,
        anomalies: quirk.anomalies ?? [],
        omissions: quirk.omissions ?? [],
      });
    });
  }

  test("contents are those that were packed, and can be read anywhere", async () => {
    const found = await readContainer(ole, buildOle(plain));
    expect(found.members.find(({ name }) => name === "dir/sub/d")?.bytes?.equals(large)).toBe(true);
    const { content } = found.members.find(({ name }) => name === "b")?.entry ?? {};
    const source = content !== null && content !== undefined && "random" in content ? content.random?.() : undefined;
    expect(Buffer.from(source?.read(1000, 3000) ?? []).equals(large.subarray(1000, 4000))).toBe(true);
  });

  test("a file of many megabytes has its table in lists behind the header's", async () => {
    const content = Buffer.alloc(8_000_000, "0123456789abcdef");
    const found = await readContainer(ole, buildOle({ members: [text("big", content), text("a")] }));
    expect([statesOf(found), kindsOf(found), found.omissions]).toEqual([["a=ok", "big=ok"], [], []]);
    expect(found.members[1]?.bytes?.equals(content)).toBe(true);
  });

  test("a list of the table's sectors that leads back to itself ends", async () => {
    const bytes = buildOle({ members: [text("big", Buffer.alloc(8_000_000))] });
    const list = bytes.readUInt32LE(68);
    bytes.writeUInt32LE(list, (list + 2) * 512 - 4);
    bytes.writeUInt32LE(0xffffffff, (list + 1) * 512);
    const found = await readContainer(ole, bytes);
    expect(found.omissions.map(({ reason }) => reason)).toContain("malformed");
  });

  test("storages nested a thousand deep are entered as far as is said", async () => {
    let members: BuiltOle["members"] = [text("deep")];
    for (let level = 0; level < 1000; level += 1) members = [{ name: "s", members }];
    const found = await readContainer(ole, buildOle({ members }));
    expect(found.members.filter(({ name }) => name.startsWith("s/") || name === "s").length).toBeGreaterThan(200);
    expect(found.omissions.map(({ reason }) => reason)).toEqual(["limit_depth"]);
  });

  test("names of an installer are unpacked, and those of other files are not", async () => {
    const members = [text("\u4840\u3f7f\u4164\u422f\u4836"), text("\u0005SummaryInformation")];
    const installer = await readContainer(ole, buildOle({ members, classId: "84100c0000000000c000000000000046" }));
    expect(installer.members.map(({ entry }) => [entry.name.text, entry.name.stored])).toEqual([
      ["!_Tables", "\u4840\u3f7f\u4164\u422f\u4836"],
      ["\u0005SummaryInformation", undefined],
    ]);
    const other = await readContainer(ole, buildOle({ members }));
    expect(other.members.map(({ entry }) => entry.name.stored)).toEqual([undefined, undefined]);
  });
});
