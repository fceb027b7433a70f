import { parseApplicationGraph } from "@rea/core";
import { afterAll, describe, expect, it } from "vitest";
import { analyze, clean, packAsar, writeTree } from "./support/written-tree.js";

afterAll(clean);

const application = {
  "package.json": JSON.stringify({ name: "notes", version: "1.2.3", main: "main.js", dependencies: { electron: "30.0.0" } }),
  "main.js": `const { app, BrowserWindow, ipcMain, protocol, shell } = require("electron");
const path = require("path");
const { CHANNELS } = require("./channels");
const SAVE = "notes:save";
function create() {
  const win = new BrowserWindow({ width: 800, webPreferences: { preload: path.join(__dirname, "preload.js"), contextIsolation: true, nodeIntegration: false, sandbox: flag } });
  win.loadFile("index.html");
  win.webContents.on("will-navigate", (event) => event.preventDefault());
  win.webContents.send("notes:changed", 1);
}
ipcMain.handle(SAVE, async (event, note) => { if (new URL(event.senderFrame.url).host !== "x") return; return note; });
ipcMain.handle(CHANNELS.LOAD, load);
ipcMain.handle("notes:twice", () => 1);
ipcMain.handle("notes:twice", () => 2);
ipcMain.handle("notes:" + kind, () => 3);
ipcMain.on("notes:log", function (event, text) { console.log(text); });
app.setAsDefaultProtocolClient("notes");
protocol.handle("notes-file", () => null);
fetch("https://api.notes.example/v1/sync", { method: "POST" });
`,
  "channels.js": `exports.CHANNELS = Object.freeze({ LOAD: "notes:load" });\n`,
  "preload.js": `const { contextBridge, ipcRenderer } = require("electron");
contextBridge.exposeInMainWorld("notes", {
  save: (note) => ipcRenderer.invoke("notes:save", note),
  load: () => ipcRenderer.invoke("notes:load"),
  twice: () => ipcRenderer.invoke("notes:twice"),
  log: (text) => ipcRenderer.send("notes:log", text),
  onChanged: (listener) => ipcRenderer.on("notes:changed", listener),
  nobody: () => ipcRenderer.invoke("notes:nobody"),
});
`,
  "index.html": `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'"><script src=" renderer%2Ejs?x#y "></script>`,
  "renderer.js": `window.notes.load();\n`,
};

describe("an Electron application", () => {
  it("shows its windows, bridges, messages and security with the places that show them", async () => {
    const { reply } = await analyze(writeTree(application));
    const { electron, security, application: what } = reply.summary;
    expect(what).toMatchObject({ kind: "electron", name: "notes", version: "1.2.3", electron_version: "30.0.0" });
    expect(electron).toMatchObject({ browser_windows: 1, explicit_web_preferences: 4, preload_entrypoints: 1, context_bridge_apis: 1, exposed_api_members: 6 });
    expect(electron?.windows.items[0]).toMatchObject({ options: "literal", preload: { path: "preload.js" }, loads: [{ method: "loadFile", path: "index.html" }], at: { path: "main.js", line: 6 } });
    expect(electron?.ipc).toEqual({ operations: 13, literal_channels: 6, dynamic_channel_operations: 1, renderer_transmissions: 5, renderer_listeners: 1, main_handlers: 6, paired: 3, ambiguous: 1, unpaired: 1 });
    const channels = electron?.channels.items.map(({ channel, state, handlers }) => [channel, state, handlers.map(({ line, sender_checks }) => [line, ...sender_checks])]);
    expect(channels).toEqual([
      ["notes:load", "paired", [[12]]],
      ["notes:log", "paired", [[16]]],
      ["notes:save", "paired", [[11, "url"]]],
      ["notes:twice", "ambiguous", [[13], [14]]],
      ["notes:nobody", "unpaired", []],
      ["notes:changed", "listed", [[7]]],
    ]);
    expect(security.map(({ check, finding }) => `${check} ${finding}`)).toEqual(
      expect.arrayContaining(["context-isolation set", "node-integration set", "sandbox unknown", "content-security-policy set", "navigation-guard present", "sender-validation present", "permission-handler absent"]),
    );
    for (const line of security) if (line.finding === "set" || line.finding === "present" || line.finding === "weakened") expect(line.at.length).toBeGreaterThan(0);
    expect(electron?.protocols.items.map(({ scheme }) => scheme)).toEqual(["notes", "notes-file"]);
    expect(reply.summary.endpoints.items[0]).toMatchObject({ host: "api.notes.example", items: [{ method: "POST", basis: "fetch-call" }] });
  });

  it("never joins what is ambiguous or decided at run time, and calls every join a conclusion", async () => {
    const { graph } = await analyze(writeTree(application));
    const named = new Map(graph.nodes.map((node) => [node.node_id, node]));
    const handled = graph.edges.filter(({ relation }) => relation === "handles");
    expect(handled.map(({ to }) => named.get(to)?.name).sort()).toEqual(["notes:load", "notes:log", "notes:save"]);
    for (const { state, confidence, limitations } of handled) expect([state, confidence === "exact", limitations.length > 0]).toEqual(["inferred", false, true]);
  });

  it("has a graph that keeps its own rules and whose ids can be recomputed", async () => {
    const { graph } = await analyze(writeTree(application));
    expect(parseApplicationGraph(JSON.parse(JSON.stringify(graph)))).toEqual(graph);
    const [first] = graph.nodes;
    const forged = { ...graph, nodes: graph.nodes.map((node) => (node === first ? { ...node, name: "another" } : node)) };
    expect(() => parseApplicationGraph(forged)).toThrow(/not that of its content/u);
  });

  it("has the same graph at another path, with one thread or more", async () => {
    const one = await analyze(writeTree(application), { threads: 1 });
    const other = await analyze(writeTree(Object.fromEntries(Object.entries(application).reverse()), `${writeTree({})}/elsewhere/app`), { threads: 4 });
    expect(other.graph.graph_id).toBe(one.graph.graph_id);
    expect(other.reply.graph_sha256).toBe(one.reply.graph_sha256);
  });

  it("has the same nodes packed as unpacked, but for the container", async () => {
    const directory = writeTree(application);
    const unpacked = await analyze(directory);
    const packed = await analyze(await packAsar(directory));
    const ids = ({ graph }: typeof packed) => graph.nodes.filter(({ kind }) => kind !== "artifact").map(({ node_id }) => node_id);
    expect(ids(packed)).toEqual(ids(unpacked));
    expect(packed.reply.format).toBe("asar");
  });

  it("is found inside a packaged application's directory", async () => {
    const directory = writeTree(application);
    const { readFileSync } = await import("node:fs");
    const packaged = writeTree({ "resources/app.asar": readFileSync(await packAsar(directory)), "LICENSE": "x" });
    const { reply, graph } = await analyze(packaged);
    expect(reply.summary.application.name).toBe("notes");
    expect(reply.summary.electron?.ipc.paired).toBe(3);
    const own = (await analyze(directory)).graph.nodes.filter(({ kind }) => kind === "ipc-handler").map(({ node_id }) => node_id);
    expect(graph.nodes.filter(({ kind }) => kind === "ipc-handler").map(({ node_id }) => node_id)).toEqual(own);
  });
});
