import fc from "fast-check";
import { expect, test } from "vitest";
import { build, buildBinary } from "plist";
import { parseKeyPath, plistJson, propertyListSteps, readPropertyList, valueAt, type PlistValue, type PropertyList } from "@rea/binary";
import { binaryList } from "./binary-list-builder.js";

function read(bytes: Uint8Array | string): PropertyList {
  const list = readPropertyList(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  if (list === undefined) throw new Error("no property list");
  return list;
}

const json = (bytes: Uint8Array | string) => plistJson(read(bytes).root);
const problems = (list: PropertyList) => {
  plistJson(list.root);
  return list.findings.map(({ problem }) => problem);
};
const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">${body}</plist>\n`;

test("the three forms of one list give one value", () => {
  const value = { name: "Ünï ✓", list: [1, -2, true, false], nested: { empty: "" } };
  const openstep = '{ name = "Ünï ✓"; list = (1, "-2", true, false); nested = { empty = ""; }; }';
  expect(json(build(value)).value).toEqual(value);
  expect(json(Buffer.from(buildBinary(value))).value).toEqual(value);
  expect(json(openstep).value).toEqual({ ...value, list: ["1", "-2", "true", "false"] });
});

test("types that JSON lacks are told with key path and offset", () => {
  const bytes = binaryList([
    { dictionary: [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]] },
    "date", { date: 0 }, "data", { data: Buffer.from("hi") }, "a.b", { real: 1.5 }, "big", { integer: (1n << 64n) - 1n }, "uid", { uid: 7 },
  ]);
  const found = json(bytes);
  expect(found.value).toMatchObject({ date: "2001-01-01T00:00:00Z", data: { data: "aGk=", bytes: 2 }, "a.b": "1.5", big: "18446744073709551615", uid: { uid: 7 } });
  expect(found.typed.map(({ key_path, type }) => `${key_path}:${type}`)).toEqual(["date:date", "data:data", "a\\.b:real", "big:integer", "uid:uid"]);
  expect(found.typed.every(({ offset }) => offset >= 8 && offset < bytes.byteLength)).toBe(true);
});

test("negative 128-bit, NaN, infinities and dates out of range stay readable", () => {
  const bytes = binaryList([{ array: [1, 2, 3, 4] }, { integer: -(1n << 100n) }, { real: Number.NaN }, { real: Number.NEGATIVE_INFINITY }, { date: 1e300 }]);
  expect(json(bytes).value).toEqual([String(-(1n << 100n)), "NaN", "-Infinity", "1e+300 s from 2001-01-01T00:00:00Z"]);
  expect(json(xml("<array><real>nan</real><real>-INF</real><integer>0x1F</integer><date>2026-02-03T04:05:06Z</date></array>")).value).toEqual(["NaN", "-Infinity", 31, "2026-02-03T04:05:06Z"]);
});

test("the key __proto__ stays a member and a repeated key is told", () => {
  const found = json(xml("<dict><key>__proto__</key><string>a</string><key>k</key><true/><key>k</key><false/></dict>"));
  expect(Object.entries(Object(found.value))).toEqual([["__proto__", "a"], ["k", false]]);
  expect(found.duplicateKeys).toBe(1);
});

test("halves of surrogate pairs are shown, in keys too", () => {
  const bytes = binaryList([{ dictionary: [[1, 2]] }, { wide: [0xd800] }, { wide: [0x61, 0xdc00, 0x62] }]);
  expect(json(bytes).value).toEqual({ "\\u{d800}": "a\\u{dc00}b" });
});

test("a cycle of containers ends as null with an omission", () => {
  const bytes = binaryList([{ array: [1, 0] }, { array: [0, 2] }, "x"]);
  const found = json(bytes);
  expect(found.value).toEqual([[null, "x"], null]);
  expect(found.omissions).toMatchObject([{ reason: "malformed", count: 2 }]);
});

test("containers shared a million times over are bounded by what is shown", () => {
  const levels = 60;
  const objects = Array.from({ length: levels }, (_, index) => ({ array: Array.from({ length: 16 }, () => Math.min(index + 1, levels)) }));
  const found = json(binaryList([...objects, "leaf"]));
  expect(found.omissions.map(({ reason }) => reason).sort()).toEqual(["limit_depth", "limit_items"]);
});

test("a count of 2^31 objects or items takes nothing but a finding", () => {
  const bytes = Buffer.from(binaryList([{ array: [1] }, "x"]));
  const trailer = bytes.byteLength - 32;
  bytes.writeBigUInt64BE(1n << 31n, trailer + 8);
  const list = read(bytes);
  expect(plistJson(list.root).value).toEqual(["x"]);
  expect(list.objectCount).toBe(2);
  expect(problems(list)).toEqual(["truncated"]);
  const long = Buffer.concat([Buffer.from("bplist00"), Buffer.from([0xaf, 0x13]), Buffer.alloc(8, 0x7f), Buffer.from([8]), trailerOf(1, 18)]);
  expect(problems(read(long))).toContain("truncated");
});

function trailerOf(count: number, table: number): Buffer {
  const trailer = Buffer.alloc(32);
  trailer.set([1, 1], 6);
  trailer.writeBigUInt64BE(BigInt(count), 8);
  trailer.writeBigUInt64BE(BigInt(table), 24);
  return trailer;
}

test("containers that share their bytes are bounded together", () => {
  // Every byte of the run begins a dictionary that reaches over the rest of it.
  const run = 4000;
  const pieces = Buffer.alloc(8 + run * 8, 0);
  pieces.write("bplist00", 0, "latin1");
  for (let index = 0; index < run; index += 1) pieces.set([0xdf, 0x11, 0x3f, 0xff, 1, 1, 1, 1], 8 + index * 8);
  const table = Buffer.alloc((run + 2) * 4);
  for (let index = 0; index < run; index += 1) table.writeUInt32BE(8 + index * 8, index * 4);
  const trailer = trailerOf(run, pieces.byteLength);
  trailer.set([4, 1], 6);
  const list = read(Buffer.concat([pieces, table, trailer]));
  plistJson(list.root);
  expect(problems(list)).toContain("too_many_values");
});

test("100,000 nested containers are read to a depth in every text form", () => {
  const depth = 100_000;
  const asXml = read(xml(`${"<array>".repeat(depth)}${"</array>".repeat(depth)}`));
  const asText = read(`${"(".repeat(depth)}${")".repeat(depth)}`);
  const objects = Array.from({ length: depth }, (_, index) => ({ array: [Math.min(index + 1, depth - 1)] }));
  for (const list of [asXml, asText]) expect(problems(list)).toEqual(["depth"]);
  expect(json(binaryList(objects)).omissions).toMatchObject([{ reason: "limit_depth" }]);
});

test("entities a document declares are not expanded", () => {
  const bomb = `<!DOCTYPE plist [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><plist><array><string>&b;</string><string>&f;</string><string>&#65;&amp;</string></array></plist>`;
  const list = read(bomb);
  expect(plistJson(list.root).value).toEqual(["&b;", "&f;", "A&"]);
  expect(problems(list)).toEqual(expect.arrayContaining(["entity_declaration", "unknown_entity"]));
});

test("comments, CDATA, UTF-16 and character offsets of an XML list", () => {
  const body = xml("<dict><!-- <key>no</key> --><key>a</key><string><![CDATA[<&amp;>]]></string><key>ü</key><real>1</real></dict>");
  expect(json(body).value).toEqual({ a: "<&amp;>", ü: "1" });
  expect(json(body).typed[0]?.offset).toBe(Buffer.from(body).indexOf("<real>"));
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(body, "utf16le")]);
  expect(json(wide).value).toEqual({ a: "<&amp;>", ü: "1" });
  expect(read(wide).encoding).toBe("utf-16le");
});

test("strings files without braces, escapes and GNUstep values", () => {
  const text = '/* c */ "k\\"ey" = "l\\n\\U2713\\341";\n// d\nplain;\nn = <*I42>; b = <*BY>; d = <0a 0B>;';
  expect(json(text).value).toMatchObject({ 'k"ey': "l\n✓Æ", plain: "plain", n: 42, b: true, d: { data: "Cgs=" } });
});

test("what is no property list is refused, not guessed", () => {
  for (const text of ["", "hello", "hello world", "<html><body/></html>", "PK\u0003\u0004", "#!/bin/sh\necho", "int main() {}"]) {
    expect(readPropertyList(Buffer.from(text))).toBeUndefined();
  }
});

test("damage in every form is a finding with what was readable", () => {
  expect(problems(read(xml("<dict><key>a</key><string>b").slice(0, 90)))).toContain("truncated");
  const cut = read('{a = b; c = ("d", ');
  expect(plistJson(cut.root).value).toEqual({ a: "b", c: ["d"] });
  expect(problems(cut)).toContain("truncated");
  expect(problems(read(xml("<dict><string>x</string><key>a</key></dict>")))).toEqual(["missing_key", "missing_value"]);
  expect(problems(read(xml("<array><integer>9z</integer><date>x</date><data>$$</data><hmm/></array>")))).toEqual(["bad_number", "bad_date", "bad_data", "unknown_element"]);
});

test("text with more escapes than are read stays as it is, with a finding", () => {
  const many = 600_000;
  const quoted = read(`{a="${'\\"'.repeat(many)}";}`);
  const marked = read(xml(`<string>${"&amp;".repeat(many)}</string>`));
  expect([problems(quoted), problems(marked)]).toEqual([["bad_text"], ["bad_text"]]);
});

test("reading in steps comes to the same end", () => {
  const text = Buffer.from(xml(`<array>${"<integer>1</integer>".repeat(5000)}</array>`));
  const steps = propertyListSteps(text);
  let count = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      expect(step.value?.root).toMatchObject({ kind: "array", length: 5000 });
      break;
    }
    count += 1;
  }
  expect(count).toBeGreaterThan(2);
});

test("a key path leads to a part", () => {
  const { root } = read(xml("<dict><key>a.b</key><array><dict><key>c</key><integer>1</integer></dict></array></dict>"));
  const at = (path: string) => valueAt(root, parseKeyPath(path), (text) => text)?.kind;
  expect([at(""), at("a\\.b"), at("a\\.b.0.c"), at("a\\.b.1"), at("a.b"), at("a\\.b.0.c.d")]).toEqual(["dictionary", "array", "integer", undefined, undefined, undefined]);
});

const samples = [
  Buffer.from(buildBinary({ a: [1, 2.5, "x", Buffer.from("data"), new Date(0)], b: { c: "é✓" } })),
  Buffer.from(build({ a: [1, 2.5, "x", Buffer.from("data"), new Date(0)], b: { c: "é✓" } })),
  Buffer.from('{ a = (1, "two\\n", <0a0b>); /* c */ b = { c = "é"; }; }'),
];

function walk(value: PlistValue): void {
  plistJson(value, { depth: 8, values: 500, characters: 4096, dataBytes: 64, typed: 10 });
}

test("flipped, cut and random bytes never throw", () => {
  const damaged = fc.constantFrom(...samples).chain((sample) =>
    fc.record({ sample: fc.constant(sample), at: fc.nat(sample.byteLength - 1), byte: fc.nat(255), cut: fc.option(fc.nat(sample.byteLength)) }),
  );
  fc.assert(
    fc.property(damaged, ({ sample, at, byte, cut }) => {
      const bytes = Buffer.from(cut === null ? sample : sample.subarray(0, cut));
      if (at < bytes.byteLength) bytes[at] = byte;
      const list = readPropertyList(bytes);
      if (list !== undefined) walk(list.root);
    }),
    { numRuns: 400 },
  );
  fc.assert(
    fc.property(fc.constantFrom("", "bplist00", "<plist>", "{"), fc.uint8Array({ maxLength: 200 }), (start, bytes) => {
      const list = readPropertyList(Buffer.concat([Buffer.from(start), bytes]));
      if (list !== undefined) walk(list.root);
    }),
    { numRuns: 400 },
  );
});
