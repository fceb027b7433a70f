import { jsonValue, type JsonValue } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pageOfWhole } from "./page-of-whole.js";

const whole: JsonValue = {
  items: Array.from({ length: 120 }, (_, index) => ({ index })),
  "a/b~c": "text",
  large: { inside: "x".repeat(9_000) },
  nothing: null,
  flag: false,
};
const first = { pointer: "", offset: 0, limit: 50 };

describe("a page of a retained whole", () => {
  test("lists the sections by name, large ones by what they are", () => {
    const page = pageOfWhole(whole, first);
    expect([page.kind, page.total, page.next_offset]).toEqual(["object", 5, null]);
    expect(page.rows.map(({ pointer }) => pointer)).toEqual(["/a~1b~0c", "/flag", "/items", "/large", "/nothing"]);
    expect(page.rows[3]).toEqual({ pointer: "/large", value: null, left_out: { kind: "object", total: 1, bytes: 9_013 } });
    expect(pageOfWhole(whole, { ...first, pointer: "/a~1b~0c" })).toMatchObject({ kind: "string", text: "text", total: 4, next_offset: null });
  });

  test("goes through a list to its end", () => {
    expect(pageOfWhole(whole, { pointer: "/items", offset: 100, limit: 50 })).toMatchObject({ kind: "array", total: 120, next_offset: null });
    expect(pageOfWhole(whole, { ...first, pointer: "/items" })).toMatchObject({ next_offset: 50 });
    expect(pageOfWhole(whole, { ...first, pointer: "/items/7" }).rows).toEqual([{ pointer: "/items/7/index", value: 7, left_out: null }]);
    expect(pageOfWhole(whole, { pointer: "/items", offset: 500, limit: 50 })).toMatchObject({ rows: [], next_offset: null });
  });

  test("gives long text in pieces that together are the text, no pair of a surrogate cut", () => {
    const text = `${"a".repeat(16_383)}\u{1f600}${"b".repeat(20_000)}`;
    let seen = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const page = pageOfWhole({ text }, { pointer: "/text", offset, limit: 1 });
      expect(page.text).not.toMatch(/[\ud800-\udbff]$/u);
      seen += page.text ?? "";
      offset = page.next_offset;
    }
    expect(seen).toBe(text);
  });

  test.each(["items", "/missing", "/items/120", "/items/-1", "/items/01", "/items/length", "/__proto__", "/toString", "/flag/x", "/a~1b~0c/0"])("refuses the pointer %s, which finds nothing", (pointer) => {
    expect(() => pageOfWhole(whole, { ...first, pointer })).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  test("never is large, and its pages concatenate to the whole", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 9_000, size: "max" }), { maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (list, limit) => {
        const seen: JsonValue[] = [];
        for (let offset: number | null = 0; offset !== null; ) {
          const page = pageOfWhole(list, { pointer: "", offset, limit });
          expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(64 * 1024);
          for (const row of page.rows) seen.push(row.left_out === null ? row.value : pageOfWhole(list, { ...first, pointer: row.pointer }).text);
          offset = page.next_offset;
        }
        expect(jsonValue.parse(seen)).toEqual(list);
      }),
      { numRuns: 50 },
    );
  });
});
