import type { NativeFingerprint } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareBinaries, type BinarySide } from "../src/index.js";

const hex = (value: number, digits: number): string => (value >>> 0).toString(16).padStart(digits, "0");
const mix = (value: number): number => {
  const spread = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (spread ^ (spread >>> 12)) >>> 0;
};

interface Shape {
  /** What the function is; equal seeds are equal functions. */
  readonly seed: number;
  /** Which of its operations differ from those of other functions of the seed. */
  readonly edit?: number;
  readonly name?: string | null;
  readonly calls?: readonly number[];
  readonly strings?: readonly number[];
}

/** A fingerprint as the engine would make it of a function of some size. */
function printOf({ seed, edit = 0, name = null, calls = [], strings = [] }: Shape, position: number): NativeFingerprint {
  const lanes = Array.from({ length: 24 }, (_, lane) => hex(mix(seed * 131 + lane + (lane < edit ? 7_000_001 : 0)), 8));
  const list = (values: readonly number[]) => [...values].sort((a, b) => a - b).map((value) => hex(value, 8)).join("");
  return {
    address: `0x${(0x1000 + position * 0x40).toString(16)}`,
    name,
    external: false,
    thunk: false,
    size: 64,
    instructions: 20 + (seed % 30),
    blocks: 1 + (seed % 9),
    edges: seed % 12,
    code: hex(mix(seed * 3 + edit), 16),
    operations: hex(mix(seed * 5 + edit), 16),
    flow: hex(mix((seed % 40) + 1), 16),
    sketch: lanes.join(""),
    strings: list(strings),
    imports: "",
    constants: "",
    calls: calls.join(","),
    meanings: hex(mix(strings.reduce((sum, one) => sum + one, 17)), 16),
  };
}

const noFacts = { imports: [], exports: [], libraries: [], strings: [], sections: [], mitigations: [] };

function side(shapes: readonly Shape[], more: Partial<BinarySide> = {}): BinarySide {
  return { sha256: "a".repeat(64), bytes: 1, format: "elf", architecture: "x86_64", functions: shapes.map(printOf), facts: noFacts, omissions: [], ...more };
}

const whole = { offset: 0, limit: 500, names: true, checkpoint: () => undefined };
const other = { sha256: "b".repeat(64) };
const seeds = (count: number): Shape[] => Array.from({ length: count }, (_, index) => ({ seed: index * 17 + 3 }));

describe("two programs", () => {
  test("that are the same are unchanged, every function by its bytes", () => {
    const { result } = compareBinaries(side(seeds(30)), side(seeds(30)), whole);
    expect(result.status).toBe("unchanged");
    expect(result.summary.functions).toEqual({ unchanged: 30, changed: 0, added: 0, removed: 0, split: 0, merged: 0 });
    expect(result.summary.matched_by).toEqual([{ basis: "bytes", count: 30 }]);
  });

  test("of which one was not analysed whole are not called unchanged", () => {
    const cut = side(seeds(5), { omissions: [{ scope: "code", reason: "analysis_incomplete", count: null, limit: null, how_to_continue: null }] });
    expect(compareBinaries(cut, side(seeds(5)), whole).result).toMatchObject({ status: "unknown", coverage: { state: "partial" } });
  });

  test("differ in the function that changed, the one added and the one removed", () => {
    const before = seeds(20);
    const after = [...before.slice(0, 7), { ...before[7], seed: before[7]?.seed ?? 0, edit: 4 }, ...before.slice(8, 19), { seed: 99_991 }];
    const { result } = compareBinaries(side(before), side(after, other), whole);
    expect(result.summary.functions).toMatchObject({ unchanged: 18, changed: 1, added: 1, removed: 1 });
    expect(result.changed.items).toMatchObject([{ left: { address: "0x11c0" }, right: { address: "0x11c0" }, parts: ["instructions"] }]);
  });

  test("a function is the same one by its name although nothing else is left of it", () => {
    const [before, after] = [[{ seed: 5, name: "run" }], [{ seed: 777, edit: 20, name: "run" }]];
    expect(compareBinaries(side(before), side(after, other), whole).result.matches.items).toMatchObject([{ basis: "name", status: "changed" }]);
    expect(compareBinaries(side(before), side(after, other), { ...whole, names: false }).result.matches.items).toEqual([]);
  });

  test("functions with equal code are told apart by their order between what is known", () => {
    const same = { seed: 5 };
    const [first, last] = [{ seed: 100 }, { seed: 200 }];
    const { result } = compareBinaries(side([first, same, same, last]), side([first, same, same, last], other), whole);
    expect(result.matches.items.map(({ left, right, basis }) => [left.address === right.address, basis])).toEqual([
      [true, "bytes"],
      [true, "address_order"],
      [true, "address_order"],
      [true, "bytes"],
    ]);
  });

  test("a changed function is found by who calls it, and by the strings that only it uses", () => {
    const calling = (edit: number): Shape[] => [{ seed: 1, calls: [1] }, { seed: 2, edit }, { seed: 50 }, { seed: 60, edit, strings: [0xabcdef] }, { seed: 70 }];
    const shuffled = calling(13);
    const { result } = compareBinaries(side(calling(0)), side([...shuffled.slice(0, 2), ...shuffled.slice(3), ...shuffled.slice(2, 3)], other), whole);
    const basisOf = (address: string) => result.matches.items.find(({ left }) => left.address === address)?.basis;
    expect([basisOf("0x1040"), basisOf("0x10c0")]).toEqual(["call_graph", "strings_constants"]);
  });

  test("lists of the files are compared as sets, and cut lists keep their total", () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `name${String(index).padStart(3, "0")}`);
    const { result } = compareBinaries(side([], { facts: { ...noFacts, imports: ["puts"] } }), side([], { ...other, facts: { ...noFacts, imports: ["puts", ...names(80)] } }), whole);
    expect(result.imports.added).toMatchObject({ total: 80, returned: 50, truncated: true });
    expect(result.imports.removed.total).toBe(0);
    expect(result.status).toBe("changed");
  });
});

describe("laws", () => {
  const shape = fc.record({ seed: fc.integer({ min: 0, max: 25 }), edit: fc.integer({ min: 0, max: 6 }), calls: fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 4 }), strings: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }), name: fc.constantFrom(null, null, "run", "main", "stop") });
  const shapes = fc.array(shape, { maxLength: 15 });

  test("exchanging the sides mirrors the matches and the counts", () => {
    fc.assert(
      fc.property(shapes, shapes, (before, after) => {
        const [left, right] = [side(before), side(after, other)];
        const there = compareBinaries(left, right, whole).result;
        const back = compareBinaries(right, left, whole).result;
        const pairs = (items: typeof there.matches.items, swap: boolean) =>
          items.map(({ left: a, right: b, basis, status, confidence_permille: sure }) => [...(swap ? [b.address, a.address] : [a.address, b.address]), basis, status, sure].join(" ")).sort();
        expect(pairs(back.matches.items, true)).toEqual(pairs(there.matches.items, false));
        expect([back.summary.functions.added, back.summary.functions.removed]).toEqual([there.summary.functions.removed, there.summary.functions.added]);
      }),
    );
  });

  test("pages make the whole", () => {
    fc.assert(
      fc.property(shapes, shapes, (before, after) => {
        const [left, right] = [side(before), side(after, other)];
        const all = compareBinaries(left, right, whole).result;
        const pages = Array.from({ length: 8 }, (_, page) => compareBinaries(left, right, { ...whole, offset: page * 2, limit: 2 }).result);
        expect(pages.flatMap(({ matches }) => matches.items)).toEqual(all.matches.items);
        expect(pages.flatMap(({ changed }) => changed.items)).toEqual(all.changed.items);
        expect(new Set(pages.map(({ inventory }) => inventory.sha256)).size).toBe(1);
      }),
      { numRuns: 30 },
    );
  });

  test("a program has no changes against itself, and no function two partners", () => {
    fc.assert(
      fc.property(shapes, (one) => {
        const { result } = compareBinaries(side(one), side(one), whole);
        expect([result.changed.total, result.added.total, result.removed.total]).toEqual([0, 0, 0]);
        expect(new Set(result.matches.items.map(({ right }) => right.address)).size).toBe(result.matches.items.length);
      }),
    );
  });
});
