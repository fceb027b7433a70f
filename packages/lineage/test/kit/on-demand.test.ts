import type { ProgressUpdate } from "@rea/core";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OnDemandEngine } from "../../src/index.js";
import { launcher } from "../run-program.js";
import { contextOf, StubHost } from "./stub-host.js";

const call = (method: string, params: object = {}) => ({ operation: `stub_${method}`, method, params: { ...params }, timeoutMs: 30_000 });

describe.skipIf(process.platform !== "linux")("an engine on demand", () => {
  it("is started by the first call, shared by those that come meanwhile, and ended by its close", async () => {
    const host = new StubHost();
    const engine = new OnDemandEngine(host.launcher, host.spec());
    expect(host.sessions).toEqual([]);
    expect(engine.alive).toBe(false);
    const seen: [ProgressUpdate[], ProgressUpdate[]] = [[], []];
    const asked = seen.map((updates, each) => engine.call(call("echo", { each }), contextOf({ progress: { report: (update) => void updates.push(update) } })));
    expect(engine.activity()).toMatchObject({ active: { operation: "start_engine", caller_state: "waiting" }, queued_requests: 0 });
    expect(await Promise.all(asked)).toEqual([{ each: 0 }, { each: 1 }]);
    for (const updates of seen) expect(updates.map(({ phase }) => phase)).toContain("engine_connect");
    expect(host.sessions).toHaveLength(1);
    expect(engine.alive).toBe(true);
    expect(engine.activity()).toEqual({ active: null, queued_requests: 0 });
    expect(await engine.close()).toEqual({ resources: [] });
    expect(await engine.close()).toEqual({ resources: [] });
    expect(engine.lineage()).toMatchObject({ status: "verified" });
    await expect(engine.call(call("echo"), contextOf())).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "closed" } });
    await host.expectNothingLeft();
  });

  it("that has died is replaced by the next call", async () => {
    const host = new StubHost();
    const engine = new OnDemandEngine(host.launcher, host.spec());
    await expect(engine.call(call("kill"), contextOf())).rejects.toMatchObject({ details: { reason: "engine_exited", signal: "SIGKILL" } });
    expect(engine.alive).toBe(false);
    expect(await engine.call(call("echo"), contextOf())).toEqual({});
    expect(host.sessions).toHaveLength(2);
    expect(await engine.close()).toEqual({ resources: [] });
    await host.expectNothingLeft();
  });

  it("goes on starting for those who still wait, and is given up with the last of them", async () => {
    const host = new StubHost();
    const engine = new OnDemandEngine(host.launcher, host.spec({ fault: "never_connects" }));
    const [first, second] = [new AbortController(), new AbortController()];
    const [one, two] = [first, second].map(({ signal }) => engine.call(call("echo"), contextOf({ signal })));
    await expect.poll(() => host.sessions.length).toBe(1);
    first.abort();
    await expect(one).rejects.toMatchObject({ code: "cancelled" });
    expect(engine.activity().active).toMatchObject({ operation: "start_engine" });
    second.abort();
    await expect(two).rejects.toMatchObject({ code: "cancelled", details: { cleanup: "complete" } });
    expect(engine.activity()).toEqual({ active: null, queued_requests: 0 });
    expect(readdirSync(host.parent)).toEqual([]);
    await host.expectNothingLeft();
  });

  it("that is given up does not keep the next call from starting another", async () => {
    const host = new StubHost();
    const faults = ["never_connects"];
    const spec = host.spec();
    const engine = new OnDemandEngine(host.launcher, { ...spec, prepare: (session) => host.spec({ fault: faults.pop() ?? "" }).prepare(session) });
    const controller = new AbortController();
    const given = engine.call(call("echo"), contextOf({ signal: controller.signal }));
    await expect.poll(() => host.sessions.length).toBe(1);
    controller.abort();
    // Whoever calls in the same turn shares the start; this one comes when it is being cleared away.
    await new Promise((resolve) => setImmediate(resolve));
    const next = engine.call(call("echo", { next: true }), contextOf());
    await expect(given).rejects.toMatchObject({ code: "cancelled" });
    expect(await next).toEqual({ next: true });
    await engine.close();
    await host.expectNothingLeft();
  });

  it("that is closed while it starts is given up, and who waits is told", async () => {
    const host = new StubHost();
    const engine = new OnDemandEngine(host.launcher, host.spec({ fault: "no_hello" }));
    const waiting = engine.call(call("echo"), contextOf()).catch((error: unknown) => error);
    await expect.poll(() => host.sessions.length).toBe(1);
    expect(await engine.close()).toEqual({ resources: [] });
    expect(await waiting).toMatchObject({ code: "cancelled" });
    await host.expectNothingLeft();
  });

  it("whose failed start left something names it at every close until it is gone", async () => {
    let held = true;
    const host = new StubHost("engines", launcher({ kill: (pid, signal) => void (held || process.kill(pid, signal)) }));
    const engine = new OnDemandEngine(host.launcher, host.spec({ fault: "wrong_token", deaf: true }));
    await expect(engine.call(call("echo"), contextOf())).rejects.toMatchObject({ code: "cleanup_incomplete" });
    expect(await engine.close()).toMatchObject({ resources: [{ kind: "process_group" }] });
    held = false;
    expect(await engine.close()).toEqual({ resources: [] });
    await host.expectNothingLeft();
  });
});
