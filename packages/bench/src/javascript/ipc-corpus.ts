import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { graphOf } from "./graph-of.js";

/** Ways in which applications write a handler and a call for one channel; each is compiled or written by hand somewhere. */
const handlers: readonly ((channel: string) => string)[] = [
  (channel) => `const { ipcMain } = require("electron"); ipcMain.handle("${channel}", () => 1);`,
  (channel) => `import { ipcMain } from "electron"; const C = "${channel}"; ipcMain.handle(C, handler); function handler() {}`,
  (channel) => `import * as electron from "electron"; electron.ipcMain.handle(\`${channel}\`, async () => 1);`,
  (channel) => `"use strict"; var e = require("electron"); const t = Object.freeze({ A: "${channel}" }); (0, e.ipcMain.handle)(t.A, (() => {}));`,
  (channel) => `var import_electron = __toESM(require("electron")); import_electron.ipcMain.handle("${channel}", this.run.bind(this));`,
  (channel) => `const electron_1 = __importDefault(require("electron")); electron_1.default.ipcMain.handle("${channel}", () => {});`,
  (channel) => `import electron from "electron"; const { ipcMain: main } = electron; main.handleOnce("${channel}", () => {});`,
];
const callers: readonly ((channel: string) => string)[] = [
  (channel) => `const { ipcRenderer } = require("electron"); ipcRenderer.invoke("${channel}", 1);`,
  (channel) => `import { ipcRenderer as ipc } from "electron"; export const call = (...args) => ipc.invoke("${channel}", ...args);`,
  (channel) => `import { contextBridge, ipcRenderer } from "electron/renderer"; contextBridge.exposeInMainWorld("api", { run: () => ipcRenderer.invoke("${channel}") });`,
  (channel) => `var i = window.require("electron").ipcRenderer; i.invoke("${channel}").then(console.log);`,
  (channel) => `const { ipcRenderer: n } = require("electron"), r = { A: { B: "${channel}" } }; n.invoke(r.A.B);`,
];

export interface IpcScore {
  readonly channels: number;
  readonly recallPpm: number;
  readonly precisionPpm: number;
}

/** Pairs of generated sources: every way to handle with every way to call, beside channels that must not be joined. */
export async function ipcPairs(directory: string): Promise<IpcScore> {
  mkdirSync(directory, { recursive: true });
  const truth = new Set<string>();
  const put = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  put("package.json", JSON.stringify({ name: "ipc", version: "1.0.0", main: "h0-0.js", dependencies: { electron: "30.0.0" } }));
  for (const [h, handler] of handlers.entries()) {
    for (const [c, caller] of callers.entries()) {
      const channel = `app:${String(h)}:${String(c)}`;
      truth.add(channel);
      put(`h${String(h)}-${String(c)}.js`, handler(channel));
      put(`c${String(h)}-${String(c)}.js`, caller(channel));
    }
  }
  // None of these may be joined: two handlers, a channel put together, another object's method, a name of the file's own.
  put("twice.js", 'const { ipcMain } = require("electron"); ipcMain.handle("no:twice", a); ipcMain.handle("no:twice", b);');
  put("built.js", 'const { ipcMain } = require("electron"); ipcMain.handle("no:" + kind, a);');
  put("other.js", 'import { ipcMain } from "./own.js"; ipcMain.handle("no:other", a); const ipcRenderer = own(); ipcRenderer.invoke("no:own");');
  put("own.js", "export const ipcMain = { handle() {} }; class ipcRenderer {} ");
  put("callers.js", 'const { ipcRenderer } = require("electron"); for (const c of ["no:twice"]) ipcRenderer.invoke("no:twice"); ipcRenderer.invoke("no:built"); ipcRenderer.invoke("no:other");');
  const graph = await graphOf(directory);
  const names = new Map(graph.nodes.map(({ node_id, name }) => [node_id, name]));
  const found = new Set(graph.edges.filter(({ relation }) => relation === "handles").flatMap(({ to }) => names.get(to) ?? []));
  const right = [...found].filter((channel) => truth.has(channel)).length;
  return { channels: truth.size, recallPpm: Math.round((right / truth.size) * 1e6), precisionPpm: Math.round((right / found.size) * 1e6) };
}
