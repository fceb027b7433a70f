import { SemanticRows, semanticGraphSchema, type ApplicationGraph } from "@rea/core";
import { afterAll, describe, expect, it } from "vitest";
import { traceFeature } from "../src/semantics/trace/feature-trace.js";
import { analyze, clean, writeTree, type Tree } from "./support/written-tree.js";

afterAll(clean);

const application: Tree = {
  "package.json": JSON.stringify({ name: "notes", version: "1.0.0", main: "main.js", dependencies: { electron: "30.0.0" } }),
  "main.js": `const { BrowserWindow, ipcMain } = require("electron"); const { store } = require("./store");
ipcMain.handle("save", (event, text) => store(text));
ipcMain.handle("load", () => 1);
ipcMain.on("log", () => {});
ipcMain.handle("print", () => 2);
ipcMain.handle("passed", (event, data) => store(data));
const win = new BrowserWindow({ webPreferences: { preload: __dirname + "/preload.js" } }); win.loadFile("index.html");`,
  "store.js": `exports.store = (text) => fetch("https://store.example/put", { method: "PUT", body: text });`,
  "preload.js": `const { contextBridge, ipcRenderer } = require("electron");
const { print } = require("./printing");
const save = (text) => ipcRenderer.invoke("save", text);
function log(text) { ipcRenderer.send("log", text); }
contextBridge.exposeInMainWorld("notes", { save, log, print, files: { load: () => ipcRenderer.invoke("load") }, version: 3, invoke: (channel, data) => ipcRenderer.invoke(channel, data) });`,
  "printing.js": `const { ipcRenderer } = require("electron"); exports.print = () => ipcRenderer.invoke("print");`,
  "index.html": `<script src="page.js"></script><script src="other.js"></script><script src="third.js"></script>`,
  "page.js": `document.querySelector("#save").onclick = () => window.notes.save("text");`,
  "other.js": `const { files } = globalThis.notes; files.load(); notes.log("x"); const v = window.notes.version; notes.print();`,
  "third.js": `(0, window.notes?.invoke)("passed", 1); notes.invoke(someName); window.notes.absent(); const local = {}; local.save();`,
};

const nameOf = ({ nodes }: ApplicationGraph) => {
  const names = new Map(nodes.map(({ node_id, name }) => [node_id, name]));
  return (id: string): string => names.get(id) ?? "?";
};

/** `from relation to` of each edge that has the words. */
function edgesOf(graph: ApplicationGraph, relation: string): readonly string[] {
  const name = nameOf(graph);
  return graph.edges.filter((edge) => edge.relation === relation).map(({ from, to }) => `${name(from)} → ${name(to)}`).sort();
}

describe("an API that a preload script hands to pages", () => {
  it("has its members, what each of them sends, and the code of pages that uses each", async () => {
    const { graph } = await analyze(writeTree(application));
    expect(edgesOf(graph, "exposes")).toEqual(expect.arrayContaining(["preload.js → notes", "notes → notes.save", "notes → notes.files.load", "notes → notes.version"]));
    expect(edgesOf(graph, "invokes")).toEqual(expect.arrayContaining(["notes.save → save", "notes.files.load → load", "preload.js → save"]));
    expect(edgesOf(graph, "sends")).toEqual(expect.arrayContaining(["notes.log → log"]));
    const calls = edgesOf(graph, "calls");
    expect(calls).toEqual(expect.arrayContaining(["page.js → notes.save", "other.js → notes.files.load", "other.js → notes.log", "other.js → notes.version", "other.js → notes.print", "third.js → notes.invoke", "third.js → notes", "notes.print → printing.js"]));
    expect(calls.filter((edge) => edge.startsWith("page.js"))).toEqual(["page.js → notes.save"]);
    const uses = graph.edges.filter(({ extractor }) => extractor === "bridge-use");
    expect(uses.length).toBeGreaterThan(0);
    for (const { state, confidence, limitations } of uses) expect([state, confidence, limitations.length]).toEqual(["inferred", "high", 1]);
  });

  it("pairs a message whose channel a page names and a function of the API passes on", async () => {
    const { reply, graph } = await analyze(writeTree(application));
    const channel = reply.summary.electron?.channels.items.find((one) => one.channel === "passed");
    expect(channel).toMatchObject({ state: "paired", senders: [{ path: "third.js", line: 1 }], handlers: [{ path: "main.js", line: 6 }] });
    expect(edgesOf(graph, "invokes")).toContain("third.js → passed");
  });

  it("joins nothing when two scripts give the name, and a name of the page's own is no use of it", async () => {
    const tree = { ...application, "second.js": `require("electron").contextBridge.exposeInMainWorld("notes", { save: () => {} });` };
    const { graph } = await analyze(writeTree(tree));
    expect(graph.edges.filter(({ extractor }) => extractor === "bridge-use")).toEqual([]);
    const own = await analyze(writeTree({ ...application, "page.js": `const notes = { save() {} }; notes.save("text");`, "other.js": "", "third.js": "" }));
    expect(own.graph.edges.filter(({ extractor }) => extractor === "bridge-use")).toEqual([]);
  });

  it("leads a trace from the page through bridge, message and handler to what the main process does, and back", async () => {
    const { graph, reply, semantics } = await analyze(writeTree(application));
    const rows = new SemanticRows(semanticGraphSchema.parse(JSON.parse(Buffer.from(semantics.text).toString("utf8"))));
    const limits = { max_depth: 12, max_nodes: 2000, max_edges: 4000, max_paths: 100, max_seed_matches: 25 };
    const trace = (value: string, direction: "outgoing" | "incoming") => traceFeature({ graph, graphSha256: reply.graph_sha256, semantics: rows, seed: { kind: "module", value, match: "exact", case_sensitive: true }, direction, limits, native: [], offset: 0, limit: 500 });
    const outgoing = trace("page.js", "outgoing");
    const names = outgoing.nodes.items.map(({ name }) => name);
    expect(outgoing.paths.items.map(({ relations, nodes }) => nodes.map((node, at) => `${names[node] ?? ""}${at < relations.length ? ` ${relations[at] ?? ""} ` : ""}`).join(""))).toContain(
      "page.js calls notes.save invokes save handles save contains main.js imports store.js calls https://store.example/put",
    );
    expect(names).not.toContain("load");
    expect(trace("store.js", "incoming").nodes.items.map(({ name }) => name)).toEqual(expect.arrayContaining(["main.js", "page.js", "index.html"]));
  });
});
