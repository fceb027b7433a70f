import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgressUpdate } from "@rea/core";
import { createProgress } from "@rea/core";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/index.js";
import { ask, contextOf, stubProtocol, StubHost } from "./stub-host.js";

const onLinux = describe.skipIf(process.platform !== "linux");

onLinux("an engine", () => {
  it("answers over its connection, is observed, and leaves nothing when it is closed", async () => {
    const host = new StubHost();
    const engine = await host.open();
    expect(engine.lineage()).toMatchObject({ status: "verified", launcher_pid: engine.run.pid, descendants: [] });
    expect(await ask(engine, "echo", { text: "ü\u2028\u0000" })).toEqual({ text: "ü\u2028\u0000" });
    const child = await ask(engine, "child");
    expect(await engine.observe()).toMatchObject({ descendants: [{ pid: child }] });
    expect(await engine.close()).toMatchObject({ state: "proven", ownership_proof: "group_and_token", resources: [] });
    expect(engine.lineage()).toMatchObject({ status: "verified", descendants: [{ pid: child }] });
    expect(engine.state).toBe("closed");
    await host.expectNothingLeft();
  });

  it("has a directory only we can enter, and its token nowhere but in a file only we can read", async () => {
    const host = new StubHost();
    const engine = await host.open();
    const [session] = host.sessions;
    if (session === undefined) throw new Error("no session");
    const { directory, endpoint, token } = session;
    const modes = readdirSync(directory.path).map((name) => [name, lstatSync(join(directory.path, name)).mode & 0o777]);
    // Its socket is gone: it has its one connection.
    expect(modes).toEqual([["owner", 0o600], ["session.json", 0o600]]);
    expect([endpoint.transport, lstatSync(directory.path).mode & 0o777]).toEqual(["unix", 0o700]);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    for (const file of ["cmdline", "environ"]) expect(readFileSync(`/proc/${String(engine.run.pid)}/${file}`).includes(token)).toBe(false);
    await expect(directory.writeFile("session.json", "again")).rejects.toMatchObject({ code: "EEXIST" });
    for (const name of ["", ".hidden", "..", "a/b", "a\0b"]) expect(() => directory.member(name)).toThrow("plain name");
    expect(lstatSync(await directory.makeDirectory("project")).mode & 0o777).toBe(0o700);
    await engine.close();
    await host.expectNothingLeft();
  });

  it.each([
    ["blanks, other alphabets and a line feed", "my engines\n Ünïcödé 引擎 ", "unix"],
    ["more bytes than a socket's path may have", `long-${"x".repeat(120)}`, "tcp"],
  ])("works from a directory whose path has %s", async (_what, name, transport) => {
    const host = new StubHost(name);
    const engine = await host.open({ fault: "slow_hello" });
    expect(host.sessions[0]?.endpoint.transport).toBe(transport);
    expect(await ask(engine, "echo", { name })).toEqual({ name });
    await engine.close();
    await host.expectNothingLeft();
  });

  it("is not reached through a port by who does not know the token, and who tries keeps nobody out", async () => {
    const host = new StubHost(`long-${"x".repeat(120)}`);
    const { connect } = await import("node:net");
    const { prepare } = host.spec();
    const engine = await host.open({}, {
      prepare: async (session) => {
        const address = JSON.parse(readFileSync(session.endpoint.path, "utf8"));
        for (const line of ["", "GET / HTTP/1.1\r\n", `{"hello":1,"token":"${"0".repeat(64)}"}\n`]) {
          for (let each = 0; each < 5; each += 1) connect(address).on("error", () => undefined).write(line);
        }
        return prepare(session);
      },
    });
    expect(await ask(engine, "echo")).toEqual({});
    await engine.close();
    const silent = host.open({ fault: "wrong_token", deaf: true }, { startupMs: 1_500 });
    await expect(silent).rejects.toMatchObject({ code: "provider_timeout", details: { phase: "engine_handshake" } });
    await host.expectNothingLeft();
  });

  it("needs a directory without hidden elements in its path", async () => {
    const host = new StubHost(".hidden");
    await expect(host.open()).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "private_directory_unusable" } });
    expect(readdirSync(host.parent)).toEqual([]);
  });

  it("is asked to end where its protocol can", async () => {
    const host = new StubHost();
    const engine = await host.open({ deaf: true }, { protocol: { ...stubProtocol, shutdown: () => ({ shutdown: true }) } });
    expect(await engine.close()).toMatchObject({ state: "proven", resources: [] });
    await host.expectNothingLeft();
  });

  it("can be given up at every phase of its start, with nothing left and the next one unharmed", async () => {
    const host = new StubHost();
    for (const phase of ["engine_prepare", "engine_start", "engine_connect", "engine_ready"]) {
      const controller = new AbortController();
      const report = (update: ProgressUpdate): void => void (update.phase === phase && setImmediate(() => controller.abort()));
      const context = contextOf({ signal: controller.signal, progress: { report } });
      const opened = openEngine(host.launcher, host.spec({ fault: phase === "engine_connect" ? "never_connects" : "" }), context, async (engine) => {
        await ask(engine, "silent");
      });
      await expect(opened).rejects.toMatchObject({ code: "cancelled", details: { operation: "start_engine", cleanup: "complete" } });
      await host.expectNothingLeft();
    }
    await expect(host.open({}, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
    const engine = await host.open();
    expect(await ask(engine, "echo")).toEqual({});
    await engine.close();
    await host.expectNothingLeft();
  });
});

onLinux("requests of an engine", () => {
  it("whose caller ran out of time keep the wire busy, visibly, and later ones wait within their own deadlines", async () => {
    const host = new StubHost();
    const { cancel: _cancel, ...deaf } = stubProtocol;
    const engine = await host.open({}, { protocol: deaf });
    const slow = ask(engine, "slow", { ms: 1_500 }, { timeoutMs: 100 });
    await expect(slow).rejects.toMatchObject({ code: "provider_timeout", details: { operation: "stub_slow", timeout_ms: 100, phase: "engine_request" } });
    expect(engine.activity()).toMatchObject({ active: { operation: "stub_slow", timeout_ms: 100, caller_state: "timed_out" }, queued_requests: 0 });
    const impatient = ask(engine, "echo", { who: 1 }, { timeoutMs: 100 });
    const patient = ask(engine, "echo", { who: 2 });
    expect(engine.activity().queued_requests).toBe(2);
    await expect(impatient).rejects.toMatchObject({ code: "provider_timeout", details: { phase: "engine_queue" } });
    // The late answer of the slow one satisfies nobody.
    expect(await patient).toEqual({ who: 2 });
    expect(engine.activity()).toEqual({ active: null, queued_requests: 0 });
    await engine.close();
    await host.expectNothingLeft();
  });

  it("that are cancelled leave the queue, or tell the engine to stop", async () => {
    const host = new StubHost();
    const engine = await host.open();
    const [first, second] = [new AbortController(), new AbortController()];
    const active = ask(engine, "slow", { ms: 3_600_000 }, { signal: first.signal });
    const queued = ask(engine, "echo", { never: true }, { signal: second.signal });
    const last = ask(engine, "echo", { last: true });
    second.abort();
    await expect(queued).rejects.toMatchObject({ code: "cancelled", details: { operation: "stub_echo" } });
    expect(engine.activity()).toMatchObject({ active: { caller_state: "waiting" }, queued_requests: 1 });
    first.abort();
    expect(engine.activity()).toMatchObject({ active: { caller_state: "cancelled" } });
    await expect(active).rejects.toMatchObject({ code: "cancelled" });
    expect(await last).toEqual({ last: true });
    const gone = ask(engine, "slow", { ms: 3_600_000, deaf: true }, { timeoutMs: 50 });
    await expect(gone).rejects.toMatchObject({ code: "provider_timeout" });
    await engine.close();
    await host.expectNothingLeft();
  });

  it("are at most 32 behind the one on the wire", async () => {
    const host = new StubHost();
    const engine = await host.open();
    const all = Array.from({ length: 33 }, (_, each) => ask(engine, each === 0 ? "slow" : "echo", { ms: 300, each }));
    await expect(ask(engine, "echo")).rejects.toMatchObject({ code: "provider_unavailable", retryable: true, details: { reason: "queue_full" } });
    expect(await Promise.all(all)).toEqual(["slept", ...Array.from({ length: 32 }, (_, each) => ({ ms: 300, each: each + 1 }))]);
    await engine.close();
    await host.expectNothingLeft();
  });

  it("report how far they are, and that they go on, without ever falling back", async () => {
    const host = new StubHost();
    const seen: ProgressUpdate[] = [];
    let time = 0;
    const progress = createProgress((update) => seen.push(update), { now: () => (time += 1_000) });
    const context = contextOf({ progress });
    const engine = await openEngine(host.launcher, host.spec(), context, async (started) => void (await ask(started, "slow", { ms: 1_300 }, { progress })));
    await ask(engine, "progress", {}, { progress });
    const slow = ask(engine, "slow", { ms: 1_300 }, { progress });
    await Promise.all([slow, ask(engine, "echo", {}, { progress })]);
    progress.finish({ phase: "done", message: "Done." });
    const phases = new Set(seen.map(({ phase }) => phase));
    for (const phase of ["engine_prepare", "engine_start", "engine_connect", "engine_ready", "listing", "engine_request", "engine_queue"]) expect(phases).toContain(phase);
    expect(JSON.stringify(seen)).not.toContain("Bad Phase");
    const counts = seen.map(({ completed }) => completed);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    await engine.close();
    await host.expectNothingLeft();
  });

  it("fail alone when their reporter does not take what is reported", async () => {
    const host = new StubHost();
    const engine = await host.open();
    const report = (): void => {
      throw new Error("over");
    };
    await expect(ask(engine, "progress", {}, { progress: { report } })).rejects.toThrow("over");
    expect(await ask(engine, "echo")).toEqual({});
    await engine.close();
    await host.expectNothingLeft();
  });
});
