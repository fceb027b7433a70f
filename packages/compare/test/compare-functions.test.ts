import { functionDimensions, type FunctionComparison, type FunctionDimension } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareFunctions } from "../src/index.js";
import { cite, collection, dossierOf, otherTarget, recordOf, text, unavailable, type FunctionShape, type RecordShape } from "./dossiers.js";

const compare = (left: FunctionShape, right: FunctionShape, of: RecordShape = otherTarget) =>
  compareFunctions({ left: recordOf(dossierOf(left)), right: recordOf(dossierOf(right), of) }, cite);

function statusOf(comparison: FunctionComparison, dimension: FunctionDimension) {
  return comparison.dimensions.find((one) => one.dimension === dimension)?.status;
}

function changedIn(comparison: FunctionComparison) {
  return comparison.dimensions.filter(({ status }) => status === "changed").map(({ dimension }) => dimension);
}

/** The comparison as it would be with its sides exchanged. */
function mirrored(comparison: FunctionComparison): FunctionComparison {
  const { left_subject_sha256: left, right_subject_sha256: right, summary, dimensions, changes, cited_records } = comparison;
  const kinds = { added: "removed", removed: "added", changed: "changed" } as const;
  return {
    ...comparison,
    left_subject_sha256: right,
    right_subject_sha256: left,
    summary: { ...summary, left: summary.right, right: summary.left },
    cited_records: [...cited_records].reverse(),
    dimensions: dimensions.map((one) => ({
      ...one,
      left_digest: one.right_digest,
      right_digest: one.left_digest,
      left_count: one.right_count,
      right_count: one.left_count,
      text_delta: one.text_delta === null ? null : { ...one.text_delta, added_lines: one.text_delta.removed_lines, removed_lines: one.text_delta.added_lines },
    })),
    changes: changes.map((change) => ({ dimension: change.dimension, kind: kinds[change.kind], left: change.right, right: change.left })),
  };
}

const byText = (changes: FunctionComparison["changes"]) => changes.map((change) => JSON.stringify(change)).sort();

describe("a function compared with itself", () => {
  test("is unchanged in every dimension when the dossier is whole", () => {
    const comparison = compare({}, {}, {});
    expect(comparison.status).toBe("unchanged");
    expect(comparison.dimensions.map(({ dimension, status }) => [dimension, status])).toEqual(functionDimensions.map((one) => [one, "unchanged"]));
    expect(comparison.function_match).toBe("symbol");
  });

  test.each([
    ["pseudocode", { pseudocode: unavailable }],
    ["assembly", { assembly: text(["0x1000  nop"], true) }],
    ["calls", { callees: collection([{ address: "0x4000", name: "puts" }], 2) }],
    ["cfg", { basic_blocks: collection([{ start: "0x1000", end: "0x1001", instruction_count: 1, successors: [] }], 2) }],
  ] as const)("is unknown when %s is not whole", (dimension, dossier) => {
    const comparison = compare({ dossier }, { dossier }, {});
    expect([comparison.status, statusOf(comparison, dimension)]).toEqual(["unknown", "unknown"]);
    expect(comparison.dimensions.find((one) => one.dimension === dimension)?.conclusion_kind).toBe("unresolved_branch");
    expect(comparison.limitations.length).toBeGreaterThan(0);
  });
});

describe("a copy at another place", () => {
  test("is unchanged: nothing depends on addresses", () => {
    const comparison = compare({}, { base: 0x40_0000 });
    expect(changedIn(comparison)).toEqual([]);
    expect(comparison.status).toBe("unchanged");
  });

  test("with one other constant is changed in assembly and pseudocode, and nowhere else", () => {
    const comparison = compare({}, { base: 0x40_0000, constant: 8, pseudocode: ["int greet() {", "  puts(\"hello\", 8);", "}"] });
    expect(changedIn(comparison)).toEqual(["pseudocode", "assembly"]);
    expect(comparison.dimensions.find(({ dimension }) => dimension === "assembly")?.text_delta).toEqual({ added_lines: 1, removed_lines: 1, hunks: 1 });
    expect(comparison.changes).toContainEqual({ dimension: "assembly", kind: "added", left: null, right: "mov eax, 0x8" });
  });

  test("that calls another function is changed by the name of what it calls", () => {
    const callees = [[0x4000, "printf"]] as const;
    const comparison = compare({}, { callees, dossier: { referenced_names: collection([{ address: "0x4000", name: "printf" }]) } });
    expect(changedIn(comparison)).toEqual(expect.arrayContaining(["assembly", "calls", "strings_names"]));
    expect(comparison.changes).toContainEqual({ dimension: "calls", kind: "removed", left: "puts", right: null });
  });

  test("whose callee has only a name made from its address is not called changed by that", () => {
    const unnamed = (base: number): FunctionShape => ({
      base,
      callees: [[base + 0x3000, `sub_${(base + 0x3000).toString(16)}`]],
      dossier: { referenced_names: collection([{ address: `0x${(base + 0x3000).toString(16)}`, name: `sub_${(base + 0x3000).toString(16)}` }]) },
    });
    const comparison = compare(unnamed(0x1000), unnamed(0x9000));
    expect(comparison.status).toBe("unchanged");
    expect(comparison.limitations.some((one) => one.includes("were not compared"))).toBe(true);
  });
});

describe("names", () => {
  test("made from addresses never match; equal ones in two programs are ambiguous", () => {
    expect(compare({ name: "sub_1000" }, { name: "sub_1000" }).function_match).toBe("ambiguous");
    expect(compare({ name: "sub_1000" }, { name: "greet" }).function_match).toBe("explicit");
    expect(compare({ name: "greet" }, { name: "hello" }).function_match).toBe("explicit");
  });
});

describe("facts of other providers and profiles", () => {
  test.each([{ provider: "ghidra" }, { profile: 2 }])("texts are not compared, whole collections are (%o)", (other) => {
    const comparison = compare({}, {}, { ...otherTarget, ...other });
    expect([statusOf(comparison, "pseudocode"), statusOf(comparison, "assembly")]).toEqual(["unknown", "unknown"]);
    expect([statusOf(comparison, "calls"), statusOf(comparison, "strings_names")]).toEqual(["unchanged", "unchanged"]);
    expect(comparison.status).toBe("unknown");
  });

  test("a cut collection of another provider settles nothing", () => {
    const cut: FunctionShape = { dossier: { callees: collection([{ address: "0x4000", name: "system" }], 3) } };
    expect(statusOf(compare(cut, {}, { ...otherTarget, provider: "ghidra" }), "calls")).toBe("unknown");
    expect(statusOf(compare(cut, {}), "calls")).toBe("changed");
  });
});

test("a difference between records of the same bytes at the same place is a contradiction, never a change or equality", () => {
  const comparison = compare({}, { constant: 8 }, {});
  const assembly = comparison.dimensions.find(({ dimension }) => dimension === "assembly");
  expect([assembly?.status, assembly?.conclusion_kind, comparison.status]).toEqual(["unknown", "contradiction", "unknown"]);
});

test("a certain difference in the part that is seen is told although the rest is cut", () => {
  const cut = (first: string): FunctionShape => ({ dossier: { assembly: text([first, "0x1005  nop", "0x1006  no"], true) } });
  const comparison = compare(cut("0x1000  push rbp"), cut("0x1000  push rbx"));
  expect(statusOf(comparison, "assembly")).toBe("changed");
});

test("a record of another operation is refused with both names", () => {
  expect(() => compareFunctions({ left: recordOf({}), right: recordOf({}) }, cite)).toThrow(expect.objectContaining({ code: "evidence_integrity_mismatch" }));
});

describe("laws", () => {
  const shape = fc.record(
    {
      base: fc.constantFrom(0x1000, 0x8000, 0x40_0000),
      name: fc.constantFrom("greet", "hello", "sub_1000"),
      constant: fc.integer({ min: 0, max: 40 }),
      pseudocode: fc.option(fc.array(fc.constantFrom("a();", "b();", "return sub_1234;", "}"), { maxLength: 12 })),
      dossier: fc.record({
        assembly: fc.oneof(
          fc.array(fc.constantFrom("0x1000  nop", "0x1001  ret", "0x1002  mov eax, 0x5", "0x1003  call 0x9999"), { maxLength: 20 }).chain((lines) => fc.boolean().map((cut) => text(lines, cut))),
          fc.constant(unavailable),
        ),
        callees: fc.array(fc.constantFrom("puts", "exit", "sub_77"), { maxLength: 5 }).chain((names) =>
          fc.integer({ min: 0, max: 2 }).map((more) => collection(names.map((name, index) => ({ address: `0x${(0x5000 + index).toString(16)}`, name })), names.length + more)),
        ),
      }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  const of = fc.record({ sha256: fc.constantFrom("a".repeat(64), "b".repeat(64)), profile: fc.constantFrom(1, 2) });

  test("exchanging the sides mirrors the result exactly", () => {
    fc.assert(
      fc.property(shape, shape, of, of, (left, right, ofLeft, ofRight) => {
        const [a, b] = [recordOf(dossierOf(left), ofLeft), recordOf(dossierOf(right), ofRight)];
        const there = compareFunctions({ left: a, right: b }, cite);
        const back = mirrored(compareFunctions({ left: b, right: a }, cite));
        expect({ ...back, changes: byText(back.changes) }).toEqual({ ...there, changes: byText(there.changes) });
      }),
    );
  });

  test("a function is never changed against itself", () => {
    fc.assert(
      fc.property(shape, of, (one, ofOne) => {
        const record = recordOf(dossierOf(one), ofOne);
        const { status, dimensions } = compareFunctions({ left: record, right: record }, cite);
        expect(status).not.toBe("changed");
        expect(dimensions.every(({ status: each }) => each !== "changed")).toBe(true);
      }),
    );
  });
});
