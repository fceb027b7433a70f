import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { canonicalJson, parseEvidence, z } from "@rea/core";
import { afterEach, describe, expect, test } from "vitest";
import { JsonRpcProcess, textOf } from "@rea/testkit";

const serverMain = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const started: JsonRpcProcess[] = [];
function start(options: ConstructorParameters<typeof JsonRpcProcess>[1] = {}): JsonRpcProcess {
  const server = new JsonRpcProcess([serverMain], options);
  started.push(server);
  return server;
}
afterEach(() => {
  for (const server of started.splice(0)) server.child.kill("SIGKILL");
});

const anyObject = z.record(z.string(), z.unknown());
/** Real programs of the host: a small one, and one whose analysis takes long enough to be interrupted. */
const target = ["/bin/ls"].find((path) => existsSync(path)) ?? process.execPath;
const larger = ["/usr/bin/git", "/bin/bash"].find((path) => existsSync(path)) ?? process.execPath;

describe("a hand-written JSON-RPC session", () => {
  test("opens a binary, analyses a function, hands over the bundle and ends with standard input", async () => {
    const server = start();
    const initialized = await server.initialize();
    expect(initialized.result).toMatchObject({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "rea" } });

    const before = JSON.stringify((await server.request("tools/list")).result);
    const opened = await server.call("open_binary", { path: target });
    expect(opened.isError).not.toBe(true);
    expect(textOf(opened)).toEqual(opened.structuredContent);
    expect(textOf(opened)["result"]).toMatchObject({ kind: "executable", binding: { provider: { id: "rea-native" } } });

    const overview = await server.call("binary_overview");
    const evidence = parseEvidence(textOf(overview)["evidence"]);
    expect(evidence.evidence_id).toBe(textOf(overview)["evidence_id"]);
    expect(canonicalJson(evidence.normalized_result)).toBe(canonicalJson(z.json().parse(textOf(overview)["result"])));

    const listed = anyObject.parse(textOf(await server.call("list_procedures", { limit: 1 }))["result"]);
    const [first] = z.array(z.looseObject({ address: z.string() })).parse(listed["items"]);
    const analyzed = await server.call("analyze_function", { procedure: first?.address ?? "" });
    expect(textOf(analyzed)["result"]).toMatchObject({ procedure: { address: first?.address } });

    const bundle = anyObject.parse(textOf(await server.call("get_evidence_bundle"))["result"]);
    expect(bundle["records"]).toHaveLength(3);
    expect(textOf(await server.call("close_binary"))["result"]).toBeNull();

    expect(JSON.stringify((await server.request("tools/list")).result)).toBe(before);
    expect(server.notifications.filter((item) => item.method === "notifications/tools/list_changed")).toEqual([]);
    expect(await server.end()).toBe(0);
  });

  test("every protocol revision the library knows gets an answer, and lists of other kinds are empty", async () => {
    for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]) {
      const server = start();
      expect((await server.initialize(revision)).result).toMatchObject({ protocolVersion: revision });
      expect((await server.request("resources/list")).result).toEqual({ resources: [] });
      expect((await server.request("resources/templates/list")).result).toEqual({ resourceTemplates: [] });
      expect((await server.request("prompts/list")).result).toEqual({ prompts: [] });
      const session = anyObject.parse(textOf(await server.call("binary_session"))["result"]);
      expect(session["server_identity"]).toMatchObject({ protocol_version: revision });
      expect(session["client"]).toMatchObject({ name: "hand-written" });
      expect(await server.end()).toBe(0);
    }
  }, 60_000);

  test("tools/list is what the build wrote, complete and sorted", async () => {
    const server = start();
    await server.initialize();
    const { tools } = z.object({ tools: z.array(z.looseObject({ name: z.string() })) }).parse((await server.request("tools/list")).result);
    const names = tools.map((tool) => tool.name);
    expect(names).toEqual([...names].sort());
    const session = z
      .looseObject({ tool_availability: z.array(z.looseObject({ name: z.string() })) })
      .parse(textOf(await server.call("binary_session"))["result"]);
    expect(session.tool_availability.map((entry) => entry.name)).toEqual(names);
  });

  test("an unknown tool is a protocol error; a wrong argument is a tool error that names the valid keys", async () => {
    const server = start();
    await server.initialize();
    expect((await server.request("tools/call", { name: "no_such_tool", arguments: {} })).error).toMatchObject({ code: -32602 });
    const wrong = await server.call("open_binary", { path: target, colour: "marker-value" });
    expect(wrong.isError).toBe(true);
    expect(wrong.structuredContent).toBeUndefined();
    expect(textOf(wrong)["error"]).toMatchObject({ code: "invalid_request" });
    expect(JSON.stringify(wrong)).not.toContain("marker-value");
    expect(JSON.stringify(wrong)).toContain("raw_architecture");
  });

  test("faulty frames and a line over 10 MiB are answered as JSON-RPC errors, each with a short line in the log", async () => {
    const server = start();
    await server.initialize();
    const bad = async (params: unknown) => (await server.request("tools/call", z.looseObject({}).or(z.array(z.unknown())).parse(params))).error;
    expect(await bad([])).toMatchObject({ code: -32602 });
    expect(await bad({ arguments: {} })).toMatchObject({ code: -32602 });
    expect(await bad({ name: "binary_session", arguments: "text" })).toMatchObject({ code: -32602 });
    expect((await server.request("initialize", { protocolVersion: 5 })).error).toMatchObject({ code: -32602 });
    for (const line of ["{", "[]", `${"x".repeat(11 * 1024 * 1024)}`]) server.child.stdin.write(`${line}\n`);
    server.child.stdin.write('{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"binary_session","arguments":{"__proto__":{"a":1}}}}\n');
    await server.request("ping");
    const hidden = await server.call("binary_session");
    expect(hidden.isError).not.toBe(true);
    const codes = server.lines.flatMap((line) => {
      const frame = z.looseObject({ id: z.null(), error: z.object({ code: z.number() }) }).safeParse(JSON.parse(line));
      return frame.success ? [frame.data.error.code] : [];
    });
    expect(codes).toEqual([-32700, -32600, -32600]);
    expect(server.lines.some((line) => line.includes('"id":"p"') && line.includes("unknown_argument"))).toBe(true);
    expect(server.stderr.trim().split("\n").every((line) => line.length < 250)).toBe(true);
    expect(server.stderr.trim().split("\n").length).toBeLessThan(8);
  }, 60_000);

  test("progress rises, ends before the reply, and is sent only when asked for", async () => {
    const server = start();
    await server.initialize();
    await server.call("open_binary", { path: larger });
    expect(server.notifications).toEqual([]);
    const at = server.lines.length;
    await server.request("tools/call", { name: "binary_overview", arguments: {}, _meta: { progressToken: "p" } }, "last");
    const frames = server.lines.slice(at).map((line) => z.looseObject({}).parse(JSON.parse(line)));
    expect(frames.at(-1)).toMatchObject({ id: "last" });
    const values = frames.slice(0, -1).map((item) => z.object({ params: z.looseObject({ progressToken: z.literal("p"), progress: z.number() }) }).parse(item).params.progress);
    expect(values.length).toBeGreaterThan(0);
    expect(values).toEqual([...values].sort((a, b) => a - b));
  }, 120_000);

  test("a cancelled call leaves no record and the next call works; ping is answered meanwhile", async () => {
    const server = start();
    await server.initialize();
    await server.call("open_binary", { path: larger });
    server.send({ id: "doomed", method: "tools/call", params: { name: "binary_overview", arguments: {} } });
    expect((await server.request("ping")).result).toEqual({});
    server.send({ method: "notifications/cancelled", params: { requestId: "doomed", reason: "test" } });
    const bundle = anyObject.parse(textOf(await server.call("get_evidence_bundle"))["result"]);
    expect(bundle["records"]).toEqual([]);
    const architectures = await server.call("list_architectures");
    expect(architectures.isError).not.toBe(true);
    expect(server.lines.some((line) => line.includes('"doomed"'))).toBe(false);
  }, 120_000);

  test("SIGTERM ends the server after release, in the middle of a call too", async () => {
    const server = start();
    await server.initialize();
    await server.call("open_binary", { path: larger });
    server.send({ id: 99, method: "tools/call", params: { name: "binary_overview", arguments: {} } });
    await server.request("ping");
    server.child.kill("SIGTERM");
    expect(await server.exit).toBe(143);
  }, 60_000);

  test("nothing but frames reaches standard output, even from a poisoned dependency or a crash", async () => {
    const poison = "process.nextTick(()=>console.log('POISON'));setTimeout(()=>{process.stdout.write('POISON');throw new Error('boom')},400)";
    const server = new JsonRpcProcess(["--import", `data:text/javascript,${encodeURIComponent(`setTimeout(()=>{${poison}},1500)`)}`, serverMain]);
    started.push(server);
    await server.initialize();
    expect(await server.exit).toBe(1);
    expect(server.lines.join("")).not.toContain("POISON");
    expect(server.stderr).toContain("POISON");
  });

  test("it starts without a home directory and with a read-only temporary directory", async () => {
    const server = start({ env: { PATH: process.env["PATH"], HOME: "/nonexistent/home", TMPDIR: "/proc" } });
    await server.initialize();
    expect((await server.call("open_binary", { path: target })).isError).not.toBe(true);
    expect((await server.call("binary_overview")).isError).not.toBe(true);
    expect(await server.end()).toBe(0);
  });

  test("the catalogue beside the bundle is the one the tools project to", async () => {
    const { toCatalogue } = await import("@rea/tool");
    const { tools } = await import("@rea/tools");
    const server = start();
    await server.initialize();
    const listed = z.object({ tools: z.unknown() }).parse((await server.request("tools/list")).result);
    expect(listed.tools).toEqual(JSON.parse(JSON.stringify(toCatalogue(tools))));
    expect(readFileSync(serverMain, "utf8")).toContain("build-");
  });
});
