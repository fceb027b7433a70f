import { omission } from "@rea/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getCallGraph } from "../src/enhanced/call-graph.js";
import { traceCallPath } from "../src/enhanced/trace-call-path.js";
import { executed, hostOf, hostWithout, type FakeProgram } from "./fake-ports.js";

// 0x10 → 0x20, 0x30; both → 0x40 → 0x50 → 0x10 (a cycle); 0x30 → 0x90, which cannot be read.
const diamond: FakeProgram = {
  calls: {
    "0x10": ["0x30", "0x20"],
    "0x20": ["0x40"],
    "0x30": ["0x40", "0x90"],
    "0x40": ["0x50"],
    "0x50": ["0x10"],
  },
  names: [{ address: "0x10", value: "main" }],
};
const clean: FakeProgram = { calls: { ...diamond.calls, "0x30": ["0x40"] } };

describe("get_call_graph", () => {
  it("gives nodes breadth first with names, edges from caller to callee, and marks what was not expanded", async () => {
    const result = await hostOf(diamond).run(getCallGraph, { address: "0x10" });
    expect(result).toMatchObject({
      nodes: [
        { address: "0x10", name: "main", depth: 0, expanded: true },
        { address: "0x20", name: null, depth: 1, expanded: true },
        { address: "0x30", depth: 1, expanded: true },
        { address: "0x40", depth: 2, expanded: false },
        { address: "0x90", depth: 2, expanded: false },
      ],
      edges: [
        { from: "0x10", to: "0x20" },
        { from: "0x10", to: "0x30" },
        { from: "0x20", to: "0x40" },
        { from: "0x30", to: "0x40" },
        { from: "0x30", to: "0x90" },
      ],
      failures: [],
      coverage: { state: "partial", omissions: [{ scope: "nodes", reason: "limit_depth", count: 2 }] },
    });
  });

  it("keeps a failing node local and says so in the coverage", async () => {
    const host = hostOf(diamond);
    const result = await host.run(getCallGraph, { address: "0x10", depth: 5 });
    expect(result).toMatchObject({
      failures: [{ address: "0x90", operation: "procedure_callees", code: "target_unavailable" }],
      coverage: { state: "partial", omissions: [{ reason: "not_examined", count: 1 }] },
    });
  });

  it.each(["forward", "backward"])("says once, going %s, what the lists of calls leave out", async (direction) => {
    const notExamined = [omission("indirect_jumps", "analysis_incomplete", { count: 3 })];
    const host = hostOf({ ...clean, notExamined });
    const coverage = { state: "partial", omissions: notExamined };
    expect(await host.run(getCallGraph, { address: "0x10", depth: 5, direction })).toMatchObject({ coverage });
    expect(await host.run(traceCallPath, { start: "0x10", direction })).toMatchObject({ frontier: [], coverage });
  });

  it("is complete when everything reachable was read, cycles included", async () => {
    const host = hostOf(clean);
    expect(await host.run(getCallGraph, { address: "0x10", depth: 5 })).toMatchObject({ coverage: { state: "complete" } });
    expect(host.records[0]).toMatchObject({ confidence: "derived", provider: { id: "fake" }, operation: "get_call_graph" });
  });

  it("goes to callers when asked to, with edges still from caller to callee", async () => {
    const result = await hostOf(diamond).run(getCallGraph, { address: "0x40", direction: "backward", depth: 1 });
    expect(result).toMatchObject({
      edges: [
        { from: "0x20", to: "0x40" },
        { from: "0x30", to: "0x40" },
      ],
    });
  });

  it("fails with the provider's error when not even the start can be read", async () => {
    const reply = await hostOf(diamond).reply(getCallGraph, { address: "0x77" });
    expect(reply).toMatchObject({ ok: false, error: { code: "target_unavailable" } });
  });

  it("reads long lists of callees to their end", async () => {
    const callees = Array.from({ length: 7 }, (_, index) => `0x${String(100 + index)}`);
    const calls = { "0x10": callees, ...Object.fromEntries(callees.map((callee) => [callee, []])) };
    const result = await hostOf({ calls, pageSize: 2 }).run(getCallGraph, { address: "0x10" });
    expect(result).toMatchObject({ coverage: { state: "complete" } });
    expect(getCallGraph.output.parse(result).nodes).toHaveLength(8);
  });

  it("stays one page on a graph that is too large, and says how to go on", async () => {
    const callees = Array.from({ length: 900 }, (_, index) => `0x${(0x1000 + index).toString(16)}`);
    const result = getCallGraph.output.parse(
      await hostOf({ calls: { "0x10": callees } }).run(getCallGraph, { address: "0x10", depth: 1 }),
    );
    expect(result.nodes).toHaveLength(200);
    expect(result.coverage.omissions).toContainEqual(expect.objectContaining({ reason: "limit_items", count: 701, limit: 200 }));
  });

  it("takes imports, whose code is in another file, for leaves", async () => {
    const program = { ...diamond, names: [{ address: "0x90", value: "exit", source: "import-slot" }] };
    const result = await hostOf(program).run(getCallGraph, { address: "0x10", depth: 5 });
    expect(result).toMatchObject({ failures: [], coverage: { state: "complete" } });
  });

  it("works without names", async () => {
    const result = await hostWithout(clean, ["address_name"]).run(getCallGraph, { address: "0x10" });
    expect(result).toMatchObject({ nodes: [{ name: null }, {}, {}, {}] });
  });
});

describe("trace_call_path", () => {
  const trace = async (program: FakeProgram, input: object) => {
    const host = hostOf(program);
    const result = traceCallPath.output.parse(await host.run(traceCallPath, input));
    return { host, result };
  };

  it("finds the shortest path, and among equally short ones the first by address", async () => {
    const { result } = await trace(diamond, { start: "0x10", goal: "0x50" });
    expect(result).toMatchObject({ goal_status: "reached", traversal_path: ["0x10", "0x20", "0x40", "0x50"] });
  });

  it("reaches a goal that is the start", async () => {
    const { result } = await trace(diamond, { start: "0x10", goal: "0x10" });
    expect(result).toMatchObject({ goal_status: "reached", traversal_path: ["0x10"] });
  });

  it("says not reached only when nothing was left unexplored", async () => {
    const { result } = await trace(clean, { start: "0x10", goal: "0x999" });
    expect(result).toMatchObject({ goal_status: "not_reached", frontier: [], coverage: { state: "complete" } });
  });

  it.each([
    [{ max_depth: 2 }, clean, "max_depth"],
    [{ max_nodes: 2 }, clean, "max_nodes"],
    [{ max_operations: 2 }, clean, "max_operations"],
    [{}, diamond, "failed"],
  ])("says unknown, not unreached, when %j leaves a frontier", async (limits, program, reason) => {
    const { result } = await trace(program, { start: "0x10", goal: "0x999", ...limits });
    expect(result.goal_status).toBe("unknown");
    expect(result.frontier.map((item) => item.reason)).toContain(reason);
    expect(result.coverage.state).toBe("partial");
  });

  it("claims nothing about a goal nobody named", async () => {
    const { result } = await trace(clean, { start: "0x10" });
    expect(result).toMatchObject({ goal_status: "not_requested", traversal_path: [] });
  });

  it("follows callers backward", async () => {
    const { result } = await trace(diamond, { start: "0x40", goal: "0x10", direction: "backward" });
    expect(result).toMatchObject({ goal_status: "reached", traversal_path: ["0x40", "0x20", "0x10"] });
    expect(result.edges).toContainEqual({ from: "0x20", to: "0x40" });
  });

  it("counts the pages of one procedure against the budget and shows what they gave", async () => {
    const program = { calls: { "0x10": ["0x20", "0x30", "0x40"], "0x20": [], "0x30": [], "0x40": [] }, pageSize: 1 };
    const { result, host } = await trace(program, { start: "0x10", max_operations: 2 });
    expect(host.asked).toHaveLength(2);
    expect(result.limits.operations_used).toBe(2);
    expect(result.nodes.map(({ address }) => address)).toEqual(["0x10", "0x20", "0x30"]);
    expect(result.frontier).toContainEqual({ address: "0x10", reason: "max_operations" });
  });

  it("spends what is left of the budget on names, those of the path first", async () => {
    const { result } = await trace(diamond, { start: "0x10", goal: "0x20", max_operations: 2 });
    expect(result.nodes[0]).toMatchObject({ address: "0x10", name: "main" });
    expect(result.limitations.join()).toContain("without a name");
  });

  it("keeps every bound and never claims more than it saw, on any graph", async () => {
    const graph = fc.array(fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 5 }), { minLength: 16, maxLength: 16 });
    const limits = fc.record({
      max_depth: fc.integer({ min: 1, max: 10 }),
      max_nodes: fc.integer({ min: 1, max: 20 }),
      max_operations: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(graph, limits, fc.integer({ min: 0, max: 15 }), async (rows, bounds, goalIndex) => {
        const at = (index: number) => `0x${(index + 1).toString(16)}`;
        const calls = Object.fromEntries(rows.map((row, index) => [at(index), row.map(at)]));
        const goal = at(goalIndex);
        const { result, host } = await trace({ calls }, { start: "0x1", goal, ...bounds });
        expect(result.nodes.length).toBeLessThanOrEqual(bounds.max_nodes);
        expect(host.asked.length).toBeLessThanOrEqual(bounds.max_operations);
        const distance = distances(rows)[goalIndex];
        if (result.goal_status === "reached") expect(result.traversal_path).toHaveLength((distance ?? 0) + 1);
        if (result.goal_status === "not_reached") expect(distance).toBeUndefined();
        if (result.goal_status === "unknown") expect(result.frontier).not.toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("a page that points back at itself", () => {
  it("is an answer off contract, not an endless call", async () => {
    const stuck = executed({
      items: ["0x20"],
      coverage: { state: "complete" as const, omissions: [] },
      offset: 0,
      limit: 500,
      total: null,
      next_offset: 0,
      has_more: true,
    });
    const host = hostOf({}, { procedure_callees: () => Promise.resolve(stuck) });
    expect(await host.reply(getCallGraph, { address: "0x10" })).toMatchObject({ ok: false, error: { code: "unreadable_output" } });
  });
});

/** Breadth-first distances from node 0. */
function distances(rows: readonly (readonly number[])[]): (number | undefined)[] {
  const found: (number | undefined)[] = [0];
  for (const queue = [0]; queue.length > 0; ) {
    const node = queue.shift() ?? 0;
    for (const next of rows[node] ?? []) {
      if (found[next] !== undefined) continue;
      found[next] = (found[node] ?? 0) + 1;
      queue.push(next);
    }
  }
  return found;
}
