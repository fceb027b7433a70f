import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicationGraphIn, featureTraceSchema, isReaError, semanticGraphIn, semanticGraphSchema, SemanticRows, semanticTraceSchema, type ApplicationGraph, type FeatureTrace, type TraceSeed } from "@rea/core";
import { GraphWalker } from "../src/semantics/trace/graph-walk.js";
import { traceFeature, type FeatureTracing } from "../src/semantics/trace/feature-trace.js";
import { traceSemantics, type SemanticTracing } from "../src/semantics/trace/semantic-trace.js";
import { analyze, clean, writeTree, type ReadAnalysis } from "./support/written-tree.js";

afterAll(clean);

const tree = {
  "package.json": JSON.stringify({ name: "notes", version: "1.0.0", main: "main.js", dependencies: { electron: "30.0.0" } }),
  "main.js": `const { app, BrowserWindow, ipcMain } = require("electron"); const { save } = require("./lib/store"); const { spawn } = require("child_process");
ipcMain.handle("save", async (event, name, text) => save(name, text));
ipcMain.on("run", (event, tool) => { const child = spawn(process.env.TOOL, [tool]); child.stdout.on("data", () => {}); setTimeout(() => child.kill(), 10); });
const win = new BrowserWindow({ webPreferences: { preload: __dirname + "/preload.js" } }); win.loadFile("index.html");`,
  "preload.js": `const { contextBridge, ipcRenderer } = require("electron"); contextBridge.exposeInMainWorld("files", { save: (name, text) => ipcRenderer.invoke("save", name, text), run: (tool) => ipcRenderer.send("run", tool) });`,
  "index.html": `<script src="page.js"></script>`,
  "page.js": `function click(event) { window.files.save("notes.txt", "text"); } document.querySelector("#save").addEventListener("click", click);`,
  "lib/store.js": `const fs = require("fs"); exports.save = function save(name, text) { fs.writeFileSync(name, text); return fetch("https://api.example/files/" + name, { method: "PUT", body: text }); }; require("../build/Release/native.node");`,
  "build/Release/native.node": "not really",
  "loop/a.js": `require("./b.js"); require("./a.js");`,
  "loop/b.js": `require("./a.js");`,
};

let analyzed: ReadAnalysis;
let rows: SemanticRows;
beforeAll(async () => {
  analyzed = await analyze(writeTree(tree));
  rows = new SemanticRows(semanticGraphSchema.parse(JSON.parse(Buffer.from(analyzed.semantics.text).toString("utf8"))));
});

const seedOf = (kind: TraceSeed["kind"], value: string, more: Partial<TraceSeed> = {}): TraceSeed => ({ kind, value, match: "exact", case_sensitive: true, ...more });
const featureLimits = { max_depth: 12, max_nodes: 2000, max_edges: 4000, max_paths: 100, max_seed_matches: 25 };

function feature(seed: TraceSeed, more: Partial<FeatureTracing> = {}) {
  return traceFeature({ graph: analyzed.graph, graphSha256: analyzed.reply.graph_sha256, semantics: rows, seed, direction: "both", limits: featureLimits, native: [], offset: 0, limit: 500, ...more });
}

function pathsOf({ nodes, paths }: Pick<FeatureTrace, "nodes" | "paths">): string[] {
  const name = (n: number): string => nodes.items.find((node) => node.n === n)?.name ?? "?";
  return paths.items.map((path) => path.nodes.map((n, index) => `${index === 0 ? "" : ` ${path.relations[index - 1] ?? ""} `}${name(n)}`).join(""));
}

describe("trace_application_feature", () => {
  it("leads from a channel to its handler, through the code around it, to endpoints", () => {
    const found = feature(seedOf("channel", "save"), { direction: "outgoing" });
    expect(pathsOf(found)).toEqual(expect.arrayContaining([expect.stringMatching(/^save contains main\.js imports lib\/store\.js calls https:\/\/api\.example\/files\//u)]));
    expect(found.nodes.items.map(({ name }) => name)).not.toContain(".");
    expect(feature(seedOf("channel", "save"), { direction: "incoming" }).nodes.items.map(({ name }) => name)).toEqual(expect.arrayContaining(["preload.js"]));
  });

  it("begins at code that a text, address or API names, and tells its place", () => {
    for (const [seed, text] of [[seedOf("string", "notes.txt"), "notes.txt"], [seedOf("api", "fs.writeFileSync"), "fs.writeFileSync"], [seedOf("route", "/files/", { match: "contains" }), "https://api.example/files/"]] as const) {
      const { seeds } = feature(seed);
      expect(seeds.total).toBeGreaterThan(0);
      expect(seeds.items.some((one) => one.text.startsWith(text) && one.at !== null)).toBe(true);
    }
    expect(feature(seedOf("module", "store.js")).seeds.items).toMatchObject([{ matched: "name", text: "store.js" }]);
    expect(feature(seedOf("channel", "SAVE")).seeds.total).toBe(0);
    expect(feature(seedOf("channel", "SAVE", { case_sensitive: false })).seeds.total).toBe(2);
    expect(feature(seedOf("module", "store", { match: "contains" })).seeds.total).toBe(1);
    const [node] = analyzed.graph.nodes;
    expect(feature(seedOf("node-id", node?.node_id ?? "")).seeds.items).toMatchObject([{ matched: "id" }]);
    const literal = rows.shown(Array.from({ length: rows.nodes }, (_none, index) => index).find((index) => rows.node(index)?.name === "notes.txt") ?? -1);
    expect(feature(seedOf("node-id", literal?.node_id ?? "")).seeds.items).toMatchObject([{ matched: "code", text: "notes.txt", at: { path: "page.js" } }]);
  });

  it("names native code that an engine must look at, and takes records about the same bytes", () => {
    const found = feature(seedOf("module", "lib/store.js"), { direction: "outgoing" });
    expect(found.native_handovers).toMatchObject([{ path: "build/Release/native.node", state: "requires_provider_analysis", evidence: [] }]);
    const sha256 = found.native_handovers[0]?.sha256 ?? "";
    const [id, other] = [`ev_${"1".repeat(64)}`, `ev_${"2".repeat(64)}`];
    const seen = feature(seedOf("module", "lib/store.js"), { direction: "outgoing", native: [{ evidenceId: id, sha256 }, { evidenceId: other, sha256: "0".repeat(64) }] });
    expect(seen.native_handovers).toMatchObject([{ state: "observed", evidence: [id], next: null }]);
    expect(seen.unmatched_native_observations).toEqual([other]);
  });

  it("stops at each bound, names what was left, and counts what stands behind every edge", () => {
    const whole = feature(seedOf("module", "main.js"), { direction: "outgoing" });
    expect(whole.frontier.total).toBe(0);
    expect(whole.authorities.reduce((sum, { edges }) => sum + edges, 0)).toBe(whole.edges.total);
    const shallow = feature(seedOf("module", "main.js"), { direction: "outgoing", limits: { ...featureLimits, max_depth: 1 } });
    expect(shallow.frontier.items.some(({ reason }) => reason === "max_depth")).toBe(true);
    expect(shallow.coverage).toMatchObject({ state: "partial", omissions: expect.arrayContaining([expect.objectContaining({ reason: "limit_depth" })]) });
    const narrow = feature(seedOf("module", "main.js"), { direction: "outgoing", limits: { ...featureLimits, max_nodes: 3 } });
    expect(narrow.nodes.total).toBe(3);
    expect(narrow.frontier.items.some(({ reason }) => reason === "max_nodes")).toBe(true);
    const few = feature(seedOf("module", "main.js"), { direction: "outgoing", limits: { ...featureLimits, max_edges: 2 } });
    expect(few.edges.total).toBe(2);
    expect(feature(seedOf("module", ".js", { match: "contains" }), { limits: { ...featureLimits, max_seed_matches: 1 } }).seeds).toMatchObject({ truncated: true });
    expect(feature(seedOf("module", "main.js"), { limits: { ...featureLimits, max_depth: 0 } }).edges.total).toBe(0);
    expect(feature(seedOf("string", "there is no such text"))).toMatchObject({ seeds: { total: 0 }, limitations: expect.arrayContaining([expect.stringContaining("match contains")]) });
  });

  it("gives pages that together are the whole, under one digest", () => {
    const whole = feature(seedOf("module", "main.js"));
    const pages = [0, 5, 10, 15, 20, 25, 30].map((offset) => feature(seedOf("module", "main.js"), { offset, limit: 5 }));
    expect(pages.flatMap(({ nodes }) => nodes.items)).toEqual(whole.nodes.items.slice(0, 35));
    expect(new Set(pages.map(({ subgraph_sha256: digest }) => digest))).toEqual(new Set([whole.subgraph_sha256]));
  });

  it("any graph is walked within its bounds, along edges that it has", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom("imports", "contains", "handles", "calls")), { maxLength: 40 }), fc.nat(6), fc.integer({ min: 1, max: 12 }), (list, depth, most) => {
        const nodes = Array.from({ length: 10 }, (_none, index) => ({ node_id: `n${String(index)}`, kind: index === 9 ? ("artifact" as const) : ("javascript-module" as const), identity: { strategy: "canonical-path" as const, value: "x" }, name: "", properties: {}, observations: [] }));
        const edges = list.map(([from, to, relation], index) => ({ edge_id: `e${String(index)}`, relation, from: `n${String(from)}`, to: `n${String(to)}`, properties: {}, authority: "ast-static-analysis" as const, state: "observed" as const, confidence: "exact" as const, artifact: { state: "unavailable" as const, reason: "" }, location: { state: "unavailable" as const, reason: "" }, extractor: "x", coverage: "complete" as const, limitations: [], evidence_links: [] }));
        const graph: ApplicationGraph = { schema: "JavaScriptApplicationGraph", schema_version: 1, graph_id: "g", root_node_ids: [], nodes, edges, coverage: { state: "complete", omissions: [] }, limitations: [] };
        const walk = new GraphWalker(graph).walk([0], "outgoing", { max_depth: depth, max_nodes: most, max_edges: 15 });
        expect(walk.reached.size).toBeLessThanOrEqual(most);
        expect(walk.edges.size).toBeLessThanOrEqual(15);
        for (const { depth: own, by } of walk.reached.values()) {
          expect(own).toBeLessThanOrEqual(depth);
          if (by !== undefined) expect(own).toBe((walk.reached.get(by.from)?.depth ?? -1) + 1);
        }
        // Nothing is left out without a word.
        if (walk.frontier.size === 0) {
          const closed = new GraphWalker(graph).walk([0], "outgoing", { max_depth: 64, max_nodes: 100, max_edges: 100 });
          expect([...walk.reached.keys()].sort()).toEqual([...closed.reached.keys()].sort());
        }
      }),
    );
  });
});

function semantics(seed: TraceSeed, direction: SemanticTracing["direction"], more: Partial<SemanticTracing> = {}) {
  return traceSemantics({ semantics: rows, semanticsSha256: analyzed.semantics.sha256, seed, direction, allowed: null, includeAmbiguous: false, limits: { max_depth: 12, max_nodes: 2000, max_edges: 4000, max_seed_matches: 25 }, pageSize: 1000, cursor: null, ...more });
}

function told({ nodes, relations }: ReturnType<typeof semantics>): string[] {
  return relations.map(({ relation, from, to }) => `${nodes[from]?.name ?? ""} ${relation} ${nodes[to]?.name ?? ""}`);
}

/** Every page until the last. */
function pages(seed: TraceSeed, direction: SemanticTracing["direction"], pageSize: number): string[] {
  const found: string[] = [];
  let cursor: string | null = null;
  for (let turns = 0; turns < 1000; turns += 1) {
    const page = semantics(seed, direction, { pageSize, cursor });
    found.push(...told(page));
    cursor = page.next_cursor;
    if (cursor === null) return found;
  }
  return found;
}

describe("trace_javascript_semantics", () => {
  it("follows a text from a page through bridge, message and handler to the file system and the network", () => {
    const found = told(semantics(seedOf("string", "notes.txt"), "forward-influence"));
    expect(found).toEqual(expect.arrayContaining(["notes.txt argument-to-parameter name", "name consumed-by ipcRenderer.invoke", "name argument-to-parameter name", "name consumed-by fs.writeFileSync", "name consumed-by fetch"]));
    expect(found.some((one) => one.includes("run"))).toBe(false);
  });

  it("tells where what a process is started with comes from", () => {
    const found = told(semantics(seedOf("api", "child_process.spawn"), "backward-provenance"));
    expect(found).toEqual(expect.arrayContaining(["TOOL consumed-by spawn", "tool consumed-by spawn", "tool argument-to-parameter tool"]));
  });

  it("tells who calls a function, through handlers and messages up to the page", () => {
    const callers = told(semantics(seedOf("api", "save"), "callers"));
    expect(callers).toEqual(expect.arrayContaining(["save calls save", "ipcMain.handle registers (anonymous)", "ipcRenderer.invoke dispatches (anonymous)", "window.files.save calls save", "click contains window.files.save", "(…).addEventListener registers click"]));
  });

  it("tells who owns, connects and releases a process", () => {
    const found = told(semantics(seedOf("api", "spawn"), "ownership"));
    expect(found).toEqual(expect.arrayContaining(["spawn spawns spawn", "(anonymous) owns spawn", "(anonymous) connects-stdio child", "child.kill releases child"]));
  });

  it("keeps to the relations that are allowed, and says which calls only a run decides", () => {
    const found = semantics(seedOf("string", "notes.txt"), "forward-influence", { allowed: ["consumed-by"] });
    expect(found.reached.by_relation.map(({ relation }) => relation)).toEqual(["consumed-by"]);
    expect(semantics(seedOf("string", "#save"), "forward-influence").unresolved_calls).toEqual([{ reason: "The object is not known.", calls: 1 }]);
  });

  it("gives the same relations in pages of any size", () => {
    const whole = pages(seedOf("string", "notes.txt"), "forward-influence", 1000);
    for (const size of [1, 2, 7]) expect(pages(seedOf("string", "notes.txt"), "forward-influence", size)).toEqual(whole);
  });

  it("refuses a cursor of another graph, another question, or none of ours", () => {
    const seed = seedOf("string", "notes.txt");
    const cursor = semantics(seed, "forward-influence", { pageSize: 1 }).next_cursor ?? "";
    const attempts: readonly Partial<SemanticTracing>[] = [
      { cursor, semanticsSha256: "0".repeat(64) },
      { cursor, seed: seedOf("string", "text") },
      { cursor, includeAmbiguous: true },
      { cursor, allowed: ["consumed-by"] },
      { cursor: cursor.replace(/^\d+/u, "2") },
      { cursor: `999999999.${"0".repeat(64)}` },
      { cursor: "nonsense" },
      { cursor: `${cursor}x` },
    ];
    for (const attempt of attempts) {
      try {
        semantics(seed, "forward-influence", attempt);
        expect.unreachable();
      } catch (error) {
        expect(isReaError(error) ? [error.code, error.details] : error).toMatchObject(["invalid_request", { issues: [{ path: "cursor", reason: "stale_cursor" }] }]);
      }
    }
    expect(semantics(seed, "forward-influence", { pageSize: 3, cursor }).offset).toBe(1);
  });

  it("stops at each bound and says so; nothing found is an answer", () => {
    const few = semantics(seedOf("string", "notes.txt"), "forward-influence", { limits: { max_depth: 1, max_nodes: 2000, max_edges: 4000, max_seed_matches: 25 } });
    expect(few.coverage.omissions).toEqual(expect.arrayContaining([expect.objectContaining({ reason: "limit_depth" })]));
    const narrow = semantics(seedOf("string", "notes.txt"), "forward-influence", { limits: { max_depth: 12, max_nodes: 3, max_edges: 2, max_seed_matches: 25 } });
    expect(narrow.reached).toMatchObject({ relations: 2 });
    expect(semantics(seedOf("string", "no such text"), "callers")).toMatchObject({ total: 0, next_cursor: null, seeds: { total: 0 } });
  });
});

describe("graphs from elsewhere", () => {
  it("that are none are refused, with what to run", () => {
    for (const text of ["null", "{}", '{"content":{}}', '{"content":[1]}', JSON.stringify({ content: { ...rows.graph, nodes: [0.5] } }), JSON.stringify({ content: { ...rows.graph, edges: ["x"] } }), JSON.stringify({ content: { ...rows.graph, more: 1 } })]) {
      for (const read of [semanticGraphIn, applicationGraphIn]) {
        try {
          read(text);
          expect.unreachable();
        } catch (error) {
          expect(isReaError(error) ? [error.code, error.details] : error).toMatchObject(["evidence_integrity_mismatch", { reason: "schema" }]);
        }
      }
    }
  });

  it("whose rows point anywhere are traced without end or fault", () => {
    const number = fc.oneof(fc.integer({ min: -3, max: 60 }), fc.constantFrom(2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400), number), { maxLength: 60 }), fc.array(fc.tuple(fc.nat(400), number), { maxLength: 60 }), fc.constantFrom("backward-provenance" as const, "forward-influence" as const, "callers" as const, "ownership" as const), (nodeChanges, edgeChanges, direction) => {
        const changed = (list: readonly number[], changes: readonly (readonly [number, number])[]): number[] => {
          const copy = list.slice();
          for (const [at, value] of changes) copy[at % Math.max(1, copy.length)] = value;
          return copy;
        };
        const graph = semanticGraphSchema.parse({ ...rows.graph, nodes: changed(rows.graph.nodes, nodeChanges), edges: changed(rows.graph.edges, edgeChanges) });
        const hostile = new SemanticRows(graph);
        const found = semantics(seedOf("api", "s", { match: "contains" }), direction, { semantics: hostile, includeAmbiguous: true });
        expect(semanticTraceSchema.omit({ cited_records: true }).safeParse(found).error).toBeUndefined();
        expect(featureTraceSchema.omit({ cited_records: true }).safeParse(feature(seedOf("string", "s", { match: "contains" }), { semantics: hostile })).error).toBeUndefined();
      }),
    );
  });
});
