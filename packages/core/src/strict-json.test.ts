import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { refusalOf } from "../test/refusal.js";
import { canonicalJson } from "./canonical-json.js";
import { parseStrictJson, StrictJsonParser, type StrictJsonOptions } from "./strict-json.js";

const reasonOf = (input: string | Uint8Array, options?: StrictJsonOptions): unknown =>
  refusalOf(() => parseStrictJson(input, options))["reason"];

/** JSON text without fractions, as another writer would produce it. */
const foreignText = fc
  .json()
  .map((text) => JSON.stringify(JSON.parse(text), (_, value: unknown) => (typeof value === "number" ? Math.trunc(value) : value)))
  .filter((text) => !/\d{16}|e\+|\\ud[89a-f]/i.test(text));

describe("parseStrictJson", () => {
  test("reads every JSON text that holds integers only, spaced or not", () => {
    fc.assert(
      fc.property(foreignText, fc.constantFrom(0, 2, "\t"), (text, space) => {
        const value: unknown = JSON.parse(text);
        expect(parseStrictJson(JSON.stringify(value, null, space))).toEqual(value);
      }),
    );
  });

  test("gives the same value however the bytes are cut", () => {
    fc.assert(
      fc.property(foreignText, fc.array(fc.nat({ max: 5 }), { minLength: 1 }), (text, cuts) => {
        const parser = new StrictJsonParser();
        const reused = Buffer.alloc(8);
        const bytes = Buffer.from(text);
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const length = 1 + (cuts[turn % cuts.length] ?? 0);
          const copied = bytes.copy(reused, 0, at, at + length);
          parser.write(reused.subarray(0, copied));
          reused.fill(0x22);
          at += length;
        }
        expect(parser.end()).toEqual(JSON.parse(text));
        expect(parser.bytes).toBe(bytes.length);
      }),
    );
  });

  test("refuses or reads random bytes, and never fails otherwise", () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: fc.constantFrom(...'{}[]:,"\\u0e-1 tn') }).map((text) => Uint8Array.from(Buffer.from(text))),
    );
    fc.assert(
      fc.property(bytes, (data) => {
        let value: unknown;
        try {
          value = parseStrictJson(data);
        } catch {
          expect(reasonOf(data)).toMatch(/^(schema|bounds|duplicate_key|number_out_of_range|non_canonical_text)$/);
          return;
        }
        const plusZero = (_: string, item: unknown): unknown => (item === 0 ? 0 : item);
        expect(value).toEqual(JSON.parse(Buffer.from(data).toString(), plusZero));
      }),
      { numRuns: 2000 },
    );
  });

  test("keeps hostile keys as members", () => {
    const text = '{"__proto__":{"polluted":1},"constructor":2,"toString":3,"":4}';
    const value = parseStrictJson(text);
    expect(JSON.stringify(value)).toBe(text);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("refuses a key that comes twice, in any order and spelling", () => {
    for (const text of ['{"a":1,"a":2}', '{"b":1,"a":2,"b":3}', '{"a":1,"\\u0061":2}', '[{"__proto__":1,"__proto__":2}]']) {
      expect(reasonOf(text)).toBe("duplicate_key");
    }
  });

  test("refuses text that is not well-formed", () => {
    expect(reasonOf('"\\ud800"')).toBe("non_canonical_text");
    expect(reasonOf('{"\\udc00":1}')).toBe("non_canonical_text");
    expect(reasonOf('"\ud800"')).toBe("non_canonical_text");
    expect(reasonOf(Buffer.from([0x22, 0xc0, 0xaf, 0x22]))).toBe("non_canonical_text");
  });

  test("refuses numbers that are not safe integers", () => {
    for (const number of ["0.5", "1.0", "1e3", "9007199254740992", "9007199254740991.4", "-1e-400", "9".repeat(500)]) {
      expect(reasonOf(number)).toBe("number_out_of_range");
    }
    expect(parseStrictJson("[-0,9007199254740991]")).toEqual([0, 9007199254740991]);
  });

  test("refuses broken syntax and says where", () => {
    const broken = ["", " ", "[", "[1,]", "[,1]", "{", '{"a"}', '{"a":}', '{"a":1,}', "{1:2}", "[1 2]", "1 2", "]", "[}", '"', '"\n"'];
    for (const text of [...broken, '"\\x"', "01", "+1", "tru", "truee", "nul", ":", ",", "\ufeff1", "1]", '{"a":1]', "9".repeat(3000)]) {
      expect(refusalOf(() => parseStrictJson(text))).toMatchObject({ reason: "schema", constraint: "json_syntax" });
    }
    expect(refusalOf(() => parseStrictJson("[1,2,}"))["actual"]).toBe(5);
  });

  test("bounds depth, nodes and strings without a deep stack", () => {
    const limits = (text: string, options?: StrictJsonOptions): unknown =>
      refusalOf(() => parseStrictJson(text, options))["constraint"];
    expect(parseStrictJson("[".repeat(64) + "]".repeat(64))).toHaveLength(1);
    expect(limits("[".repeat(65) + "]".repeat(65))).toBe("depth");
    expect(limits("[".repeat(10_000))).toBe("depth");
    expect(limits('{"a":'.repeat(100_000))).toBe("depth");
    const bounds = { depth: 3, nodes: 4, stringBytes: 5 };
    expect(parseStrictJson("[1,2,3]", { bounds })).toEqual([1, 2, 3]);
    expect(limits("[1,2,3,4]", { bounds })).toBe("nodes");
    expect(limits('"ééé"', { bounds })).toBe("string_bytes");
    expect(limits('{"123456":1}', { bounds })).toBe("string_bytes");
    expect(limits(`"${"\\u0061".repeat(1000)}`, { bounds })).toBe("string_bytes");
  });

  test("bounds the items of a frame one by one", () => {
    const options = { bounds: { depth: 2, nodes: 3, stringBytes: 10 }, frameDepthOf: () => 2 };
    const text = '{"list":[[1,2],[1,2],[1,2],[1,[]]],"n":0}';
    expect(parseStrictJson(text, options)).toEqual(JSON.parse(text));
    expect(reasonOf('{"list":[[1,2,3]]}', options)).toBe("bounds");
    expect(reasonOf('{"list":[[[[]]]]}', options)).toBe("bounds");
  });

  test("hands over the items of the top object's lists instead of keeping them", () => {
    const taken: unknown[] = [];
    const takeItem = (member: string, item: unknown): void => void taken.push([member, item]);
    expect(parseStrictJson('{"a":[1,[2]],"b":{"c":[3]},"d":[{}]}', { takeItem })).toEqual({ a: [], b: { c: [3] }, d: [] });
    expect(taken).toEqual([["a", 1], ["a", [2]], ["d", {}]]);
  });

  test("knows whether the text was canonical", () => {
    const canonical = (text: string): boolean => {
      const parser = new StrictJsonParser();
      parser.write(Buffer.from(text));
      parser.end();
      return parser.canonical;
    };
    fc.assert(
      fc.property(foreignText, (text) => {
        expect(canonical(text)).toBe(text === canonicalJson(JSON.parse(text)));
        expect(canonical(canonicalJson(JSON.parse(text)))).toBe(true);
      }),
    );
    for (const text of ["[1, 2]", "1\n", '{"b":1,"a":2}', '"\\u0061"', '"\\u001F"', '"\\/"', "-0"]) {
      expect(canonical(text)).toBe(false);
    }
    expect(canonical('{"\\n\\u001f\\"\\\\":"😀"}')).toBe(true);
  });
});
