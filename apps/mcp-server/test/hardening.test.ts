import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { serverMain, startServer } from "./support.js";

const place = mkdtempSync(join(tmpdir(), "rea-hardening-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

/** Writes to standard output in every way a dependency might, before each call and again while the process ends. */
const poison = `
import fs, { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
const require = createRequire(import.meta.url);
const dirty = () => {
  console.log("POISON console");
  process.stdout.write("POISON stream\\n");
  fs.writeSync(1, "POISON descriptor\\n");
  writeSync(1, "POISON named import\\n");
  require("fs").writeFileSync(1, "POISON file\\n");
  fs.write(1, "POISON callback\\n", () => undefined);
  fs.appendFileSync("/dev/stdout", "POISON path\\n");
};
setTimeout(() => setInterval(dirty, 20).unref(), 300).unref();
setTimeout(() => new Worker('console.log("POISON worker"); process.stdout.write("POISON worker stream\\\\n")', { eval: true }).unref(), 400).unref();
process.on("exit", dirty);
`;

test("whatever a dependency writes to standard output goes to standard error, also at the end", async () => {
  const script = join(place, "poison.mjs");
  writeFileSync(script, poison);
  const server = startServer([], { node: ["--import", script] });
  await server.initialize();
  await delay(1500);
  for (let count = 0; count < 5; count += 1) expect((await server.call("binary_session")).isError).not.toBe(true);
  expect(await server.end()).toBe(0);
  await delay(100);
  expect(server.lines.filter((line) => line.includes("POISON"))).toEqual([]);
  for (const way of ["console", "stream", "descriptor", "named import", "file", "callback", "path", "worker", "worker stream"]) expect(server.stderr).toContain(`POISON ${way}`);
});

test("a crash says so on standard error alone, and ends with status 1", async () => {
  const script = join(place, "crash.mjs");
  writeFileSync(script, 'setTimeout(() => { throw new Error("boom"); }, 800);\n');
  const server = startServer([], { node: ["--import", script] });
  await server.initialize();
  expect(await server.exit).toBe(1);
  expect(server.lines).toHaveLength(1);
  expect(server.stderr).toContain("boom");
});

test("ten thousand pipelined requests are all answered, each once", async () => {
  const server = startServer();
  await server.initialize();
  const count = 10_000;
  const replies = Promise.all(Array.from({ length: count }, (_, at) => server.request(at % 100 === 99 ? "tools/call" : "ping", at % 100 === 99 ? { name: "list_unknowns", arguments: {} } : {}, `p${String(at)}`)));
  const answered = await replies;
  expect(answered.every(({ error }) => error === undefined)).toBe(true);
  expect(new Set(answered.map(({ id }) => id)).size).toBe(count);
});

test("what is no message is answered or passed over, and the connection goes on", async () => {
  const server = startServer();
  await server.initialize();
  const { stdin } = server.child;
  for (const line of ["{", "null", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '{"jsonrpc":"1.0","id":5,"method":"ping"}', '{"jsonrpc":"2.0","id":6,"method":7}', "\u0000\u0001", "[".repeat(100_000), '{"jsonrpc":"2.0","id":"x","result":{}}', '{"jsonrpc":"2.0","method":"notifications/nothing"}']) stdin.write(`${line}\n`);
  stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
  expect((await server.request("no/such/method")).error).toMatchObject({ code: -32601 });
  server.send({ method: "notifications/cancelled", params: { requestId: "never-there" } });
  server.send({ method: "notifications/cancelled", params: {} });
  expect((await server.request("initialize", { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: { name: "old", version: "0" } })).result).toHaveProperty("protocolVersion");
  expect((await server.request("ping")).result).toEqual({});
});

test("a second request with an unanswered id is refused, and the first is answered", async () => {
  const server = startServer();
  await server.initialize();
  const frame = JSON.stringify({ jsonrpc: "2.0", id: "same", method: "tools/call", params: { name: "binary_session", arguments: {} } });
  server.child.stdin.write(`${frame}\n${frame}\n`);
  await server.request("tools/call", { name: "binary_session", arguments: {} }, "other");
  const same = server.lines.filter((line) => line.includes('"id":"same"'));
  expect(same).toHaveLength(2);
  expect(same.filter((line) => line.includes("-32600"))).toHaveLength(1);
});

function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

test("a client that does not read holds the server's memory, not its patience", async (context) => {
  if (process.platform !== "linux") return context.skip("memory is read from /proc");
  const child = spawn(process.execPath, [serverMain], { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, REA_LOG_LEVEL: "silent" } });
  try {
    const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "slow", version: "1" } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: initialize })}\n`);
    child.stdin.on("error", () => undefined);
    await delay(1500);
    const before = residentMiB(child.pid ?? 0);
    // Some 28 MB of requests for some 200 MB of replies.
    const padding = "x".repeat(14_000);
    for (let id = 1; id <= 2000; id += 1) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: { _meta: { padding } } })}\n`);
    await delay(4000);
    expect(residentMiB(child.pid ?? 0) - before).toBeLessThan(120);
    // Once it reads, everything arrives.
    let last = false;
    let tail = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      tail = `${tail}${text}`.slice(-200_000);
      last ||= tail.includes('"id":2000}') || tail.includes('"id":2000,');
    });
    for (let round = 0; round < 500 && !last; round += 1) await delay(100);
    expect(last).toBe(true);
  } finally {
    child.kill("SIGKILL");
  }
});

const sleeper = { scenario: { executable: "/bin/sh", arguments: ["-c", "sleep 299"], timeout_ms: 300_000 } };

for (const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const) {
  test(`${signal} in the middle of a call ends it, cleans up and exits with ${String(status)}, also when it comes twice`, async () => {
    const server = startServer();
    await server.initialize();
    server.send({ id: 77, method: "tools/call", params: { name: "capture_process_scenario", arguments: sleeper } });
    await delay(1500);
    server.child.kill(signal);
    server.child.kill(signal);
    expect(await server.exit).toBe(status);
  });
}

test("the end of the input in the middle of a call ends the server and what it started", async () => {
  const server = startServer();
  await server.initialize();
  const marker = join(place, "alive");
  const scenario = { executable: "/bin/sh", arguments: ["-c", `echo $$ > ${marker}; sleep 299`], timeout_ms: 300_000 };
  server.send({ id: 78, method: "tools/call", params: { name: "capture_process_scenario", arguments: { scenario } } });
  for (let round = 0; round < 200 && !hasContent(marker); round += 1) await delay(50);
  expect(await server.end()).toBe(0);
  expect(isAlive(Number(readFileSync(marker, "utf8")))).toBe(false);
});

test("the death of its parent ends the server", async () => {
  const parent = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, [${JSON.stringify(serverMain)}], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "p", version: "1" } } }) + "\\n");
    child.stdout.once("data", () => { process.stdout.write(String(child.pid)); });
    setInterval(() => undefined, 1000);
  `;
  const holder = spawn(process.execPath, ["-e", parent], { stdio: ["ignore", "pipe", "ignore"] });
  const pid = await new Promise<number>((resolve) => holder.stdout.once("data", (text: Buffer) => { resolve(Number(text.toString())); }));
  expect(isAlive(pid)).toBe(true);
  holder.kill("SIGKILL");
  for (let round = 0; round < 200 && isAlive(pid); round += 1) await delay(50);
  expect(isAlive(pid)).toBe(false);
});

test("an id may be any text, zero or negative", async () => {
  const server = startServer();
  await server.initialize();
  for (const id of ["", 0, -1, "\u202e", Number.MAX_SAFE_INTEGER]) expect((await server.request("ping", {}, id)).result).toEqual({});
});

function hasContent(path: string): boolean {
  try {
    return readFileSync(path, "utf8").trim() !== "";
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
