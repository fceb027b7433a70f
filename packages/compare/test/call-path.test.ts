import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Evidence } from "@rea/core";
import { buildCallPath } from "../src/index.js";
import { cite, collection, dossierOf, otherTarget, recordOf, text, unavailable } from "./dossiers.js";

const hex = (value: number): string => `0x${value.toString(16)}`;

/** A dossier whose whole listing holds one direct call for each callee. */
function calling(address: number, callees: readonly number[], more: object = {}) {
  const lines = callees.map((callee, index) => `${hex(address + index)}  call ${hex(callee)}`);
  return dossierOf({
    base: address,
    name: `f${address.toString(16)}`,
    dossier: {
      callees: collection(callees.map((callee) => ({ address: hex(callee), name: `f${callee.toString(16)}` }))),
      assembly: text([...lines, `${hex(address + 100)}  ret`]),
      outgoing_references: collection(callees.map((callee, index) => ({ from: hex(address + index), to: hex(callee), kind: "call", operand_index: 0 }))),
      ...more,
    },
  });
}

const record = (address: number, callees: readonly number[], more?: object, of?: object): Evidence => recordOf(calling(address, callees, more), of);
const search = (functions: readonly Evidence[], start: number, goal: number, more: { maxDepth?: number; maxPaths?: number } = {}) =>
  buildCallPath({ functions, start: hex(start), goal: hex(goal), maxDepth: 8, maxPaths: 10, ...more }, cite);

describe("a path of calls", () => {
  const graph = [record(0x1000, [0x2000, 0x3000]), record(0x2000, [0x4000]), record(0x3000, [0x2000]), record(0x4000, [])];

  test("shortest first, each step with the records that show it", () => {
    const found = search(graph, 0x1000, 0x4000);
    expect(found.status).toBe("found");
    expect(found.paths.items.map(({ hops, steps }) => [hops, steps.map(({ address }) => address)])).toEqual([
      [2, ["0x1000", "0x2000", "0x4000"]],
      [3, ["0x1000", "0x3000", "0x2000", "0x4000"]],
    ]);
    expect(found.shortest_hops).toBe(2);
    expect(found.paths.items[0]?.steps[0]?.evidence_links).toEqual([graph[0]?.evidence_id]);
    expect(found.coverage.state).toBe("complete");
  });

  test("from a procedure to itself has no hops", () => {
    expect(search(graph, 0x1000, 0x1000).paths.items).toMatchObject([{ hops: 0, steps: [{ address: "0x1000" }] }]);
  });

  test("that does not exist is not found when everything within reach is whole", () => {
    expect(search(graph, 0x4000, 0x1000)).toMatchObject({ status: "not_found", shortest_hops: null });
  });

  test.each([
    ["a dossier within reach is missing", [record(0x1000, [0x2000])]],
    ["a page of callees is missing", [record(0x1000, [], { callees: collection([], 3) })]],
    ["a call goes where only running tells", [record(0x1000, [], { assembly: text(["0x1000  call rax"]) })]],
    ["there is no whole listing", [record(0x1000, [], { assembly: unavailable })]],
    ["providers are mixed", [record(0x1000, [0x2000]), record(0x2000, [], {}, { provider: "ghidra" })]],
    ["the start has no dossier", [record(0x9000, [])]],
  ])("is unknown, not absent, when %s", (_why, functions) => {
    const found = search(functions, 0x1000, 0x7000);
    expect(found.status).toBe("unknown");
    expect(found.coverage.state).toBe("partial");
    expect(found.coverage.omissions.length).toBeGreaterThan(0);
  });

  test("pages of one procedure are put together", () => {
    const page = (callees: readonly number[], next: number | null) => ({
      callees: { state: "available" as const, value: { items: callees.map((callee) => ({ address: hex(callee), name: null })), returned: callees.length, total: 2, truncated: next !== null, next_offset: next } },
    });
    const pages = [record(0x1000, [0x2000, 0x3000], page([0x2000], 1)), record(0x1000, [0x2000, 0x3000], page([0x3000], null))];
    const rest = [record(0x2000, []), record(0x3000, [])];
    expect(search([...pages, ...rest], 0x1000, 0x7000).status).toBe("not_found");
    expect(search([...pages.slice(0, 1), ...rest], 0x1000, 0x7000).status).toBe("unknown");
  });

  test("beyond the depth is outside the search, which says its depth", () => {
    const found = search(graph, 0x1000, 0x4000, { maxDepth: 1 });
    expect([found.status, found.search_scope.max_depth, found.explored.depth_reached]).toEqual(["not_found", 1, 1]);
  });

  test("dossiers of two targets are refused", () => {
    expect(() => search([record(0x1000, []), record(0x2000, [], {}, otherTarget)], 0x1000, 0x2000)).toThrow(expect.objectContaining({ details: expect.objectContaining({ reason: "target_mismatch" }) }));
  });

  test("in a graph with very many paths the search ends, with the shortest", () => {
    const layers = 12;
    const width = 8;
    const at = (layer: number, index: number): number => 0x1000 + layer * 0x1000 + index * 0x100;
    const next = (layer: number) => Array.from({ length: width }, (_, index) => at(layer + 1, index));
    const dense = Array.from({ length: layers }, (_, layer) => Array.from({ length: width }, (_unused, index) => record(at(layer, index), layer + 1 < layers ? next(layer) : []))).flat();
    const found = search(dense, at(0, 0), at(layers - 1, 0), { maxDepth: 32, maxPaths: 5 });
    expect([found.status, found.paths.items.length, found.paths.has_more, found.paths.total]).toEqual(["found", 5, true, null]);
  });
});

describe("laws", () => {
  const edges = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 })), { selector: ([from, to]) => `${String(from)} ${String(to)}`, maxLength: 24 });
  const graphOf = (list: readonly (readonly [number, number])[]) =>
    Array.from({ length: 8 }, (_, node) => record(0x1000 * (node + 1), list.filter(([from]) => from === node).map(([, to]) => 0x1000 * (to + 1))));

  test("paths are the simple paths of the graph", () => {
    fc.assert(
      fc.property(edges, (list) => {
        const found = search(graphOf(list), 0x1000, 0x8000, { maxDepth: 8, maxPaths: 100 });
        const expected = allSimplePaths(list, 0, 7).sort((a, b) => a.length - b.length || (a.join() < b.join() ? -1 : 1));
        if (expected.length > 100) return;
        expect(found.paths.items.map(({ steps }) => steps.map(({ address }) => Number(address) / 0x1000 - 1))).toEqual(expected);
        expect(found.status).toBe(expected.length > 0 ? "found" : "not_found");
      }),
      { numRuns: 60 },
    );
  });

  test("one more dossier never lowers what is known", () => {
    const rank = { unknown: 0, not_found: 1, found: 1 } as const;
    fc.assert(
      fc.property(edges, fc.subarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 1 }), fc.integer({ min: 0, max: 7 }), (list, some, extra) => {
        const all = graphOf(list);
        const given = some.flatMap((node) => all[node] ?? []);
        const more = all[extra];
        if (more === undefined) return;
        const [before, after] = [search(given, 0x1000, 0x8000), search([...given, more], 0x1000, 0x8000)];
        expect(rank[after.status]).toBeGreaterThanOrEqual(rank[before.status]);
        if (before.status !== "unknown") expect(after.status).toBe(before.status);
      }),
      { numRuns: 60 },
    );
  });
});

function allSimplePaths(edges: readonly (readonly [number, number])[], start: number, goal: number, path: readonly number[] = [start]): number[][] {
  const last = path.at(-1);
  if (last === goal) return [[...path]];
  return edges.filter(([from, to]) => from === last && !path.includes(to)).flatMap(([, to]) => allSimplePaths(edges, start, goal, [...path, to]));
}
