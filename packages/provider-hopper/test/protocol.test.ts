import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface, type Interface } from "node:readline";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import type { OwnedProcess } from "@rea/lineage";
import { afterEach, describe, expect, test } from "vitest";
import { newLauncher, sampleProgram, standInAbsent, symbolsOf, targetOf, temporaryDirectory } from "./stand-in.js";

const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((path) => existsSync(path)) ?? "";
const serve = fileURLToPath(new URL("./stand-in/serve.py", import.meta.url));
const bridge = fileURLToPath(new URL("../bridge/rea_hopper/", import.meta.url));
const token = "a".repeat(64);

/** One side of the wire, by hand. */
class Wire {
  readonly server: Server;
  readonly process: Promise<OwnedProcess>;
  readonly #lines: string[] = [];
  #wake: () => void = () => undefined;
  socket: Socket | null = null;
  ended = false;

  constructor(settings: object = {}) {
    const path = join(temporaryDirectory(), "socket");
    const { kind, path: target, sha256 } = targetOf(sampleProgram());
    const session = { transport: "unix", socket: path, token, run_id: "r", target: { kind, path: target, sha256 } };
    this.server = createServer((socket) => this.#take(socket));
    this.process = new Promise((resolve, reject) => {
      this.server.listen(path, () => {
        const request = { executable: python, arguments: [serve, JSON.stringify(session), JSON.stringify(settings)], environment: { PATH: "/usr/bin:/bin" }, workingDirectory: "/", signal: new AbortController().signal, deadlineMs: 600_000 };
        newLauncher().start(request).then(resolve, reject);
      });
    });
  }

  send(value: object | string): void {
    this.socket?.write(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
  }

  ask(id: number, method: string, params: unknown = {}): void {
    this.send({ id, token, method, params });
  }

  /** The next line; undefined when the other side has hung up. */
  async next(): Promise<unknown> {
    while (this.#lines.length === 0 && !this.ended) await new Promise<void>((resolve) => (this.#wake = resolve));
    const line = this.#lines.shift();
    return line === undefined ? undefined : JSON.parse(line);
  }

  /** The next line that is no progress. */
  async answer(): Promise<unknown> {
    for (;;) {
      const line = await this.next();
      if (!(typeof line === "object" && line !== null && "event" in line)) return line;
    }
  }

  async close(): Promise<void> {
    this.socket?.destroy();
    this.server.close();
    await (await this.process).close();
  }

  #take(socket: Socket): void {
    this.socket = socket;
    const lines: Interface = createInterface({ input: socket });
    lines.on("line", (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    lines.on("close", () => {
      this.ended = true;
      this.#wake();
    });
    socket.on("error", () => undefined);
  }
}

const wires: Wire[] = [];
afterEach(async () => {
  for (const wire of wires.splice(0)) await wire.close();
});

async function connected(settings: object = {}): Promise<Wire> {
  const wire = new Wire(settings);
  wires.push(wire);
  expect(await wire.next()).toEqual({ hello: 1, token });
  return wire;
}

/** Where the program begins. */
const entry = (): string => symbolsOf(sampleProgram()).get("_start") ?? "missing";

const refused = (id: number, type: string, code: string): object => ({ id, error: { code, type, message: expect.any(String) } });

describe.skipIf(standInAbsent !== undefined)("the bridge's side of the wire", () => {
  test("says who it is, opens, and answers each request once, in order", async () => {
    const wire = await connected();
    for (const id of [1, 2, 3]) wire.ask(id, id === 1 ? "open_target" : "current_document");
    expect(await wire.answer()).toMatchObject({ id: 1, result: { bridge_version: 1, run_id: "r" } });
    expect(await wire.answer()).toEqual({ id: 2, result: { result: "target", omissions: [], limitations: [], resolved: {}, confidence: "observed" } });
    expect(await wire.answer()).toMatchObject({ id: 3 });
  });

  test("refuses what it does not know, and goes on", async () => {
    const wire = await connected();
    const cases: readonly [string, unknown, string, string][] = [
      ["no_such_method", {}, "capability_unavailable", "unknown_method"],
      ["list_segments", [], "invalid_request", "invalid_parameter"],
      ["list_segments", { offset: 0 }, "invalid_request", "invalid_parameter"],
      ["list_segments", { offset: -1, limit: 1 }, "invalid_request", "invalid_parameter"],
      ["list_segments", { offset: 0, limit: true }, "invalid_request", "invalid_parameter"],
      ["list_segments", { offset: 0, limit: 1, more: 1 }, "invalid_request", "invalid_parameter"],
      ["read_bytes", { address: "401000", length: 1 }, "invalid_request", "invalid_parameter"],
      ["read_bytes", { address: "0x1ffffffffffffffff", length: 1 }, "invalid_request", "invalid_parameter"],
      ["procedure_info", {}, "invalid_request", "invalid_parameter"],
      ["search_strings", { pattern: "", mode: "literal", case_sensitive: false, offset: 0, limit: 1 }, "invalid_request", "invalid_parameter"],
      ["search_strings", { pattern: "x".repeat(257), mode: "literal", case_sensitive: false, offset: 0, limit: 1 }, "invalid_request", "invalid_parameter"],
      ["set_addresses_names", { names: [] }, "invalid_request", "invalid_parameter"],
    ];
    for (const [index, [method, params, type, code]] of cases.entries()) {
      wire.ask(index + 1, method, params);
      expect(await wire.answer(), method).toEqual(refused(index + 1, type, code));
    }
  });

  test("writes nothing for a request with a parameter it does not know", async () => {
    const wire = await connected();
    wire.ask(1, "set_comment", { address: entry(), comment: "c", more: 1 });
    expect(await wire.answer()).toEqual(refused(1, "invalid_request", "invalid_parameter"));
    wire.ask(2, "comment", { address: entry() });
    expect(await wire.answer()).toMatchObject({ id: 2, result: { result: null } });
  });

  test("hangs up on who shows another token, after saying so", async () => {
    const wire = await connected();
    wire.send({ id: 1, token: `${token.slice(1)}b`, method: "current_document", params: {} });
    expect(await wire.next()).toEqual(refused(1, "authorization", "wrong_token"));
    expect(await wire.next()).toBeUndefined();
  });

  test.each([
    ["garbage", "garbage"],
    ["a list", "[]"],
    ["a request with a further key", JSON.stringify({ id: 1, token, method: "current_document", params: {}, more: 1 })],
    ["a request without parameters", JSON.stringify({ id: 1, token, method: "current_document" })],
    ["a number that is none", JSON.stringify({ id: "1", token, method: "current_document", params: {} })],
    ["a line without end", "x".repeat(2 * 1024 * 1024 + 10)],
  ])("hangs up on %s", async (_what, line) => {
    const wire = await connected();
    wire.send(line);
    expect(await wire.next()).toBeUndefined();
    const { exit } = await (await wire.process).ended;
    expect(exit).toEqual({ code: 0, signal: null });
  });

  test("gives a request up that is cancelled, also one that waits, and answers the next", async () => {
    const wire = await connected({ analysis_ms: 600_000 });
    wire.ask(1, "open_target");
    wire.ask(2, "current_document");
    wire.ask(2, "cancel");
    wire.ask(99, "cancel");
    wire.ask(1, "cancel");
    expect(await wire.answer()).toEqual(refused(1, "remote", "cancelled"));
    expect(await wire.answer()).toEqual(refused(2, "remote", "cancelled"));
    wire.ask(3, "current_document");
    expect(await wire.answer()).toMatchObject({ id: 3, result: { result: "target" } });
  });

  test("ends when it is told to, and when nobody is there any more", async () => {
    const told = await connected({ analysis_ms: 600_000 });
    told.ask(1, "open_target");
    told.ask(0, "shutdown");
    expect(await told.answer()).toEqual(refused(1, "remote", "cancelled"));
    expect(await told.answer()).toBeUndefined();
    expect((await (await told.process).ended).exit.code).toBe(0);
    const left = await connected();
    left.socket?.destroy();
    expect((await (await left.process).ended).exit.code).toBe(0);
  });

  test("tells of an exception of Hopper its class only, and goes on", async () => {
    const wire = await connected({ broken: ["Segment.getNameAtAddress", "Procedure.decompile"] });
    wire.ask(1, "address_name", { address: entry() });
    expect(await wire.answer()).toEqual({ id: 1, error: { type: "bridge_exception", code: "exception", message: "ValueError" } });
    wire.ask(2, "list_segments", { offset: 0, limit: 1 });
    expect(await wire.answer()).toMatchObject({ id: 2, result: { result: { total: expect.any(Number) } } });
  });

  test("takes no answer of Hopper for an empty one", async () => {
    const silent = ["Segment.getNamedAddresses", "Segment.getReferencesOfAddress", "Segment.getReferencesFromAddress", "Segment.readBytes", "Procedure.getLocalVariableList", "Procedure.signatureString", "Procedure.getAllCallers", "Procedure.decompile", "Segment.getNameAtAddress", "Document.getBookmarks", "Segment.getName"];
    const wire = await connected({ silent_about: silent });
    const procedure = entry();
    const page = { offset: 0, limit: 10 };
    const cases: readonly [string, object, object | string | null][] = [
      ["list_names", page, { items: [], total: 0 }],
      ["xrefs", { ...page, address: procedure }, { items: [] }],
      ["read_bytes", { address: procedure, length: 4 }, { returned_bytes: 0, complete: false }],
      ["procedure_info", { procedure }, { name: `sub_${procedure.slice(2)}`, signature: null, locals: [] }],
      ["procedure_callers", { ...page, procedure }, { items: [] }],
      ["procedure_pseudo_code", { procedure }, null],
      ["list_bookmarks", page, { items: [] }],
      ["procedure_references", { ...page, procedure, direction: "outgoing", max_instructions: 5 }, { instructions_scanned: 5 }],
      ["list_segments", { offset: 0, limit: 1 }, { items: [{ name: "" }] }],
      ["function_dossier", { procedure, limit: 5, offsets: Object.fromEntries(["basic_blocks", "callees", "callers", "comments", "incoming_references", "outgoing_references", "referenced_names", "referenced_strings"].map((name) => [name, 0])) }, { instruction_scan: { truncated: false } }],
    ];
    for (const [index, [method, params, result]] of cases.entries()) {
      wire.ask(index + 1, method, params);
      const answer = await wire.answer();
      if (result === null) expect(answer, method).toMatchObject({ result: { result: null } });
      else expect(answer, method).toMatchObject({ id: index + 1, result: { result } });
    }
  });
});

describe.skipIf(standInAbsent !== undefined)("a version of Hopper that tells less", () => {
  test("leaves what it does not tell unknown, and fails nothing else", async () => {
    const wire = await connected({ without: ["Procedure.signatureString", "Procedure.getLocalVariableList", "Segment.getFileOffset", "Document.getBookmarkName", "Segment.getObjectLength", "Segment.getInstructionStart"] });
    wire.ask(1, "procedure_info", { procedure: entry() });
    expect(await wire.answer()).toMatchObject({ id: 1, result: { result: { name: "_start", signature: null, locals: [] } } });
    wire.ask(2, "list_segments", { offset: 0, limit: 1 });
    expect(Object.keys(Object(await wire.answer()).result.result.items[0])).not.toContain("file_offset");
    wire.ask(3, "set_bookmark", { address: entry(), name: "n" });
    expect(await wire.answer()).toMatchObject({ id: 3, result: { result: true } });
    wire.ask(4, "list_bookmarks", { offset: 0, limit: 1 });
    expect(await wire.answer()).toMatchObject({ id: 4, result: { result: { items: [{ address: entry(), name: null }] } } });
    wire.ask(5, "next_address", { address: entry() });
    expect(await wire.answer()).toMatchObject({ id: 5, result: { result: `0x${(BigInt(entry()) + 1n).toString(16)}` } });
    wire.ask(6, "procedure_pseudo_code", { procedure: entry() });
    expect(await wire.answer()).toMatchObject({ id: 6, result: { confidence: "inferred" } });
  });
});

describe("the bridge's sources", () => {
  const files = readdirSync(bridge, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".py"));

  test("are small", () => {
    expect(files.length).toBeGreaterThan(20);
    for (const name of files) expect(readFileSync(join(bridge, name), "utf8").split("\n").length, name).toBeLessThanOrEqual(300);
  });

  test.skipIf(python === "")("are Python 3.8, of the standard library only", () => {
    const script = "import ast,sys,json\nfor p in sys.argv[1:]:\n t=ast.parse(open(p,encoding='utf-8').read(),feature_version=(3,8))\n print(json.dumps([n.names[0].name if isinstance(n,ast.Import) else n.module for n in ast.walk(t) if isinstance(n,ast.Import) or (isinstance(n,ast.ImportFrom) and n.level==0)]))";
    const told = execFileSync(python, ["-c", script, ...files.map((name) => join(bridge, name))], { encoding: "utf8" });
    const imported = new Set(told.trim().split("\n").flatMap((line): unknown[] => JSON.parse(line)));
    expect([...imported].sort()).toEqual(["hashlib", "hmac", "json", "os", "platform", "queue", "re", "socket", "threading", "time", "unicodedata"]);
  });
});
