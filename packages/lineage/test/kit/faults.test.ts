import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ask, stubProtocol, StubHost } from "./stub-host.js";

const onLinux = describe.skipIf(process.platform !== "linux");
const long = 30_000;
const short = 1_500;

onLinux("an engine that does not come up", () => {
  it.each([
    ["never connects", "never_connects", short, { code: "provider_timeout", details: { operation: "start_engine", timeout_ms: short, phase: "engine_connect" } }],
    ["connects and never says who it is", "no_hello", short, { code: "provider_timeout", details: { phase: "engine_handshake" } }],
    ["shows another token", "wrong_token", long, { code: "provider_unavailable", details: { provider_id: "stub", reason: "authentication_failed" } }],
    ["shows a token of another length", "short_token", long, { code: "provider_unavailable", details: { reason: "authentication_failed" } }],
    ["greets in another language", "garbage_hello", long, { code: "unreadable_output", details: { reason: "handshake_malformed" } }],
    ["greets without end", "long_hello", long, { code: "unreadable_output", details: { reason: "handshake_malformed" } }],
    ["greets with more than is known", "hello_with_more", long, { code: "unreadable_output", details: { reason: "handshake_malformed" } }],
    ["exits at once", "exit_at_once", long, { code: "provider_unavailable", details: { reason: "engine_exited", exit_code: 0, signal: null, stderr_tail: "" } }],
    ["leaves a child and exits", "child_then_exit", long, { code: "provider_unavailable", details: { reason: "engine_exited", exit_code: 4 } }],
  ])("that %s is a typed error inside its deadline, and gone", async (_what, fault, startupMs, error) => {
    const host = new StubHost();
    await expect(host.open({ fault }, { startupMs })).rejects.toMatchObject(error);
    await host.expectNothingLeft();
  });

  it("tells the end of what it wrote to its standard error, escaped, bounded, and without the token", async () => {
    const host = new StubHost();
    const failed = await host.open({ fault: "exit_with_words" }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "provider_unavailable", details: { reason: "engine_exited", exit_code: 3 } });
    const { details, message } = Object(failed);
    expect(Buffer.byteLength(details.stderr_tail)).toBeLessThanOrEqual(16_384);
    expect(details.stderr_tail.endsWith("x\\u{1b}[31m the token is [token]\n")).toBe(true);
    expect(details.stderr_bytes).toBeGreaterThan(200_000);
    const [session] = host.sessions;
    expect(JSON.stringify([details, message])).not.toContain(session?.token);
    await host.expectNothingLeft();
  });

  it("is ended when its adapter finds it not ready, in whatever way", async () => {
    const host = new StubHost();
    const { openEngine } = await import("../../src/index.js");
    const context = { signal: new AbortController().signal, progress: { report: () => undefined } };
    const silent = openEngine(host.launcher, host.spec({}, { startupMs: short }), context, async (engine, leftMs) => {
      expect(leftMs).toBeLessThanOrEqual(short);
      await ask(engine, "silent");
    });
    await expect(silent).rejects.toMatchObject({ code: "provider_timeout", details: { phase: "engine_ready" } });
    const dying = openEngine(host.launcher, host.spec(), context, async (engine) => void (await ask(engine, "kill")));
    await expect(dying).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "engine_exited", signal: "SIGKILL" } });
    const foreign = openEngine(host.launcher, host.spec(), context, () => Promise.reject(new Error("no")));
    await expect(foreign).rejects.toMatchObject({ code: "execution_failure" });
    await host.expectNothingLeft();
  });

  it("has no room for what its adapter writes", async () => {
    const host = new StubHost();
    const { writeFile } = await import("node:fs/promises");
    const full = host.open({}, { prepare: async () => Promise.reject(await writeFile("/dev/full", "x").catch((error: unknown) => error)) });
    await expect(full).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "private_directory_unusable", errno: "ENOSPC" } });
    await host.expectNothingLeft();
  });

  it("fails as a missing program does, with nothing made", async () => {
    const host = new StubHost();
    const { prepare } = host.spec();
    const missing = host.open({}, { prepare: async (session) => ({ ...(await prepare(session)), executable: "/does/not/exist" }) });
    await expect(missing).rejects.toMatchObject({ code: "target_unavailable" });
    const told = host.open({}, { prepare: async (session) => ({ ...(await prepare(session)), arguments: [session.token] }) });
    await expect(told).rejects.toMatchObject({ code: "execution_failure" });
    expect(readdirSync(host.parent)).toEqual([]);
  });
});

onLinux("an engine that misbehaves under a request", () => {
  const off = (reason: string): object => ({ code: "unreadable_output", details: { provider_id: "stub", reason } });
  const gone = (details: object): object => ({ code: "provider_unavailable", details: { provider_id: "stub", ...details } });
  it.each([
    ["sends garbage", "garbage", {}, off("not_json")],
    ["sends what is no UTF-8", "not_utf8", {}, off("not_utf8")],
    ["sends an empty line", "empty_line", {}, off("not_json")],
    ["says one thing twice", "twice", {}, off("not_json")],
    ["sends unknown keys", "unknown_keys", {}, off("unknown_shape")],
    ["answers and refuses at once", "both", {}, off("unknown_shape")],
    ["answers another request", "wrong_id", {}, off("wrong_request_id")],
    ["sends a line without end", "too_long", { bytes: 11 * 1024 * 1024 }, off("frame_too_long")],
    ["dies in the middle of a line", "mid_line", {}, gone({ reason: "engine_exited", exit_code: 5 })],
    ["hangs up", "hang_up", {}, gone({})],
    ["exits", "exit", { code: 7 }, gone({ reason: "engine_exited", exit_code: 7, signal: null, stderr_tail: "farewell\n" })],
    ["is killed", "kill", {}, gone({ reason: "engine_exited", exit_code: null, signal: "SIGKILL" })],
  ])("that %s fails all that wait, and is ended with what it started", async (_what, method, params, error) => {
    const host = new StubHost();
    const engine = await host.open();
    await ask(engine, "child");
    const [asked, behind] = await Promise.allSettled([ask(engine, method, params), ask(engine, "echo")]);
    expect(asked).toMatchObject({ status: "rejected", reason: error });
    expect(behind).toMatchObject({ status: "rejected", reason: error });
    expect(engine.state).toBe("dead");
    expect(engine.activity()).toEqual({ active: null, queued_requests: 0 });
    await expect(ask(engine, "echo")).rejects.toMatchObject(error);
    // Ended by itself, before anybody closes it.
    await host.expectNothingLeft();
    expect(await engine.close()).toMatchObject({ state: "proven", resources: [] });
    expect(engine.lineage()).toMatchObject({ launcher_pid: engine.run.pid });
  });

  it("that talks before it is asked, or twice, is not believed", async () => {
    const host = new StubHost();
    await expect(host.open({ fault: "talks_first" })).rejects.toMatchObject({ code: "unreadable_output", details: { reason: "wrong_request_id" } });
    const engine = await host.open();
    await ask(engine, "answer_twice");
    await expect.poll(() => engine.state).toBe("dead");
    await expect(ask(engine, "echo")).rejects.toMatchObject({ code: "unreadable_output" });
    await host.expectNothingLeft();
  });

  it("that exits right after its answer has answered", async () => {
    const host = new StubHost();
    const engine = await host.open();
    expect(await ask(engine, "answer_and_exit")).toBe("last");
    await expect.poll(() => engine.state).toBe("dead");
    await host.expectNothingLeft();
  });

  it("that ignores TERM and keeps a child is gone when it is closed", async () => {
    const host = new StubHost();
    const engine = await host.open({ deaf: true });
    await ask(engine, "child");
    const waiting = ask(engine, "silent").catch((error: unknown) => error);
    const [first, second] = await Promise.all([engine.close(), engine.close()]);
    expect(first).toMatchObject({ state: "proven", resources: [] });
    expect(second).toEqual(first);
    expect(await waiting).toMatchObject({ code: "provider_unavailable", details: { reason: "closed" } });
    await expect(ask(engine, "echo")).rejects.toMatchObject({ details: { reason: "closed" } });
    await host.expectNothingLeft();
  });

  it("refuses with words of its own, which stay in the details and are made visible", async () => {
    const host = new StubHost();
    const engine = await host.open();
    const refused = await ask(engine, "fail").catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "execution_failure",
      details: { provider_id: "stub", operation: "stub_fail", diagnostics: { code: "no\\u{7}", message: "n\\u{202e}ot", type: "remote" } },
    });
    expect(await ask(engine, "echo", { still: "there" })).toEqual({ still: "there" });
    await expect(ask(engine, "echo", { text: "x".repeat(stubProtocol.maximumRequestLength) })).rejects.toMatchObject({ code: "invalid_request" });
    expect(await ask(engine, "large", { bytes: 1_000_000 })).toHaveLength(1_000_000);
    await engine.close();
    await host.expectNothingLeft();
  });
});
