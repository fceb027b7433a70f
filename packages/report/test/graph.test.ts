import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callsGraph, controlFlowGraph, graphDocument, type GraphModel } from "../src/index.js";

const graph: GraphModel = {
  title: 'Calls of "main" <&>',
  direction: "down",
  nodes: [
    { id: "0x10", title: "main", lines: ["push rbp"], role: "start" },
    { id: "0x20", title: "std::vector<int>", lines: [], role: "plain" },
    { id: "0x30", title: "puts", lines: [], role: "outside" },
  ],
  edges: [
    { from: "0x10", to: "0x20", kind: "call", label: null },
    { from: "0x20", to: "0x30", kind: "branch", label: "1, 2" },
    { from: "0x20", to: "0x20", kind: "jump", label: null },
    { from: "0x10", to: "0x99", kind: "call", label: null },
  ],
};

const boxes = (svg: string) => [...svg.matchAll(/<rect class="box [a-z]+" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/gu)].map((match) => match.slice(1).map(Number));

/** Pairs of boxes that cover each other. */
function overlaps(svg: string): number {
  const all = boxes(svg);
  const apart = ([x = 0, y = 0, w = 0, h = 0]: number[], [u = 0, v = 0, s = 0, t = 0]: number[]) => x + w <= u || u + s <= x || y + h <= v || v + t <= y;
  return all.flatMap((a, index) => all.slice(index + 1).filter((b) => !apart(a, b))).length;
}

describe("a picture", () => {
  const svg = graphDocument(graph, "svg");

  test("stands alone: nothing is fetched and nothing runs", () => {
    expect(svg).not.toMatch(/<script|href=|url\((?!#)|@import|<image|<foreignObject/u);
    expect(svg).toContain('role="img"');
  });

  test("shows every node once and every edge between nodes, with text that cannot become markup", () => {
    expect(boxes(svg)).toHaveLength(3);
    expect([...svg.matchAll(/<path class="edge/gu)]).toHaveLength(3);
    expect(svg).toContain("std::vector&lt;int&gt;");
    expect(svg).not.toContain("<int>");
  });

  test("has no overlapping boxes, whatever the graph", () => {
    const edges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 });
    fc.assert(
      fc.property(edges, fc.array(fc.string({ maxLength: 30 }), { minLength: 12, maxLength: 12 }), (list, titles) => {
        const nodes = titles.map((title, index) => ({ id: String(index), title, lines: [], role: "plain" as const }));
        const drawn = graphDocument({ title: "t", direction: list.length % 2 === 0 ? "down" : "right", nodes, edges: list.map(([from, to]) => ({ from: String(from), to: String(to), kind: "jump", label: null })) }, "svg");
        expect(boxes(drawn)).toHaveLength(12);
        expect(overlaps(drawn)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});

describe("text formats", () => {
  test("DOT quotes what would end a label", () => {
    expect(graphDocument({ ...graph, nodes: [{ id: "a", title: 'x"; evil -> y', lines: [], role: "plain" }], edges: [] }, "dot")).toContain(String.raw`"a" [label="x\"; evil -> y"]`);
  });

  test("Mermaid shows marks that have a meaning there by their numbers", () => {
    const text = graphDocument(graph, "mermaid");
    expect(text).toContain("std::vector#60;int#62;");
    expect(text).toContain('-.->|"1, 2"|');
    expect(text.split("\n")[0]).toBe("flowchart TD");
  });

  test("JSON leaves out edges that lead out of the graph", () => {
    expect(JSON.parse(graphDocument(graph, "json")).edges).toHaveLength(3);
  });
});

test("a graph of calls keeps what is nearest to the start and says how much it left out", () => {
  const nodes = Array.from({ length: 10 }, (_, depth) => ({ address: `0x${String(depth)}`, name: depth === 0 ? "main" : null, depth, expanded: true }));
  const drawn = callsGraph({ nodes, edges: [{ from: "0x0", to: "0x1" }] }, { direction: "forward", most: 4 });
  expect(drawn.nodes.map(({ id }) => id)).toEqual(["0x0", "0x1", "0x2", "0x3"]);
  expect(drawn.title).toBe("Calls of main (nearest 4 of 10)");
});

test("a function without blocks has an empty graph", () => {
  const unavailable = { state: "unavailable", reason: "r", remediation: "m" } as const;
  const dossier = { procedure: { address: "0x1", name: "f", signature: null, locals: [], classification: null }, pseudocode: unavailable, assembly: unavailable, comments: unavailable, callers: unavailable, callees: unavailable, incoming_references: unavailable, outgoing_references: unavailable, referenced_strings: unavailable, referenced_names: unavailable, basic_blocks: unavailable, native_api: unavailable, instruction_scan: { scanned: 0, truncated: false }, limitations: [] };
  expect(controlFlowGraph(dossier).nodes).toEqual([]);
});
