import { existsSync } from "node:fs";
import { z } from "@rea/core";
import { textOf, type JsonRpcProcess } from "@rea/testkit";
import { expect, test } from "vitest";
import { startServer } from "./support.js";

const target = ["/bin/ls"].find((path) => existsSync(path)) ?? process.execPath;
const view = z.strictObject({ state: z.string(), progress: z.looseObject({ phase: z.string() }).nullable(), outcome: z.record(z.string(), z.unknown()).nullable() });

const result = async (server: JsonRpcProcess, name: string, input: object) => textOf(await server.call(name, input))["result"];
const start = async (server: JsonRpcProcess, tool: string, input: object = {}) => z.object({ job_id: z.string() }).parse(await result(server, "start_job", { tool, arguments: input })).job_id;
const look = async (server: JsonRpcProcess, job_id: string, wait_ms = 50_000) => view.parse(await result(server, "get_job", { job_id, wait_ms }));
/** Runs until it is ended; 0.2 s after which nobody reads it would be gone. */
const sleeper = { scenario: { executable: "/bin/sh", arguments: ["-c", "sleep 300"], timeout_ms: 300_000 } };

test("a job's outcome is the reply of the tool itself, and its Evidence is retained", async () => {
  const server = startServer();
  await server.initialize();
  await server.call("open_binary", { path: target });
  const id = await start(server, "list_architectures");
  const { state, outcome } = await look(server, id);
  expect(state).toBe("completed");
  expect(outcome).toEqual(textOf(await server.call("list_architectures")));
  const bundle = z.looseObject({ records: z.array(z.looseObject({ evidence_id: z.string() })) }).parse(await result(server, "get_evidence_bundle", {}));
  expect(bundle.records.map(({ evidence_id }) => evidence_id)).toContain(outcome?.["evidence_id"]);
});

test("a target can be opened as a job, and a waiting get_job keeps no other call from its turn", async () => {
  const server = startServer();
  await server.initialize();
  const id = await start(server, "capture_process_scenario", sleeper);
  const waiting = look(server, id);
  const opened = await look(server, await start(server, "binary_session"));
  expect(opened.outcome).toMatchObject({ result: { open: false } });
  expect(await result(server, "cancel_job", { job_id: id })).toEqual({ state: "cancelled" });
  expect(await waiting).toMatchObject({ state: "cancelled", outcome: { error: { code: "cancelled" } } });
  expect(await result(server, "cancel_job", { job_id: id })).toEqual({ state: "cancelled" });
  expect(z.looseObject({ records: z.array(z.unknown()) }).parse(await result(server, "get_evidence_bundle", {})).records).toEqual([]);
});

test("a job that fails says so in its outcome, and arguments that cannot be used start none", async () => {
  const server = startServer();
  await server.initialize();
  const failed = await look(server, await start(server, "list_procedures"));
  expect(failed).toMatchObject({ state: "failed", outcome: { error: { code: "target_unavailable" } } });
  const refused = textOf(await server.call("start_job", { tool: "open_binary", arguments: { pfad: "/x" } }))["error"];
  expect(refused).toMatchObject({ code: "invalid_request", details: { operation: "start_job", issues: expect.arrayContaining([expect.objectContaining({ path: "arguments.pfad" })]) } });
  for (const tool of ["start_job", "get_job", "nothing"]) {
    expect(textOf(await server.call("start_job", { tool, arguments: {} }))["error"]).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "tool" }] } });
  }
  expect(textOf(await server.call("get_job", { job_id: "job_99" }))["error"]).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "job_id" }] } });
});

test("eight jobs run at most, the ninth is told to wait, and the end of the input ends them all", async () => {
  const server = startServer();
  await server.initialize();
  for (let count = 0; count < 8; count += 1) await start(server, "capture_process_scenario", sleeper);
  expect(textOf(await server.call("start_job", { tool: "binary_session" }))["error"]).toMatchObject({ code: "provider_unavailable", details: { reason: "queue_full" } });
  expect(await server.end()).toBe(0);
});

test("of jobs that are over the newest sixty-four are kept", async () => {
  const server = startServer();
  await server.initialize();
  const ids: string[] = [];
  for (let count = 0; count < 70; count += 1) {
    const id = await start(server, "list_unknowns");
    await look(server, id);
    ids.push(id);
  }
  expect(textOf(await server.call("get_job", { job_id: ids[0] ?? "" }))["error"]).toMatchObject({ code: "invalid_request" });
  expect((await look(server, ids[69] ?? "")).state).toBe("completed");
});

test("a client that names tasks gets them: created, polled, their result, cancelled", async () => {
  const server = startServer();
  const initialized = await server.request("initialize", { protocolVersion: "2025-11-25", capabilities: { tasks: {} }, clientInfo: { name: "tasks", version: "1" } });
  expect(initialized.result).toMatchObject({ capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } } });
  server.send({ method: "notifications/initialized" });
  const { tools } = z.looseObject({ tools: z.array(z.looseObject({ execution: z.unknown() })) }).parse((await server.request("tools/list")).result);
  expect(tools.every(({ execution }) => JSON.stringify(execution) === '{"taskSupport":"optional"}')).toBe(true);

  const task = z.looseObject({ taskId: z.string(), status: z.string(), createdAt: z.string(), ttl: z.null() });
  const create = async (name: string, input: object) => z.looseObject({ task }).parse((await server.request("tools/call", { name, arguments: input, task: { ttl: 60_000 } })).result).task;
  const made = await create("open_binary", { path: target });
  expect(made.status).toBe("working");
  const reply = (await server.request("tasks/result", { taskId: made.taskId })).result;
  expect(reply).toMatchObject({ structuredContent: { result: { kind: "executable" } }, _meta: { "io.modelcontextprotocol/related-task": { taskId: made.taskId } } });
  expect((await server.request("tasks/get", { taskId: made.taskId })).result).toMatchObject({ taskId: made.taskId, status: "completed" });
  expect((await server.request("tasks/cancel", { taskId: made.taskId })).error).toMatchObject({ code: -32602 });

  const long = await create("capture_process_scenario", sleeper);
  expect((await server.request("tasks/cancel", { taskId: long.taskId })).result).toMatchObject({ status: "cancelled" });
  expect((await server.request("tasks/result", { taskId: long.taskId })).result).toMatchObject({ isError: true });
  expect((await server.request("tasks/get", { taskId: "none" })).error).toMatchObject({ code: -32602 });
  expect((await server.request("tasks/list", {})).error).toMatchObject({ code: -32601 });
  expect((await server.request("tools/call", { name: "open_binary", arguments: {}, task: {} })).error).toMatchObject({ code: -32602 });
});

test("a client that does not name tasks sees nothing of them", async () => {
  const server = startServer();
  const initialized = await server.initialize("2025-11-25");
  expect(initialized.result).toMatchObject({ capabilities: { tools: {} } });
  expect(JSON.stringify(initialized.result)).not.toContain("tasks");
  expect((await server.request("tasks/get", { taskId: "job_1" })).error).toMatchObject({ code: -32601 });
  expect(JSON.stringify((await server.request("tools/list")).result)).not.toContain("taskSupport");
});
