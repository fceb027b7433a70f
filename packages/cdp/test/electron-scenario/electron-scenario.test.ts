import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { electronScenarioCaptureSchema, electronScenarioSchema, silentProgress, type ElectronScenarioCapture } from "@rea/core";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readFuses } from "../../src/electron-scenario/fuses.js";
import { runElectronScenario } from "../../src/electron-scenario/run-electron-scenario.js";
import { summarizeElectron } from "../../src/electron-scenario/summarize-electron.js";
import { installedBrowser } from "../browsers/installed-browser.js";
import { processesUsing } from "../browsers/processes-using.js";
import { writeStubApplication } from "./stub-electron.js";

const main = `"use strict";
const path = require("node:path");
const { app, BrowserWindow, ipcMain, shell, protocol, stubSession } = require("electron");
protocol.registerSchemesAsPrivileged([{ scheme: "stub" }]);
app.setAsDefaultProtocolClient("stub");
app.on("open-url", (_event, url) => ipcMain.emit("opened", { sender: window.webContents }, url));
ipcMain.handle("save-note", (_event, text, options) => {
  void shell.openExternal("https://example.org/?token=classified-token&page=2");
  window.webContents.send("saved", { id: 1 }, [1, 2]);
  return "saved " + options.count;
});
ipcMain.on("opened", () => undefined);
let window;
app.whenReady().then(() => {
  window = new BrowserWindow();
  stubSession.setPermissionRequestHandler((_contents, permission, callback) => callback(permission === "notifications"));
  stubSession.asks(window.webContents, "camera", () => undefined, {});
  return window.loadFile(path.join(__dirname, "index.html"));
});
`;

let launcher: ProcessLauncher;
let directory = "";
beforeAll(() => {
  launcher = createLauncher();
});
afterAll(async () => {
  expect(await launcher.close()).toEqual({ remaining: [] });
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rea-test-electron-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function run(more: object, signal = new AbortController().signal): Promise<ElectronScenarioCapture> {
  const scenario = electronScenarioSchema.parse({ executable_path: process.execPath, application_path: directory, limits: { action_timeout_ms: 30_000, max_duration_ms: 120_000 }, ...more });
  return runElectronScenario({ scenario, host: { launcher, environment: process.env }, signal, progress: silentProgress });
}

describe.skipIf(installedBrowser === undefined || process.platform !== "linux")("an Electron scenario, against a stand-in for Electron's main process and Chromium (skipped without a browser)", () => {
  beforeEach(() => void writeStubApplication(directory, installedBrowser ?? "", main));

  it("records windows, messages by shape, permissions and protocols, and keeps outside effects from happening", async () => {
    const capture = await run({
      actions: [
        { type: "wait", css: "#send" },
        { type: "click", role: "button", name: "Send" },
        { type: "wait", text: "saved 3" },
        { type: "deep_link", mode: "open_url", url: "stub://note/1" },
        { type: "renderer_reload" },
        { type: "renderer_crash" },
      ],
    });
    expect(electronScenarioCaptureSchema.parse(capture)).toEqual(capture);
    expect(capture.actions.map(({ type, outcome, failure }) => [type, outcome, failure])).toEqual([
      ["wait", "completed", null],
      ["click", "completed", null],
      ["wait", "completed", null],
      ["deep_link", "completed", null],
      ["renderer_reload", "completed", null],
      ["renderer_crash", "completed", null],
    ]);
    expect(capture).toMatchObject({ outcome: "completed", observation: ["complete"], cleanup: { resources: [] } });
    const seen = (kind: string, event: string) => capture.events.filter((each) => each.kind === kind && each.event === event);
    expect(seen("ipc", "handle")).toMatchObject([{ name: "save-note", direction: "registered" }]);
    expect(seen("ipc", "message")).toMatchObject([
      { name: "save-note", direction: "to_main", argument_shapes: ["string", "object{count:number,title:string}"], contents: 1, action: 1 },
      { name: "opened", direction: "to_main", argument_shapes: ["string"], action: 3 },
    ]);
    expect(seen("ipc", "send")).toMatchObject([{ name: "saved", direction: "to_renderer", argument_shapes: ["object{id:number}", "array(2)"] }]);
    expect(seen("shell", "openExternal")).toMatchObject([{ blocked: true, url: "https://example.org/?token=«redacted»&page=2", action: 1 }]);
    expect(seen("app", "setAsDefaultProtocolClient")).toMatchObject([{ blocked: true, name: "stub" }]);
    expect(seen("permission", "request")).toMatchObject([{ name: "camera", reason: "denied", contents: 1 }]);
    expect(seen("protocol", "registerSchemesAsPrivileged")).toMatchObject([{ name: "stub" }]);
    expect(seen("app", "open-url")).toMatchObject([{ url: "stub://note/1" }]);
    expect(seen("window", "created")).toHaveLength(1);
    expect(seen("navigation", "did-navigate")[0]?.url).toMatch(/^file:\/\/«application»\/index\.html\?port=\d+$/);
    expect(existsSync(join(directory, "happened-open-external"))).toBe(false);
    expect(existsSync(join(directory, "happened-protocol-client"))).toBe(false);
    // Values of messages, credentials and paths of this host are nowhere.
    expect(JSON.stringify(capture)).not.toMatch(/classified|rea-test-electron|rea-browser-/);
    expect(summarizeElectron(capture, { sha256: "0".repeat(64), bytes: 1 })).toMatchObject({ blocked_effects: { total: 2 }, ipc_channels: expect.arrayContaining([{ name: "save-note", count: 2 }]) });
    expect(processesUsing(directory)).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("rea-browser-") && processesUsing(name).length > 0)).toEqual([]);
  }, 180_000);

  it("ends at the action that fails, tells why, and keeps what came before", async () => {
    const capture = await run({ limits: { action_timeout_ms: 8_000, max_duration_ms: 60_000 }, actions: [{ type: "wait", css: "#send" }, { type: "click", css: "button, p" }, { type: "wait", ms: 10 }] });
    expect(capture.actions.map(({ outcome, failure, matches }) => [outcome, failure, matches])).toEqual([
      ["completed", null, 1],
      ["failed", "locator_ambiguous", 2],
      ["not_run", null, null],
    ]);
    expect(capture.outcome).toBe("failed");
  }, 120_000);

  it("keeps messages up to its bound and says how many were left out", async () => {
    const capture = await run({ limits: { ipc_events: 1, action_timeout_ms: 30_000 }, actions: [{ type: "click", css: "#send" }, { type: "wait", text: "saved 3" }] });
    expect(capture.events.filter(({ kind }) => kind === "ipc")).toHaveLength(1);
    expect(capture.dropped_events.ipc).toBeGreaterThan(0);
    expect(capture.observation).toContain("capture_truncated");
  }, 120_000);

  it("that is cancelled leaves nothing", async () => {
    const controller = new AbortController();
    const running = run({ actions: [{ type: "wait", css: "#never" }] }, controller.signal);
    setTimeout(() => controller.abort(), 3_000);
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    expect(processesUsing(directory)).toEqual([]);
  }, 60_000);
});

describe("an application that cannot be observed", () => {
  it("because it ends at once is told, and its directory is gone", async () => {
    writeStubApplication(directory, "/missing", `process.exit(4);`);
    const capture = await run({ actions: [{ type: "wait", css: "#x" }], limits: { action_timeout_ms: 2_000 } });
    expect(capture).toMatchObject({ observation: ["target_exited", "partial_attach"], exit: { code: 4, by_itself: true }, actions: [{ outcome: "failed", failure: "browser_exited" }] });
  }, 60_000);

  it("because of a switch of its build names the switch", async () => {
    const program = join(directory, "program");
    const wire = (states: string): Buffer => Buffer.concat([Buffer.alloc(5000, 1), Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX"), Buffer.from([1, states.length]), Buffer.from(states)]);
    writeFileSync(program, wire("101011r0"), { mode: 0o755 });
    await expect(run({ executable_path: program })).rejects.toMatchObject({ code: "capability_unavailable", details: { reason: "build_switch", switch: "node_cli_inspect", blocks: true } });
    expect((await readFuses(program, new AbortController().signal)).map(({ name, enabled }) => [name, enabled])).toContainEqual(["load_browser_process_snapshot", null]);
    writeFileSync(program, wire("1111"));
    expect(await readFuses(program, new AbortController().signal)).toContainEqual({ name: "node_cli_inspect", enabled: true, blocks: false });
    expect(await readFuses(process.execPath, new AbortController().signal)).toEqual([]);
  });
});
