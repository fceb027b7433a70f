import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgress, type ProgressUpdate } from "@rea/core";
import { executeDeep } from "@rea/provider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, GhidraBench, processesWith, result } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";
import { smallProgram, type StubProgram } from "./stub-program.js";

const patient = { timeout: 50_000 };

/** Long enough for a process to be there, and for a virtual machine to connect, on a slow machine. */
const startupMs: Readonly<Record<string, string>> = { never_connects: "5000", deaf: "5000", no_hello: "15000", silent: "15000" };

/** Whether a file system of 256 KiB now stands at a directory. */
function mountSmall(directory: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=0755", "tmpfs", directory], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(standInAbsent !== undefined)("a Ghidra that goes wrong", () => {
  let bench: GhidraBench;
  beforeEach(() => {
    bench = new GhidraBench();
  });
  afterEach(() => bench.close());

  const unavailable = (details: object): object => ({ code: "provider_unavailable", details: { provider_id: "ghidra", ...details } });

  it.each([
    ["never connects", "never_connects", { code: "provider_timeout", details: { operation: "start_engine", timeout_ms: 5_000, phase: "engine_connect" } }],
    ["neither connects nor ends by itself", "deaf", { code: "provider_timeout", details: { phase: "engine_connect" } }],
    ["connects and does not say who it is", "no_hello", { code: "provider_timeout", details: { phase: "engine_handshake" } }],
    ["connects and is silent", "silent", { code: "provider_timeout", details: { phase: "engine_ready" } }],
    ["shows another token", "wrong_token", unavailable({ reason: "authentication_failed" })],
    ["exits at once", "exit_at_once", unavailable({ reason: "engine_exited", exit_code: 0, signal: null })],
    ["finds no loader, in many words", "exit_with_words", unavailable({ reason: "engine_exited", exit_code: 3, stderr_tail: expect.stringMatching(/x{1000}\n$/) })],
    ["has no room for its project", "no_room", unavailable({ reason: "engine_exited", exit_code: 1, stderr_tail: expect.stringContaining("No space left") })],
    ["is of another version than it was found to be", "other_version", unavailable({ reason: "version_mismatch" })],
    ["has another bridge", "other_bridge", { code: "unreadable_output", details: { reason: "greeting_malformed" } }],
    ["does not offer what it has to", "few_operations", { code: "unreadable_output", details: { reason: "operations_missing" } }],
  ])("that %s is a typed error of the first call, and gone", async (_what, fault, error) => {
    const timeout = startupMs[fault];
    const slow = new GhidraBench({ env: timeout === undefined ? {} : { REA_GHIDRA_STARTUP_TIMEOUT_MS: timeout } });
    const client = await slow.open({ fault });
    await expect(ask(client, "list_documents")).rejects.toMatchObject(error);
    await slow.expectNothingLeft();
    expect(await client.close()).toEqual({ remaining: [] });
    await slow.close();
  });

  const off = (reason: string): object => ({ code: "unreadable_output", details: { provider_id: "ghidra", reason } });
  it.each([
    ["answers another request", "wrong_id", off("wrong_request_id")],
    ["sends eleven mebibytes", "eleven_mebibytes", off("frame_too_long")],
    ["dies in the middle of a line", "dies_mid_line", unavailable({ reason: "engine_exited", exit_code: 5 })],
    ["sends garbage", "garbage", off("not_json")],
    ["sends unknown keys", "unknown_keys", off("unknown_shape")],
    ["hangs up", "hangs_up", unavailable({})],
    ["is killed", "killed", unavailable({ reason: "engine_exited", exit_code: 137 })],
  ])("that %s fails the call, is ended, and a fresh one is started by the next call", async (_what, fault, error) => {
    const client = await bench.open({ fault });
    const [asked, behind] = await Promise.allSettled([ask(client, "list_names"), ask(client, "list_strings")]);
    expect(asked).toMatchObject({ status: "rejected", reason: error });
    expect(behind).toMatchObject({ status: "rejected", reason: error });
    await bench.expectNothingLeft();
    await expect(ask(client, "list_names")).rejects.toMatchObject(error);
    expect(await client.close()).toEqual({ remaining: [] });
    await bench.expectNothingLeft();
  });

  it("that wraps its answer in another form, or answers off contract, is not passed on", async () => {
    const bare = await bench.open({ fault: "no_envelope" });
    await expect(ask(bare, "list_names")).rejects.toMatchObject(off("envelope_malformed"));
    await bare.close();
    const target = bench.target({ fault: "off_contract" });
    const client = await bench.client(target);
    const analysis_profile = await bench.provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
    const context = { signal: new AbortController().signal, progress: { report: () => undefined } };
    const binding = { provider: analysis_profile.provider, selection_source: "request" as const, analysis_profile };
    const request = { client, binding, subject: null, operation: "list_names" as const, params: { offset: 0, limit: 5 }, context };
    await expect(executeDeep(request)).rejects.toMatchObject({ code: "unreadable_output" });
    await client.close();
    await bench.expectNothingLeft();
  });

  it("that ignores being told to stop keeps its wire busy, and callers behind it wait no longer than they want", async () => {
    const client = await bench.open({ fault: "ignores_cancel" });
    const controller = new AbortController();
    const first = ask(client, "list_names", {}, { signal: controller.signal });
    await expect.poll(() => client.activity().active?.operation, patient).toBe("list_names");
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: "cancelled", details: { operation: "list_names" } });
    expect(client.activity()).toMatchObject({ active: { operation: "list_names", caller_state: "cancelled" } });
    const behind = new AbortController();
    const second = ask(client, "list_strings", {}, { signal: behind.signal });
    await expect.poll(() => client.activity().queued_requests, patient).toBe(1);
    behind.abort();
    await expect(second).rejects.toMatchObject({ code: "cancelled" });
    expect(await client.close()).toEqual({ remaining: [] });
    await bench.expectNothingLeft();
  });

  it("that did not finish its analysis is never asked anything", async () => {
    const client = await bench.open(smallProgram({ analysis_timed_out: true }));
    await expect(ask(client, "list_names")).rejects.toMatchObject({ code: "provider_timeout", details: { phase: "engine_analysis", timeout_ms: 300_000 } });
    await bench.expectNothingLeft();
  });

  it("that holds another program than the target is never asked anything", async () => {
    for (const sha256 of ["f".repeat(64), "not a digest"]) {
      const client = await bench.open(smallProgram({ sha256 }));
      await expect(ask(client, "list_names")).rejects.toMatchObject({ code: sha256.length === 64 ? "provider_unavailable" : "unreadable_output" });
    }
    await bench.expectNothingLeft();
  });

  it("is not given a target that changed, or is gone, since it was opened", async () => {
    const changed = bench.target(smallProgram());
    writeFileSync(changed.path, "something else");
    await expect(ask(await bench.client(changed), "list_names")).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_changed" } });
    rmSync(changed.path);
    await expect(ask(await bench.client(changed), "list_names")).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "missing" } });
    expect(processesWith(bench.mark)).toEqual([]);
    await bench.expectNothingLeft();
  });

  it("whose private directory has no room for the target is a typed error, and nothing of the copy is left", async (context) => {
    if (!mountSmall(bench.parent)) return context.skip("no small file system can be mounted here");
    try {
      const client = await bench.open(smallProgram({ symbols: [{ name: "x".repeat(300_000), at: "0x401000" }] }));
      await expect(ask(client, "list_names")).rejects.toMatchObject(unavailable({ reason: "private_directory_unusable", errno: "ENOSPC" }));
      await bench.expectNothingLeft();
    } finally {
      execFileSync("umount", [bench.parent]);
    }
  });

  it("whose launcher went away, or is not one any more, is a typed error", async () => {
    const client = await bench.open(smallProgram());
    const launcher = join(bench.installation.installDirectory, "support", "analyzeHeadless");
    chmodSync(launcher, 0o644);
    await expect(ask(client, "list_names")).rejects.toMatchObject({ code: expect.stringMatching(/^(target|provider)_unavailable$|^access_denied$/) });
    rmSync(launcher);
    await expect(ask(client, "list_names")).rejects.toMatchObject({ code: "target_unavailable" });
    await bench.expectNothingLeft();
  });

  it("whose private directory's path its launcher would read as more than a path is not started", async () => {
    for (const parent of ["two\nlines", "$(touch here)", "a'b", "semi;colon"]) {
      const odd = new GhidraBench({ parent });
      await expect(ask(await odd.open(smallProgram()), "list_names")).rejects.toMatchObject(unavailable({ reason: "invalid_launch_command" }));
      await odd.expectNothingLeft();
      await odd.close();
    }
  });

  it("works from a directory with blanks and other alphabets in its path, and from one too long for a socket", async () => {
    for (const parent of ["my engines Ünïcödé 引擎", `long-${"x".repeat(120)}`]) {
      const odd = new GhidraBench({ parent });
      const client = await odd.open(smallProgram());
      expect(await result(client, "procedure_address", { procedure: "main" })).toBe("0x401000");
      await client.close();
      await odd.expectNothingLeft();
      await odd.close();
    }
  });

  it("a start that nobody waits for any more is undone, in every phase; the next call starts anew", async () => {
    const client = await bench.open(smallProgram());
    for (const phase of ["engine_prepare", "engine_start", "engine_connect", "engine_ready"]) {
      const controller = new AbortController();
      const seen: ProgressUpdate[] = [];
      const progress = { report: (update: ProgressUpdate) => void (seen.push(update), update.phase === phase && controller.abort()) };
      await expect(ask(client, "list_names", {}, { signal: controller.signal, progress }), phase).rejects.toMatchObject({ code: "cancelled", details: { operation: "list_names" } });
      await bench.expectNothingLeft();
    }
    expect(await result(client, "list_documents")).toMatchObject({ total: 1 });
    await client.close();
    await bench.expectNothingLeft();
  });

  it("is started once for all who wait; one that gives up does not end it for the others, and progress never falls", async () => {
    const client = await bench.open(smallProgram());
    const controller = new AbortController();
    const updates: ProgressUpdate[] = [];
    const progress = createProgress((update) => updates.push(update), { now: (() => { let now = 0; return () => (now += 1_000); })() });
    const leaving = ask(client, "list_strings", {}, { signal: controller.signal });
    const staying = ask(client, "list_names", {}, { progress });
    expect(client.activity()).toMatchObject({ active: { operation: "start_engine", caller_state: "waiting" }, queued_requests: 2 });
    expect(client.alive?.()).toBe(true);
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: "cancelled" });
    expect((await staying).result).toMatchObject({ total: 6 });
    expect(updates.map(({ phase }) => phase)).toEqual(expect.arrayContaining(["engine_prepare", "engine_start", "engine_connect", "engine_ready"]));
    expect(client.runtimeLineage()).toMatchObject({ status: "verified" });
    await client.close();
    expect(client.runtimeLineage()).not.toBeNull();
    await bench.expectNothingLeft();
  });

  it("closing during the start ends the start first, and what waits is told", async () => {
    const client = await bench.open({ fault: "never_connects" } satisfies StubProgram);
    const waiting = ask(client, "list_names");
    const refused = expect(waiting).rejects.toMatchObject(unavailable({ reason: "closed" }));
    await expect.poll(() => processesWith(bench.mark).length, patient).toBeGreaterThan(0);
    expect(await Promise.all([client.close(), client.close()])).toEqual([{ remaining: [] }, { remaining: [] }]);
    await refused;
    await bench.expectNothingLeft();
  });

  it("a decompiler that takes its time is given up with its call, one that fails leaves the rest", async () => {
    const functions = ["slow", "timeout", "fail", "throw"].map((decompile, index) => ({ name: decompile, entry: `0x40${String(index + 1)}000`, size: 16, decompile }));
    const client = await bench.open({ blocks: [{ name: ".text", start: "0x401000", size: 0x8000, permissions: "rx", file_offset: 0 }], functions });
    const controller = new AbortController();
    const slow = ask(client, "procedure_pseudo_code", { procedure: "slow" }, { signal: controller.signal });
    await expect.poll(() => client.activity().active?.operation, patient).toBe("procedure_pseudo_code");
    controller.abort();
    await expect(slow).rejects.toMatchObject({ code: "cancelled" });
    await expect(ask(client, "procedure_pseudo_code", { procedure: "timeout" })).rejects.toMatchObject({ code: "provider_timeout", details: { phase: "engine_decompile" } });
    await expect(ask(client, "procedure_pseudo_code", { procedure: "fail" })).rejects.toMatchObject({ code: "execution_failure", details: { diagnostics: { code: "decompile_failed" } } });
    // What a fault of Ghidra says may be text of the target.
    await expect(ask(client, "procedure_pseudo_code", { procedure: "throw" })).rejects.toMatchObject({ code: "execution_failure", details: { diagnostics: { code: "bridge_exception", message: "java.lang.IllegalStateException" } } });
    for (const procedure of ["timeout", "fail"]) {
      expect(await result(client, "analyze_function", { procedure })).toMatchObject({ pseudocode: { state: "unavailable" }, native_api: { state: "unavailable" }, basic_blocks: { state: "available" } });
    }
    await client.close();
    await bench.expectNothingLeft();
  });

  it("an answer that does not fit a line is refused as too large, and the engine goes on", async () => {
    const client = await bench.open({
      blocks: [{ name: ".text", start: "0x401000", size: 0x8000, permissions: "rx", file_offset: 0 }],
      functions: [{ name: "large", entry: "0x401000", size: 16, pseudocode: "// \u{1f600}\n".repeat(200_000) }],
    });
    await expect(ask(client, "procedure_pseudo_code", { procedure: "large" })).rejects.toMatchObject({ code: "truncated", details: { resource: "procedure_pseudo_code" } });
    expect(await result(client, "analyze_function", { procedure: "large" })).toMatchObject({
      pseudocode: { state: "available", value: { truncated: true } },
      limitations: expect.arrayContaining([expect.stringContaining("its end is missing")]),
    });
    await client.close();
  });

  it("the session's own copy of the bridge is whole: it compiles and answers by itself", async () => {
    const client = await bench.open(smallProgram({ compile: true }));
    expect(await result(client, "procedure_address", { procedure: "helper" })).toBe("0x401040");
    await client.close();
    await bench.expectNothingLeft();
  });
});
