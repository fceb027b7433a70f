import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deepOperations, silentProgress, type DeepOperationName, type ProgressUpdate } from "@rea/core";
import type { AnalysisClient, Target } from "@rea/provider";
import { testProvider } from "@rea/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { EnginePool } from "../src/engine-pool.js";
import { createNativeProvider } from "../src/native-provider.js";
import { fileTarget } from "./file-target.js";

const list = "/bin/ls";
const absent = process.platform === "linux" && existsSync(list) ? undefined : `${list} is not here`;

const suiteState = mkdtempSync(join(tmpdir(), "rea-suite-"));
afterAll(() => rmSync(suiteState, { recursive: true, force: true }));

testProvider({
  provider: createNativeProvider({ stateDirectory: suiteState, clientName: "suite", clientVersion: "1" }),
  fixtures: [{ name: list, target: () => fileTarget(list), absent }],
  without: ["set_current_document"],
});

describe.skipIf(absent !== undefined)("the worker", () => {
  let directory = "";
  let client: AnalysisClient;
  let pool: EnginePool;
  let target: Target;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "rea-native-"));
    const path = join(directory, "program");
    copyFileSync(list, path);
    target = fileTarget(path);
    pool = new EnginePool();
    client = await start();
  });
  afterEach(async () => {
    await client.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(): Promise<AnalysisClient> {
    const options = { stateDirectory: join(directory, "state"), clientName: "test", clientVersion: "1", pool };
    const provider = createNativeProvider(options);
    const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
    return await provider.createClient(target, profile, { runId: "run" });
  }

  async function ask(operation: DeepOperationName, question: object = {}, more: Partial<{ signal: AbortSignal; on: (update: ProgressUpdate) => void; client: AnalysisClient }> = {}) {
    const context = {
      signal: more.signal ?? new AbortController().signal,
      progress: more.on === undefined ? silentProgress : { report: more.on },
    };
    return await (more.client ?? client).execute(operation, deepOperations[operation].params.parse(question), context);
  }

  test("a session has its own cursor and calls run in order", async () => {
    const segments = deepOperations.list_segments.result.parse((await ask("list_segments")).result);
    const data = segments.items.find(({ writable }) => writable === true)?.start ?? "0x0";
    const other = await start();
    const [entry, , moved] = await Promise.all([
      ask("current_address"),
      ask("goto_address", { address: data }),
      ask("current_address"),
    ]);
    expect(moved.result).toBe(data);
    expect((await ask("current_address", {}, { client: other })).result).toBe(entry.result);
    await other.close();
    expect((await ask("current_address")).result).toBe(data);
  });

  test("cancelling during the analysis ends the call, and the next call is answered", async () => {
    const controller = new AbortController();
    const running = ask("list_procedures", {}, { signal: controller.signal, on: () => controller.abort() });
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    expect(client.activity().queued_requests).toBe(0);
    await expect(ask("list_procedures")).resolves.toMatchObject({ result: { offset: 0 } });
  });

  test("progress rises and tells the phase", async () => {
    const seen: ProgressUpdate[] = [];
    await ask("list_procedures", {}, { on: (update) => seen.push(update) });
    expect(seen.length).toBeGreaterThan(0);
    for (const [index, { completed }] of seen.entries()) expect(completed).toBeGreaterThanOrEqual(seen[index - 1]?.completed ?? 0);
  });

  test("a changed file is refused, before and after it was analysed", async () => {
    await ask("list_segments");
    writeFileSync(target.path, Buffer.concat([readFileSync(target.path), Buffer.from([0])]));
    await expect(ask("list_segments")).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_changed" } });
    await client.close();
    client = await start();
    await expect(ask("list_segments")).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_changed" } });
    rmSync(target.path);
    await expect(ask("list_segments")).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "missing" } });
  });

  test("annotations of one session are in force in another and in the parameters of both", async () => {
    const other = await start();
    const { result: entry } = await ask("current_address");
    expect((await ask("address_name", { address: entry })).resolved_parameters).not.toHaveProperty("annotations_sha256");
    const written = await ask("set_address_name", { address: entry, name: "begin" });
    const read = await ask("address_name", { address: entry }, { client: other });
    expect(read.result).toBe("begin");
    expect(read.resolved_parameters["annotations_sha256"]).toMatch(/^[0-9a-f]{64}$/);
    expect(written.resolved_parameters["annotations_sha256"]).toBe(read.resolved_parameters["annotations_sha256"]);
    await other.close();
  });

  test("a call is refused when too many wait, and closing cancels those that wait", async () => {
    const settled = Promise.allSettled(Array.from({ length: 40 }, () => ask("list_segments")));
    await client.close();
    const reasons = (await settled).flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(reasons.filter((reason) => reason.details.reason === "queue_full")).toHaveLength(7);
    expect(reasons.filter((reason) => reason.code === "cancelled")).toHaveLength(33);
  });

  test("procedures page exactly, one by one", async () => {
    const whole = deepOperations.list_procedures.result.parse((await ask("list_procedures", { limit: 500 })).result);
    expect(whole.items.length).toBeGreaterThan(100);
    for (const [offset, item] of whole.items.slice(0, 100).entries()) {
      expect((await ask("list_procedures", { offset, limit: 1 })).result).toMatchObject({ items: [item], total: whole.total });
    }
  });

  test("file offsets are where the bytes stand", async () => {
    const { result: entry } = await ask("current_address");
    const place = deepOperations.address_to_file_offset.result.parse((await ask("address_to_file_offset", { address: entry })).result);
    const offset = place.file_offset ?? 0;
    const bytes = readFileSync(list).subarray(offset, offset + 64).toString("hex");
    expect((await ask("read_bytes", { address: entry, length: 64 })).result).toMatchObject({ bytes_hex: bytes });
  });

  test("an idle worker does not keep its process alive", () => {
    const code = `
      const { createNativeProvider } = await import(${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)});
      const provider = createNativeProvider({ stateDirectory: ${JSON.stringify(directory)}, clientName: "x", clientVersion: "1" });
      const target = ${JSON.stringify(target)};
      const signal = new AbortController().signal;
      const profile = await provider.resolveAnalysisProfile(target, { signal });
      const client = await provider.createClient(target, profile, { runId: "r" });
      const { result } = await client.execute("list_segments", { offset: 0, limit: 1 }, { signal, progress: { report() {} } });
      process.stdout.write(String(result.total));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", timeout: 50_000 });
    expect(Number(output)).toBeGreaterThan(0);
  });
});
