import { parseApplicationGraph } from "@rea/core";
import { afterAll, describe, expect, it } from "vitest";
import { analyze, clean, writeTree } from "./support/written-tree.js";

afterAll(clean);

const file = (host: string): string => `export const f = (x) => { if (x) fetch("https://${host}.example/"); return { type: "${host}", value: x + 1 }; };\n`;
const tree = { "package.json": JSON.stringify({ name: "b", version: "1.0.0", main: "a.js" }), "a.js": `import "./b.js"; import "./c.js"; import "./d.js";\n${file("a")}`, "b.js": file("b"), "c.js": file("c"), "d.js": file("d") };
const root = writeTree(tree);

describe("a bound of the analysis", () => {
  it.each([
    ["of text files", { limits: { textFiles: 3 } }, "limit_entries", 3],
    ["of bytes of texts", { limits: { textBytes: 300 } }, "limit_total_bytes", 300],
    ["of bytes of one text", { limits: { textFileBytes: 130 } }, "limit_entry_bytes", 130],
    ["of syntax", { totals: { astNodes: 90 } }, "limit_items", 90],
    ["of findings", { totals: { findings: 2 } }, "limit_items", 2],
  ] as const)("%s leaves the rest standing, and says which text was the first without", async (_what, bounds, reason, limit) => {
    const { reply, graph, unknowns } = await analyze(root, bounds);
    expect(reply.coverage).toMatchObject({ state: "partial", omissions: expect.arrayContaining([expect.objectContaining({ reason, limit, how_to_continue: expect.stringContaining("part of the application") })]) });
    const left = unknowns.filter(({ unknown }) => unknown === "limit").map(({ path }) => path);
    expect(left).toHaveLength(1);
    const hosts = reply.summary.endpoints.items.map(({ host }) => host);
    expect(hosts.length).toBeGreaterThan(0);
    expect(hosts).not.toContain(`${(left[0] ?? "").slice(0, 1)}.example`);
    expect(parseApplicationGraph(JSON.parse(JSON.stringify(graph)))).toEqual(graph);
  });

  it("of bundled modules is one, too", async () => {
    const bundle = `(()=>{var m={1:(e)=>{e.exports=1},2:(e)=>{e.exports=2}},c={};function r(i){var o=c[i];if(o)return o.exports;var s=c[i]={exports:{}};return m[i](s,s.exports,r),s.exports}r(1)})();`;
    const two = writeTree({ "a.js": bundle, "b.js": bundle });
    expect((await analyze(two)).reply.coverage.state).toBe("complete");
    const { unknowns, reply } = await analyze(two, { totals: { modules: 3 } });
    expect([reply.coverage.state, unknowns.filter(({ unknown }) => unknown === "limit").map(({ path }) => path)]).toEqual(["partial", ["b.js"]]);
  });

  it("of entries ends the walk, and the part that was read is answered", async () => {
    const { reply } = await analyze(root, { limits: { entries: 3 } });
    expect(reply.coverage).toMatchObject({ state: "partial", omissions: expect.arrayContaining([expect.objectContaining({ reason: "limit_entries" })]) });
  });

  it("of nodes and edges makes a graph that keeps its rules and says what is missing", async () => {
    const { graph } = await analyze(root, { graphLimits: { nodes: 5, edges: 3 } });
    expect([graph.nodes.length, graph.edges.length, graph.coverage.state]).toEqual([5, 3, "partial"]);
    expect(graph.coverage.omissions.map(({ scope, reason }) => [scope.split(" ")[0], reason])).toEqual([["Nodes", "limit_items"], ["Edges", "limit_items"]]);
    expect(parseApplicationGraph(JSON.parse(JSON.stringify(graph)))).toEqual(graph);
  });

  it("of time is said to make the answer one that another run may not repeat, and such an answer is not kept", async () => {
    const { reply } = await analyze(root, { timeMs: 0 });
    expect(reply.coverage.omissions).toEqual(expect.arrayContaining([expect.objectContaining({ reason: "limit_time", limit: 0 })]));
    expect(reply.limitations.join(" ")).toContain("another run may find more");
  });

  it("gives the same answer for one thread and for four", async () => {
    const [one, four] = [await analyze(root, { threads: 1, totals: { astNodes: 90 } }), await analyze(root, { threads: 4, totals: { astNodes: 90 } })];
    expect(four.graph.graph_id).toBe(one.graph.graph_id);
  });
});
