import { silentProgress } from "@rea/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EnginePool } from "../src/engine-pool.js";
import { EngineWorker } from "../src/engine-worker.js";
import type { Target } from "@rea/provider";

const entry = new URL("./fixtures/scripted-worker.mjs", import.meta.url);
const target: Target = {
  path: "/nonexistent",
  name: "nonexistent",
  sha256: "0".repeat(64),
  bytes: 0,
  kind: "executable",
  format: "elf",
  architecture: "x86_64",
  available_architectures: [],
  role: null,
  managed: false,
  raw: null,
  note: null,
  bundle_root: null,
};

describe("a worker", () => {
  let worker: EngineWorker;
  beforeEach(() => {
    worker = new EngineWorker(target, { entry, graceMs: 50, heapMegabytes: 64 });
  });
  afterEach(() => worker.close());

  const call = (operation: string, signal = new AbortController().signal) =>
    worker.call({ operation, build: () => ({ params: {}, session: null }) }, { signal, progress: silentProgress });

  test.each([
    ["die", "worker_exited"],
    ["throw", "worker_exited"],
    ["noise", "worker_exited"],
    ["exhaust", "out_of_memory"],
  ])("when it ends by %s all waiting calls fail with a typed error, and the next call starts a fresh one", async (operation, reason) => {
    const waiting = await Promise.allSettled([call(operation), call("a")]);
    for (const outcome of waiting) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "provider_unavailable", details: { reason } } });
      expect(JSON.stringify(outcome)).not.toContain("secret name");
    }
    expect(await call("b")).toMatchObject({ result: "b" });
  });

  test("a cancelled call that waits leaves the queue", async () => {
    const controller = new AbortController();
    const first = call("a");
    const second = call("b", controller.signal);
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: "cancelled" });
    expect(await first).toMatchObject({ result: "a" });
    expect(worker.activity()).toEqual({ active: null, queued_requests: 0 });
  });

  test("a cancelled call ends at once for its caller and stays visible until the work stops", async () => {
    const controller = new AbortController();
    const first = call("wait", controller.signal);
    expect(worker.activity().active).toMatchObject({ operation: "wait", caller_state: "waiting" });
    controller.abort();
    expect(worker.activity().active).toMatchObject({ operation: "wait", caller_state: "cancelled" });
    await expect(first).rejects.toMatchObject({ code: "cancelled" });
    expect(await call("b")).toMatchObject({ result: "b" });
  });

  test("work that ignores its cancellation is ended with its thread, and calls behind it are answered", async () => {
    const controller = new AbortController();
    const first = call("spin", controller.signal);
    const second = call("b");
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: "cancelled" });
    expect(await second).toMatchObject({ result: "b" });
  });

  test("a closed worker refuses calls, and closing again is safe", async () => {
    await call("a");
    await worker.close();
    await worker.close();
    await expect(call("b")).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "closed" } });
  });
});

describe("the pool", () => {
  test("shares one worker among those who ask about the same target, until the last one lets go", async () => {
    const pool = new EnginePool({ entry });
    const first = pool.acquire(target);
    const second = pool.acquire({ ...target });
    const other = pool.acquire({ ...target, architecture: "arm64" });
    expect(second.worker).toBe(first.worker);
    expect(other.worker).not.toBe(first.worker);
    await first.release({ keep: false });
    await first.release({ keep: false });
    expect(pool.acquire(target).worker).toBe(second.worker);
    await other.release({ keep: true });
    expect(pool.acquire({ ...target, architecture: "arm64" }).worker).toBe(other.worker);
  });

  test("keeps one worker that nobody holds, and none after closing the idle ones", async () => {
    const pool = new EnginePool({ entry });
    const first = pool.acquire(target);
    const other = pool.acquire({ ...target, architecture: "arm64" });
    await first.release({ keep: true });
    await other.release({ keep: true });
    const again = pool.acquire(target);
    expect(again.worker).not.toBe(first.worker);
    await again.release({ keep: true });
    await pool.closeIdle();
    expect(pool.acquire(target).worker).not.toBe(again.worker);
  });
});
