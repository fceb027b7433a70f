import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSections, type ComparedItem, type ComparedSection } from "../src/compare/compared-section.js";
import { WebNormalization } from "../src/compare/web-normalization.js";

const item: fc.Arbitrary<ComparedItem> = fc.record({
  key: fc.constantFrom("a", "b", "c", "d"),
  value: fc.record({ n: fc.integer({ min: 0, max: 2 }), t: fc.constantFrom("x", "y") }),
  proves: fc.constantFrom(true, true, true, false),
});
const section = (state: fc.Arbitrary<ComparedSection["state"]>, ordered: fc.Arbitrary<boolean> = fc.boolean()): fc.Arbitrary<ComparedSection> =>
  fc.record({ state, items: fc.array(item, { maxLength: 8 }), ordered });
const anyState = fc.constantFrom("complete" as const, "partial" as const);
const pairOf = (left: ComparedSection | null, right: ComparedSection | null) => ({ dimension: "network", stepId: null, left, right }) as const;
const compare = (left: ComparedSection | null, right: ComparedSection | null) => compareSections(pairOf(left, right));

describe("the laws of comparing a dimension", () => {
  it("mirrored sides give the mirrored finding", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean().chain((ordered) => fc.tuple(section(anyState, fc.constant(ordered)), section(anyState, fc.constant(ordered)))), (_, [left, right]) => {
        const [there, back] = [compare(left, right), compare(right, left)];
        expect(back.dimension).toEqual({
          ...there.dimension,
          left_items: there.dimension.right_items,
          right_items: there.dimension.left_items,
          added: there.dimension.removed,
          removed: there.dimension.added,
          left_sha256: there.dimension.right_sha256,
          right_sha256: there.dimension.left_sha256,
        });
        const mirrored = there.changes.map((change) => ({
          ...change,
          change: change.change === "added" ? "removed" : change.change === "removed" ? "added" : change.change,
          left: change.right,
          right: change.left,
        }));
        expect(back.changes).toEqual(mirrored);
      }),
      { numRuns: 300 },
    );
  });

  it("a complete section equals itself, whatever the order of a set; a partial one is unknown, and nothing is a change", () => {
    fc.assert(
      fc.property(section(anyState), (found) => {
        const { dimension, changes } = compare(found, found);
        const proved = found.items.every(({ proves }) => proves !== false);
        expect(dimension.status).toBe(found.state === "complete" && proved ? "unchanged" : "unknown");
        expect(changes.every(({ change }) => change === "unknown")).toBe(true);
        expect(dimension.left_sha256).toBe(dimension.right_sha256);
        const shuffled = { ...found, ordered: false, items: [...found.items].reverse() };
        expect(compare({ ...found, ordered: false }, shuffled).dimension.status).toBe(dimension.status);
      }),
      { numRuns: 200 },
    );
  });

  it("what a partial side lacks is unknown and never added or removed; unequal complete ones are changed", () => {
    fc.assert(
      fc.property(section(fc.constant("partial" as const)), section(fc.constant("complete" as const)), (partial, complete) => {
        const { dimension } = compare(partial, complete);
        // What the partial side has and the complete one has not is gone; the other way round nobody knows.
        expect(dimension.added).toBe(0);
        expect(dimension.status).not.toBe("unchanged");
        const whole = compare({ ...partial, state: "complete" }, complete).dimension;
        const same = whole.left_sha256 === whole.right_sha256 || !partial.ordered;
        if (whole.added + whole.removed + whole.changed === 0 && same) expect(["unchanged", "unknown"]).toContain(whole.status);
        else expect(whole.status).toBe("changed");
      }),
      { numRuns: 300 },
    );
  });

  it("what was not captured is unknown, on one side or on both", () => {
    const some: ComparedSection = { state: "complete", items: [{ key: "a", value: { n: 1 } }], ordered: false };
    expect(compare(null, null).dimension).toMatchObject({ status: "unknown", reason: "not_captured" });
    expect(compare(some, null).dimension).toMatchObject({ status: "unknown", reason: "captured_on_one_side", added: 0, removed: 0 });
  });

  it("another order of the same things is a change where order counts", () => {
    const items = [{ key: "a", value: { n: 1 } }, { key: "b", value: { n: 1 } }];
    const [left, right]: ComparedSection[] = [{ state: "complete", items, ordered: true }, { state: "complete", items: [...items].reverse(), ordered: true }];
    expect(compare(left ?? null, right ?? null)).toMatchObject({ dimension: { status: "changed", changed: 1 }, changes: [{ change: "reordered", place: "position 0" }] });
  });
});

describe("normalisation", () => {
  it("does not depend on the order in which its rules are given, and commits to them", () => {
    const rules = [
      { kind: "url", literal: ":8080", replacement: ":PORT" },
      { kind: "url", literal: ":80", replacement: ":P" },
      { kind: "dom", literal: "abc", replacement: "" },
    ] as const;
    const [there, back] = [new WebNormalization(rules, "x"), new WebNormalization([...rules].reverse(), "x")];
    expect(there.sha256).toBe(back.sha256);
    expect(there.apply("url", "http://h:8080/ :80")).toBe("http://h:PORT/ :P");
    expect(back.apply("url", "http://h:8080/ :80")).toBe("http://h:PORT/ :P");
    expect(there.apply("dom", "abc:80")).toBe(":80");
  });

  it("takes replacements as they are, and refuses two for one literal", () => {
    expect(new WebNormalization([{ kind: "url", literal: "a", replacement: "$&" }], "x").apply("url", "a")).toBe("$&");
    const twice = [{ kind: "url", literal: "a", replacement: "b" }, { kind: "url", literal: "a", replacement: "c" }] as const;
    expect(() => new WebNormalization(twice, "x")).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
