import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isReaError, runtimeCaptureSchema, runtimeSummarySchema, sha256Hex, type ObserveRuntimeInput } from "@rea/core";
import { createLauncher, type OwnedProcess, type ProcessLauncher } from "@rea/lineage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { listRuntimeTargets, observeRuntime, parseEndpoint } from "../../src/index.js";
import { recordingEndpoint, type RecordingEndpoint } from "./recording-endpoint.js";
import { context } from "./real-browser.js";

const scriptSource = `
const { helper } = require("./helper.js");
console.error("beats begin");
let beats = 0;
setInterval(() => { beats += 1; console.log("beat", beats, { helper: helper() }); if (process.env.STOPS) { debugger; } }, 40);
`;
const helperSource = "exports.helper = () => 'help';\n//# sourceMappingURL=helper.js.map\n";

let directory = "";
let launcher: ProcessLauncher;
const endpoints: RecordingEndpoint[] = [];

describe("a Node process under inspection", () => {
  beforeAll(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), "rea-test-inspector-")));
    writeFileSync(join(directory, "main.js"), scriptSource);
    writeFileSync(join(directory, "helper.js"), helperSource);
    launcher = createLauncher();
  });
  afterAll(async () => {
    for (const endpoint of endpoints) await endpoint.close();
    await launcher.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** `node --inspect` on a free port; the port is told on standard error. */
  async function startNode(environment: { readonly [name: string]: string } = {}): Promise<{ readonly url: string; readonly run: OwnedProcess }> {
    const run = await launcher.start({
      executable: process.execPath,
      arguments: ["--inspect=127.0.0.1:0", join(directory, "main.js")],
      environment,
      workingDirectory: directory,
      signal: new AbortController().signal,
      deadlineMs: 300_000,
      outputBytes: 1_000_000,
    });
    for (;;) {
      const port = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(run.output().stderr.bytes.toString("utf8"))?.[1];
      if (port !== undefined) return { url: `http://127.0.0.1:${port}`, run };
      await pause();
    }
  }

  async function recorded(url: string): Promise<RecordingEndpoint> {
    const endpoint = await recordingEndpoint(url);
    endpoints.push(endpoint);
    return endpoint;
  }

  async function targetOf(url: string): Promise<string> {
    const listed = await listRuntimeTargets({ endpoint: parseEndpoint(url, { operation: "test", field: "x" }), operation: "test", signal: new AbortController().signal }, { offset: 0, limit: 10 });
    expect(listed.targets.items).toEqual([expect.objectContaining({ type: "node", url: `file://${join(directory, "main.js")}`, attached: null })]);
    expect(listed.limitations).toEqual(["The endpoint does not tell whether another client is attached to a target."]);
    return listed.targets.items[0]?.target_id ?? "";
  }

  function observe(url: string, target: string, more: Partial<ObserveRuntimeInput> = {}) {
    return observeRuntime({ inspector_endpoint: url, target_id: target, runtime_kind: "node", observation_ms: 400, ...more }, context()).then(({ whole, summary }) => {
      runtimeSummarySchema.parse(summary);
      return { capture: runtimeCaptureSchema.parse(whole.content), summary };
    });
  }

  it("shows its scripts as they are on disk, its contexts and its events", async () => {
    const { url } = await startNode();
    const { capture, summary } = await observe(url, await targetOf(url));
    const script = (name: string) => capture.scripts.find(({ local_path }) => local_path === join(directory, name));
    expect(script("helper.js")).toMatchObject({ url: `file://${join(directory, "helper.js")}`, origin_kind: "application", source_map: "external", content_sha256: sha256Hex(helperSource) });
    expect(script("main.js")).toMatchObject({ source_map: "none", content_sha256: sha256Hex(scriptSource), kind: "script" });
    expect(capture.scripts.filter(({ origin_kind }) => origin_kind === "runtime").length).toBeGreaterThan(50);
    expect(capture.contexts).toEqual([expect.objectContaining({ is_default: true, kind: "default" })]);
    expect(capture.contexts[0]?.name).not.toMatch(/\d{2}/);
    const beat = capture.events.find(({ kind, detail }) => kind === "console" && detail === "log");
    expect(beat).toMatchObject({ url: `file://${join(directory, "main.js")}`, line: 4, argument_types: ["string", "number", "object"] });
    expect(beat?.times).toBeGreaterThan(1);
    expect(capture).toMatchObject({ role: "caller-declared-unverified", runtime_kind: "node", ended_by: "window" });
    expect(capture.unknowns).toHaveLength(4);
    expect(summary.scripts.items.slice(0, 2).every(({ origin_kind }) => origin_kind === "application")).toBe(true);
    expect(JSON.stringify(summary).length * 2).toBeLessThan(24 * 1024);
  });

  it("shows the same scripts and contexts twice", async () => {
    const { url } = await startNode();
    const target = await targetOf(url);
    const [first, second] = [await observe(url, target), await observe(url, target)];
    expect(second.summary.scripts.sha256).toBe(first.summary.scripts.sha256);
    expect(second.capture.contexts).toEqual(first.capture.contexts);
  });

  it("is sent Runtime.enable and Debugger.enable and nothing else", async () => {
    const { url } = await startNode();
    const endpoint = await recorded(url);
    await observe(endpoint.url, await targetOf(endpoint.url));
    expect(endpoint.methods).toEqual(["Runtime.enable", "Debugger.enable"]);
    while (endpoint.open() > 0) await pause();
  });

  it("goes on when a debugger statement would have stopped it", async () => {
    const { url, run } = await startNode({ STOPS: "1" });
    const { capture } = await observe(url, await targetOf(url), { observation_ms: 10_000 });
    expect(capture.ended_by).toBe("paused");
    expect(capture.limitations.join(" ")).toContain("debugger statement");
    const beats = (): number => run.output().stdout.bytes.toString("utf8").split("beat").length;
    const before = beats();
    while (beats() < before + 3) await pause();
  });

  it("is looked at while another client is attached, which Node does not tell, and the result says so", async () => {
    const { url } = await startNode();
    const target = await targetOf(url);
    const socket = new WebSocket(`${url.replace("http", "ws")}/${target}`);
    await new Promise((resolve) => socket.on("open", resolve));
    const { capture } = await observe(url, target);
    expect(capture.target.attached).toBeNull();
    expect(capture.limitations).toContain("The endpoint does not tell whether another client is attached to a target.");
    socket.close();
  });

  it("keeps to the roots that are allowed, and counts the rest", async () => {
    const { url } = await startNode();
    const target = await targetOf(url);
    const { capture } = await observe(url, target, { allowed_file_roots: [join(directory, "elsewhere")] });
    expect(capture.scripts.filter(({ origin_kind }) => origin_kind === "application")).toEqual([]);
    expect(capture.excluded.scripts).toBe(2);
    expect(JSON.stringify(capture.scripts)).not.toContain(directory);
    expect(await failureCode(observe(url, target, { allowed_file_roots: ["relative"] }))).toBe("invalid_request");
  });

  it("ends with what was seen when the program ends", async () => {
    const { url, run } = await startNode();
    const target = await targetOf(url);
    const watched = observe(url, target, { observation_ms: 10_000 });
    await pause(300);
    await run.close();
    const { capture } = await watched;
    expect(capture.ended_by).toBe("target_gone");
    expect(capture.scripts.length).toBeGreaterThan(10);
  });

  it("says what a limit left out, and refuses a kind that the target is not", async () => {
    const { url } = await startNode();
    const target = await targetOf(url);
    const { capture } = await observe(url, target, { limits: { scripts: 5, events: 1 } });
    expect(capture.scripts).toHaveLength(5);
    expect(capture.coverage.omissions.map(({ scope, reason, limit }) => [scope, reason, limit])).toContainEqual(["scripts", "limit_items", 5]);
    expect(await failureCode(observe(url, target, { runtime_kind: "electron-renderer" }))).toBe("target_unavailable");
    expect(await failureCode(observe(url, "another-id"))).toBe("target_unavailable");
  });
});

function pause(milliseconds = 30): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function failureCode(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => "none",
    (failure: unknown) => failure,
  );
  return isReaError(error) ? error.code : "untyped";
}
