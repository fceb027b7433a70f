import { readdirSync } from "node:fs";
import { createLauncher } from "@rea/lineage";
import { EngineRoom, programTarget, roomsAbsent, testProviderFaults, type ProviderFault } from "@rea/testkit";
import type { ToolService } from "@rea/tool";
import { afterAll, describe, expect, test } from "vitest";
import { createEngineProvider, type EngineProviderOptions } from "./engine-provider.js";
import { call, failure, nativeFake, result, runtimeWith, writeTemporary } from "./support.js";

const launcher = createLauncher({ cgroups: false });
afterAll(() => launcher.close());

/** How many targets are opened in a row; the soak run asks for more. */
const rounds = Number(process.env["REA_SESSION_ROUNDS"] ?? "8");

const target = programTarget({ path: process.execPath });

const off = (reason: string): object => ({ code: "unreadable_output", details: { provider_id: "stub-engine", reason } });
const gone = (details: object): object => ({ code: "provider_unavailable", details: { provider_id: "stub-engine", ...details } });
const late = (phase: string): object => ({ code: "provider_timeout", details: { phase } });

function faulty(name: string, error: ProviderFault["error"], options: Partial<EngineProviderOptions>, more: Partial<ProviderFault> = {}): ProviderFault {
  return { name, error, provider: (room) => createEngineProvider({ room, launcher, ...options }), target: () => target, ...more };
}

testProviderFaults("the kit", [
  faulty("never connects", late("engine_connect"), { fault: "never_connects", startupMs: 1_500 }),
  faulty("connects and is silent", late("engine_handshake"), { fault: "no_hello", startupMs: 1_500 }),
  faulty("shows another token", gone({ reason: "authentication_failed" }), { fault: "wrong_token" }),
  faulty("greets in another language", off("handshake_malformed"), { fault: "garbage_hello" }),
  faulty("exits at once", gone({ reason: "engine_exited", exit_code: 0 }), { fault: "exit_at_once" }),
  faulty("leaves a child and exits", gone({ reason: "engine_exited", exit_code: 4 }), { fault: "child_then_exit" }),
  faulty("does not answer", late("engine_request"), { fault: "silent", requestMs: 300 }),
  faulty("prints garbage", off("not_json"), { fault: "garbage" }),
  faulty("answers another request", off("wrong_request_id"), { fault: "wrong_id" }),
  faulty("answers with 11 MiB", off("frame_too_long"), { fault: "too_long" }),
  faulty("dies in the middle of a line", gone({ reason: "engine_exited", exit_code: 5 }), { fault: "mid_line" }),
  faulty("hangs up", gone({}), { fault: "hang_up" }),
  faulty("exits with a word", gone({ reason: "engine_exited", exit_code: 7, stderr_tail: "farewell\n" }), { fault: "exit" }),
  faulty("is killed while it works", gone({ reason: "engine_exited", signal: "SIGKILL" }), { fault: "killed" }),
  faulty("ignores that it is cancelled, and TERM", { code: "cancelled" }, { fault: "ignores_cancel" }, {
    during: async ({ client, controller }) => {
      await expect.poll(() => client.activity().active?.operation, { timeout: 30_000 }).toBe("list_segments");
      controller.abort();
    },
  }),
  faulty("works from a path with blanks, other alphabets and a line feed", null, {}, { roomName: "my engines\n Ünïcödé 引擎 " }),
]);

describe.skipIf(roomsAbsent !== undefined)("a session with an engine of its own", () => {
  /** A session whose only external provider is the stub. */
  async function opened(options: Partial<EngineProviderOptions> = {}): Promise<{ readonly room: EngineRoom; readonly service: ToolService; readonly path: string }> {
    const room = new EngineRoom();
    const service = runtimeWith({ providers: [nativeFake(), createEngineProvider({ room, launcher, ...options })] });
    const path = writeTemporary("program", "one");
    await result(service, "open_binary", { path });
    return { room, service, path };
  }
  const session = (service: ToolService) => result(service, "binary_session");
  const engineOf = async (service: ToolService): Promise<number> => (await session(service)).analysis_run.process_lineage.snapshots.at(-1).observation.launcher_pid;

  test("starts it with the first deep call only, and shows what was observed of it", async () => {
    const { room, service } = await opened();
    const before = await session(service);
    expect(before.analysis_provider_binding).toMatchObject({ provider: { id: "stub-engine" }, selection_source: "auto-single-candidate" });
    expect(before.analysis_run.process_lineage).toEqual({ status: "not_observed" });
    expect(readdirSync(room.parent)).toEqual([]);
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
    expect((await session(service)).analysis_run.process_lineage).toMatchObject({
      status: "snapshots",
      snapshots: [{ provider: { id: "stub-engine", version: "1" }, observation: { status: "verified", descendants: [] } }],
    });
    await result(service, "close_binary");
    await room.expectNothingLeft();
    room.remove();
  });

  test("after its death the next call starts another; binding and run stay, and both were observed", async () => {
    const { room, service } = await opened();
    await result(service, "procedure_address", { procedure: "main" });
    const before = await session(service);
    const pid = await engineOf(service);
    const waiting = failure(service, "read_bytes", { address: "0x1000" });
    await expect.poll(async () => (await session(service)).analysis_activity.status).toBe("busy");
    process.kill(pid, "SIGKILL");
    expect(await waiting).toMatchObject({ code: "provider_unavailable", details: { reason: "engine_exited", signal: "SIGKILL" } });
    const marked = await session(service);
    expect(marked.analysis_provider_binding).toEqual(before.analysis_provider_binding);
    expect(marked.analysis_provider_candidates.find(({ selected }: { selected: boolean }) => selected).availability).toMatchObject({ status: "unavailable", diagnostics: { last_failure: "provider_unavailable" } });
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
    const after = await session(service);
    expect(after.analysis_run.run_id).toBe(before.analysis_run.run_id);
    expect(after.analysis_run.process_lineage.snapshots).toHaveLength(2);
    expect(await engineOf(service)).not.toBe(pid);
    expect(await service.close()).toEqual({ remaining: [] });
    await room.expectNothingLeft();
    room.remove();
  });

  test("a call that ran out of time keeps it busy, visibly, and does not end it", async () => {
    const { room, service } = await opened({ requestMs: 400 });
    await result(service, "procedure_address", { procedure: "main" });
    const pid = await engineOf(service);
    expect(await failure(service, "read_bytes", { address: "0x1000" })).toMatchObject({ code: "provider_timeout", details: { timeout_ms: 400, phase: "engine_request" } });
    expect((await session(service)).analysis_activity).toMatchObject({ status: "timed_out_busy", providers: [{ active: { operation: "read_bytes", caller_state: "timed_out" } }] });
    expect((await failure(service, "procedure_address", { procedure: "main" })).details.phase).toBe("engine_queue");
    expect(await engineOf(service)).toBe(pid);
    await result(service, "close_binary");
    await room.expectNothingLeft();
    room.remove();
  });

  test("a first call that is cancelled leaves nothing, and the next one is answered", async () => {
    const { room, service } = await opened();
    for (const delay of [0, 30, 80, 150]) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), delay);
      const reply = await call(service, "procedure_address", { procedure: "main" }, abort.signal);
      if (!reply.ok) expect(reply.error.code).toBe("cancelled");
      if (!reply.ok) await room.expectNothingLeft();
    }
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
    await result(service, "close_binary");
    await room.expectNothingLeft();
    room.remove();
  });

  test("one of two first callers who is cancelled does not take the engine from the other", async () => {
    const { room, service } = await opened();
    const abort = new AbortController();
    const [left, stays] = [call(service, "procedure_address", { procedure: "main" }, abort.signal), call(service, "list_segments")];
    await expect.poll(() => readdirSync(room.parent).length).toBe(1);
    abort.abort();
    expect(await left).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect(await stays).toMatchObject({ ok: true });
    expect((await session(service)).analysis_run.process_lineage.snapshots).toHaveLength(1);
    await service.close();
    await room.expectNothingLeft();
    room.remove();
  });

  test("a service that is closed while it starts gives the start up", async () => {
    const { room, service } = await opened({ fault: "never_connects" });
    const waiting = call(service, "list_segments");
    await expect.poll(() => readdirSync(room.parent).length).toBe(1);
    expect(await service.close()).toEqual({ remaining: [] });
    expect(await waiting).toMatchObject({ ok: false });
    await room.expectNothingLeft();
    room.remove();
  });

  test("a switch ends it before the other provider is bound", async () => {
    const { room, service, path } = await opened();
    await result(service, "procedure_address", { procedure: "main" });
    const [native, again] = await Promise.all([result(service, "open_binary", { path, provider_id: "rea-native" }), result(service, "open_binary", { path, provider_id: "stub-engine" })]);
    expect([native.binding.provider.id, again.binding.provider.id]).toEqual(["rea-native", "stub-engine"]);
    await room.expectNothingLeft();
    expect((await session(service)).analysis_provider_binding.provider.id).toBe("stub-engine");
    await service.close();
    room.remove();
  });

  test("opened, asked and closed in a row with random cancels it leaves no process, handle or directory", async () => {
    const room = new EngineRoom();
    const service = runtimeWith({ providers: [nativeFake(), createEngineProvider({ room, launcher })] });
    const path = writeTemporary("program", "one");
    const round = async (cancels: boolean): Promise<void> => {
      await result(service, "open_binary", { path });
      const abort = new AbortController();
      const timer = setTimeout(() => cancels && abort.abort(), Math.random() * 300);
      const replies = await Promise.all([
        call(service, "procedure_address", { procedure: "main" }, abort.signal),
        call(service, "list_segments", {}, abort.signal),
        ...(cancels ? [call(service, "read_bytes", { address: "0x1" }, abort.signal)] : []),
      ]);
      clearTimeout(timer);
      for (const reply of replies) if (!reply.ok) expect(reply.error.code).toBe("cancelled");
      await result(service, "close_binary");
    };
    await round(false);
    await round(true);
    await room.expectNothingLeft();
    const before = held();
    for (let each = 0; each < rounds; each += 1) await round(each % 2 === 0);
    await room.expectNothingLeft();
    await expect.poll(held, { timeout: 20_000 }).toEqual(before);
    await service.close();
    room.remove();
  });
});

/** Open descriptors and what keeps this process going, by kind. */
function held(): object {
  const kinds = process.getActiveResourcesInfo().filter((kind) => /^(?:TCP|Pipe|Process|FSEvent)/.test(kind));
  return { descriptors: readdirSync("/proc/self/fd").length, kinds: kinds.sort() };
}
