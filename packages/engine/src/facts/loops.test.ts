import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BasicBlock } from "../program.js";
import { immediateDominators } from "./dominators.js";
import { flowGraph, type FlowGraph } from "./flow-graph.js";
import { findLoops } from "./loops.js";

function graphOf(edges: readonly (readonly number[])[]): FlowGraph {
  const blocks = edges.map((targets, index): BasicBlock => {
    return { start: index * 16, end: index * 16 + 16, instructionCount: 1, successors: targets.map((to) => ({ target: to * 16, kind: "jump" })) };
  });
  return flowGraph(blocks, 0);
}

const anyGraph = fc.integer({ min: 1, max: 12 }).chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }));

function reachable(edges: readonly (readonly number[])[], from: number, without: number): Set<number> {
  const seen = new Set<number>();
  const work = from === without ? [] : [from];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    work.push(...(edges[at] ?? []).filter((to) => to !== without));
  }
  return seen;
}

function dominates(edges: readonly (readonly number[])[], above: number, below: number): boolean {
  return above === below || !reachable(edges, 0, above).has(below);
}

describe("dominators", () => {
  test("agree with their definition: without its dominator a block is not reached", () => {
    fc.assert(
      fc.property(anyGraph, (edges) => {
        const found = immediateDominators(graphOf(edges));
        const all = reachable(edges, 0, -1);
        for (const block of edges.keys()) {
          const strict = [...all].filter((other) => other !== block && dominates(edges, other, block));
          const nearest = strict.find((other) => strict.every((another) => dominates(edges, another, other)));
          expect(found[block]).toBe(all.has(block) ? (nearest ?? -1) : -1);
        }
      }),
    );
  });
});

describe("loops", () => {
  test("are found exactly where blocks can come back to themselves", () => {
    fc.assert(
      fc.property(anyGraph, (edges) => {
        const { innermost } = findLoops(graphOf(edges));
        for (const block of reachable(edges, 0, -1)) {
          const comesBack = (edges[block] ?? []).some((to) => reachable(edges, to, -1).has(block));
          expect((innermost[block] ?? -1) >= 0).toBe(comesBack);
        }
      }),
    );
  });

  test("are natural exactly when the header dominates what goes back to it", () => {
    fc.assert(
      fc.property(anyGraph, (edges) => {
        for (const { header, kind, latches } of findLoops(graphOf(edges)).loops) {
          if (kind === "natural") expect(latches.every((latch) => dominates(edges, header, latch))).toBe(true);
          else expect(latches.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  test("nest, and name the other ways into a region that has several", () => {
    const nested = findLoops(graphOf([[1], [2], [2, 3], [1, 4], []])).loops;
    expect(nested).toMatchObject([
      { header: 1, kind: "natural", depth: 1, blockCount: 3, latches: [3] },
      { header: 2, kind: "natural", depth: 2, parent: 1, blockCount: 1, latches: [2] },
    ]);
    expect(findLoops(graphOf([[1, 2], [2], [1]])).loops).toMatchObject([{ kind: "irreducible", blockCount: 2, otherEntries: [expect.any(Number)] }]);
  });

  test("a chain of 100,000 blocks with nested ways back does not exhaust the stack", () => {
    const size = 100_000;
    const edges = Array.from({ length: size }, (_, index) => [...(index + 1 < size ? [index + 1] : []), ...(index > size / 2 ? [size - index] : [])]);
    const graph = graphOf(edges);
    expect(immediateDominators(graph)[size - 1]).toBe(size - 2);
    expect(findLoops(graph).loops.length).toBe(size / 2 - 1);
  });
});
