import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonShape } from "./json-shape.js";

const limits = { depth: 20, nodes: 5000 };

describe("the shape of a JSON text", () => {
  it("has a place for every member and every item, with its types and no values", () => {
    expect(jsonShape('{"a":[1,"x",{"b c":null}],"__proto__":true}', limits)).toEqual({
      complete: true,
      places: [
        { path: "$", types: ["object"] },
        { path: "$.__proto__", types: ["boolean"] },
        { path: "$.a", types: ["array"] },
        { path: "$.a[]", types: ["number", "object", "string"] },
        { path: '$.a[]["b c"]', types: ["null"] },
      ],
    });
  });

  it("is cut at its limits, and says so", () => {
    expect(jsonShape('{"a":{"b":{"c":1}}}', { depth: 1, nodes: 100 })).toEqual({ complete: false, places: [{ path: "$", types: ["object"] }, { path: "$.a", types: ["object"] }] });
    expect(jsonShape("[1,2,3]", { depth: 5, nodes: 2 })?.complete).toBe(false);
    expect(jsonShape("[".repeat(50_000) + "]".repeat(50_000), limits)?.complete).toBe(false);
  });

  it("is that of any JSON and of nothing else, and holds none of its values", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const shape = jsonShape(JSON.stringify(value), limits);
        expect(shape?.places[0]?.path).toBe("$");
        expect(jsonShape(JSON.stringify(JSON.parse(JSON.stringify(value))), limits)).toEqual(shape);
      }),
    );
    for (const text of ["", "{", "undefined", "1 2"]) expect(jsonShape(text, limits)).toBeUndefined();
  });
});
