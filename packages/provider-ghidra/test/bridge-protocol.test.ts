import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeInstallation, standInAbsent } from "./stub-installation.js";
import { programFile, smallProgram, type StubProgram } from "./stub-program.js";

const token = "ab".repeat(32);

/** The bridge, spoken to as it is: no kit between. */
class Bridge {
  readonly #root: string;
  #server: Server | null = null;
  #child: ChildProcess | null = null;
  #socket: Socket | null = null;
  #lines: AsyncIterator<string> | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  async start(program: StubProgram = smallProgram(), told: object = {}, endpoint?: object): Promise<void> {
    const tcp = endpoint !== undefined;
    const server = createServer();
    this.#server = server;
    const connected = once(server, "connection");
    const path = join(this.#root, tcp ? "endpoint.json" : "s");
    server.listen(tcp ? { host: "127.0.0.1", port: 0 } : path);
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    if (tcp) writeFileSync(path, JSON.stringify({ host: "127.0.0.1", port, ...endpoint }));
    const { installDirectory, env } = makeInstallation(this.#root, "bridge-protocol");
    for (const name of ["project", "scripts"]) mkdirSync(join(this.#root, name));
    writeFileSync(join(this.#root, "target"), programFile(program));
    const descriptor = { schema_version: 1, transport: tcp ? "tcp" : "unix", endpoint_path: path, token, run_id: "r", target_sha256: "0".repeat(64), provider_version: "12.1", profile_digest: "0".repeat(64), ...told };
    writeFileSync(join(this.#root, "session.json"), JSON.stringify(descriptor));
    const at = (name: string): string => join(this.#root, name);
    const args = [at("project"), "rea", "-import", at("target"), "-readOnly", "-deleteProject", "-analysisTimeoutPerFile", "300", "-max-cpu", "2", "-log", at("log"), "-scriptlog", at("slog"), "-scriptPath", at("scripts"), "-postScript", "ReaBridge.java", at("session.json")];
    const child = spawn(join(installDirectory, "support", "analyzeHeadless"), args, { env, stdio: "ignore" });
    this.#child = child;
    const first: unknown = await Promise.race([connected.then(([socket]: unknown[]) => socket), once(child, "exit").then(() => null)]);
    if (!isSocket(first)) return;
    this.#socket = first;
    first.on("error", () => undefined);
    this.#lines = createInterface({ input: first })[Symbol.asyncIterator]();
  }

  get connected(): boolean {
    return this.#socket !== null;
  }

  /** Null at the end of the connection. */
  async line(): Promise<unknown> {
    // A connection that is reset has ended.
    const next = await this.#lines?.next().catch(() => undefined);
    return next === undefined || next.done === true ? null : JSON.parse(next.value);
  }

  send(line: unknown): void {
    this.#socket?.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  ask(id: number, method: string, params: object = {}): void {
    this.send({ id, token, method, params });
  }

  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child === null || child.exitCode !== null) return child?.exitCode ?? null;
    await once(child, "exit");
    return child.exitCode;
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
    this.#server?.close();
    await this.ended();
  }
}

function isSocket(value: unknown): value is Socket {
  return typeof value === "object" && value !== null && "destroy" in value;
}

describe.skipIf(standInAbsent !== undefined)("the bridge's side of the protocol", () => {
  let root = "";
  let bridge: Bridge;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "rea-bridge-"));
    bridge = new Bridge(root);
  });
  afterEach(async () => {
    await bridge.close();
    rmSync(root, { recursive: true, force: true });
  });
  const own = { sha256: "0".repeat(64) };

  it("shows its token first, says what it is, answers in order, and ends with its connection", async () => {
    await bridge.start(smallProgram(own));
    expect(await bridge.line()).toEqual({ hello: 1, token });
    for (const id of [1, 2, 3]) bridge.ask(id, id === 1 ? "ping" : "procedure_address", id === 1 ? {} : { procedure: id === 2 ? "main" : "helper" });
    expect(await bridge.line()).toMatchObject({ id: 1, ok: true, result: { bridge_version: 1, ghidra_version: "12.1", target_sha256: "0".repeat(64), program_sha256: "0".repeat(64), analysis_timed_out: false } });
    expect(await bridge.line()).toEqual({ id: 2, ok: true, result: { value: "0x401000", limitations: [], at: "0x401000" } });
    expect(await bridge.line()).toMatchObject({ id: 3, result: { value: "0x401040" } });
    bridge.send({ id: 0, token, shutdown: true });
    expect(await bridge.line()).toBeNull();
    expect(await bridge.ended()).toBe(0);
  });

  it("answers nothing but what it is about another program than the admitted one", async () => {
    await bridge.start(smallProgram());
    await bridge.line();
    bridge.ask(1, "ping");
    expect(await bridge.line()).toMatchObject({ ok: true, result: { program_sha256: expect.not.stringMatching(/^0/) } });
    bridge.ask(2, "list_names", { offset: 0, limit: 1 });
    expect(await bridge.line()).toMatchObject({ id: 2, ok: false, error: { code: "target_mismatch" } });
  });

  it.each([
    ["another token", { id: 1, token: "cd".repeat(32), method: "ping", params: {} }],
    ["no token", { id: 1, method: "ping", params: {} }],
    ["unknown members", { id: 1, token, method: "ping", params: {}, more: 1 }],
    ["no number", { id: "1", token, method: "ping", params: {} }],
    ["what is no JSON", "{"],
    ["a member twice", `{"id":1,"id":2,"token":"${token}","method":"ping","params":{}}`],
    ["a fraction", `{"id":1.5,"token":"${token}","method":"ping","params":{}}`],
    ["half of a surrogate pair", `{"id":1,"token":"${token}","method":"\\ud800","params":{}}`],
    ["a list", "[]"],
    ["deep nesting", `{"id":1,"token":"${token}","method":"ping","params":${'{"a":'.repeat(40)}1${"}".repeat(40)}}`],
    ["an endless line", "x".repeat(1_000_000)],
  ])("ends at a line with %s", async (_what, line) => {
    await bridge.start(smallProgram(own));
    await bridge.line();
    bridge.send(line);
    expect(await bridge.line()).toBeNull();
    expect(await bridge.ended()).toBe(0);
  });

  const malformed: readonly (readonly [string, object])[] = [
    ["no_such_method", {}],
    ["ping", { more: 1 }],
    ["list_names", {}],
    ["list_names", { offset: -1, limit: 1 }],
    ["list_names", { offset: 0, limit: 501 }],
    ["list_names", { offset: 0, limit: "1" }],
    ["list_names", { offset: 0, limit: 1, more: 1 }],
    ["procedure_info", { procedure: "" }],
    ["procedure_info", { procedure: 7 }],
    ["search_strings", { pattern: "a", mode: "glob", offset: 0, limit: 1 }],
    ["search_strings", { pattern: "a".repeat(300), mode: "literal", offset: 0, limit: 1 }],
    ["xrefs", { address: "4198400", offset: 0, limit: 1 }],
    ["xrefs", { address: "0xffffffffffffffff", offset: 0, limit: 1 }],
    ["inspect_native_data_type", {}],
    ["inspect_native_data_type", { type: "a", address: "0x1" }],
    ["function_dossier", { procedure: "main", limit: 1, offsets: {} }],
  ];
  it("refuses what a method does not take, and goes on", async () => {
    await bridge.start(smallProgram(own));
    await bridge.line();
    for (const [index, [method, params]] of malformed.entries()) {
      const id = 2 * index;
      bridge.ask(id, method, params);
      const refused = { id, ok: false, error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) } };
      expect(await bridge.line(), JSON.stringify([method, params])).toEqual(refused);
      bridge.ask(id + 1, "procedure_address", { procedure: "main" });
      expect(await bridge.line()).toMatchObject({ id: id + 1, ok: true });
    }
  });

  it("gives up the request it is told to, whether it works on it or it still waits", async () => {
    const functions = [{ name: "slow", entry: "0x401000", size: 16, decompile: "slow" }];
    await bridge.start(smallProgram({ ...own, functions }));
    await bridge.line();
    bridge.ask(1, "procedure_pseudo_code", { procedure: "slow" });
    bridge.ask(2, "procedure_pseudo_code", { procedure: "slow" });
    bridge.send({ id: 2, token, cancel: true });
    bridge.send({ id: 1, token, cancel: true });
    bridge.send({ id: 77, token, cancel: true });
    expect(await bridge.line()).toMatchObject({ id: 1, ok: false, error: { code: "cancelled" } });
    expect(await bridge.line()).toMatchObject({ id: 2, ok: false, error: { code: "cancelled" } });
    bridge.ask(3, "procedure_address", { procedure: "slow" });
    expect(await bridge.line()).toMatchObject({ id: 3, ok: true });
  });

  it("connects to a loopback port that a file names, and to nothing else", async () => {
    await bridge.start(smallProgram(own), {}, {});
    expect(await bridge.line()).toEqual({ hello: 1, token });
  });

  it.each([
    [{}, { host: "127.0.0.2" }],
    [{}, { port: 0 }],
    [{}, { port: 65_536 }],
    [{}, { more: "x" }],
    [{}, { host: "x".repeat(2_000) }],
    [{ transport: "pipe" }, {}],
    [{ schema_version: 2 }, undefined],
    [{ more: 1 }, undefined],
  ])("does not connect by a descriptor with %j and an endpoint with %j", async (told, endpoint) => {
    await bridge.start(smallProgram(own), told, endpoint);
    expect(bridge.connected).toBe(false);
    expect(await bridge.ended()).not.toBe(0);
  });
});
