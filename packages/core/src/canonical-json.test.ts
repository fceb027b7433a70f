import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { refusalOf } from "../test/refusal.js";
import { canonicalChunks, canonicalDigestOfWhole, canonicalJson, canonicalSha256 } from "./canonical-json.js";
import { sha256Hex } from "./digest.js";

const text = fc.string({ unit: "grapheme" });
const { value: jsonData } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toString", "", "0", "7", "10", "007", "4294967295", "-1")), tie("value"), { maxKeys: 6 }),
  ),
}));

/** A second, deliberately different writer: sorts keys by their UTF-16BE bytes and builds the text with a replacer. */
function independentCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(independentCanonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const key = (name: string): Buffer => Buffer.from(name, "utf16le").swap16();
  const members = Object.entries(value).sort(([a], [b]) => Buffer.compare(key(a), key(b)));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${independentCanonical(member)}`).join()}}`;
}

describe("canonicalJson", () => {
  test("orders keys by UTF-16 code unit and keeps a member named __proto__", () => {
    const value: unknown = JSON.parse('{"\ufb01":1,"\u{1f600}":2,"a":3,"__proto__":4}');
    expect(canonicalJson(value)).toBe('{"__proto__":4,"a":3,"\u{1f600}":2,"\ufb01":1}');
    expect(canonicalSha256(value)).toBe("9c4ad985e18d28bd0d336b1f20952f99e522ca3901853cec35c3f3e869f508ee");
  });

  test("agrees with an independent writer and survives a round trip", () => {
    fc.assert(
      fc.property(jsonData, (value) => {
        const canonical = canonicalJson(value);
        expect(canonical).toBe(independentCanonical(value));
        expect(canonicalJson(JSON.parse(canonical))).toBe(canonical);
      }),
    );
  });

  test("escapes exactly what RFC 8785 escapes", () => {
    expect(canonicalJson('\u0000\b\t\n\f\r\u001f"\\/\u007f\u2028é')).toBe(
      '"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\u007f\u2028é"',
    );
  });

  test("writes -0 as 0 and refuses every number that is not a safe integer", () => {
    expect(canonicalJson([-0, 9007199254740991])).toBe("[0,9007199254740991]");
    for (const number of [0.5, Number.NaN, Infinity, 2 ** 53, -(2 ** 53)]) {
      expect(refusalOf(() => canonicalJson({ a: [number] }))["reason"]).toBe("number_out_of_range");
    }
  });

  test("refuses half of a surrogate pair in a value and in a key", () => {
    expect(refusalOf(() => canonicalJson("\ud800"))["reason"]).toBe("non_canonical_text");
    expect(refusalOf(() => canonicalJson({ "a\udc00": 1 }))["reason"]).toBe("non_canonical_text");
    expect(canonicalJson("\ud83d\ude00")).toBe('"😀"');
  });

  test("refuses what has no JSON form, and leaves out undefined members as JSON does", () => {
    for (const value of [undefined, 1n, () => 1, new Date(0), new Map(), [undefined], Symbol("s")]) {
      expect(refusalOf(() => canonicalJson(value))["reason"]).toBe("non_canonical");
    }
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson(Object.create(null))).toBe("{}");
  });

  test("allows 64 nested containers and refuses the 65th, 10,000 and a cycle", () => {
    const nested = (levels: number): unknown => {
      let value: unknown = [];
      for (let level = 1; level < levels; level += 1) value = [value];
      return value;
    };
    expect(canonicalJson(nested(64))).toHaveLength(128);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const value of [nested(65), nested(10_000), cycle]) {
      expect(refusalOf(() => canonicalJson(value))).toMatchObject({ reason: "bounds", constraint: "depth", expected: 64 });
    }
  });

  test("names the bound on nodes and on string bytes", () => {
    const nodes = Array.from({ length: 2_000_000 }, () => 0);
    expect(refusalOf(() => canonicalJson(nodes))["constraint"]).toBe("nodes");
    const limit = 16 * 1024 * 1024;
    expect(refusalOf(() => canonicalJson("é".repeat(limit / 2 + 1)))["constraint"]).toBe("string_bytes");
    expect(canonicalJson("é".repeat(limit / 2))).toHaveLength(limit / 2 + 2);
  });
});

describe("canonicalDigestOfWhole", () => {
  test("equals the digest of the canonical text", () => {
    fc.assert(
      fc.property(jsonData, (value) => {
        const canonical = canonicalJson(value);
        expect(canonicalDigestOfWhole(value)).toEqual({ sha256: sha256Hex(canonical), bytes: Buffer.byteLength(canonical) });
        for (const depth of [0, 1, 5]) expect([...canonicalChunks(value, depth)].join("")).toBe(canonical);
      }),
    );
  });

  test("has no bound on the number of items but keeps the bounds of each item", () => {
    const items = Array.from({ length: 2_000_001 }, () => 0);
    expect(canonicalDigestOfWhole({ items }).bytes).toBe('{"items":[]}'.length + items.length * 2 - 1);
    let deep: unknown = [];
    for (let level = 0; level < 70; level += 1) deep = [deep];
    expect(refusalOf(() => canonicalDigestOfWhole({ items: [deep] }))["constraint"]).toBe("depth");
  });
});
