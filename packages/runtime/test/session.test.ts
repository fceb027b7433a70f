import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReaError } from "@rea/core";
import { createFakeProvider, fakeUnavailable } from "@rea/testkit";
import { describe, expect, test } from "vitest";
import { call, context, directory, emptyPage, failure, nativeFake, result, runtimeWith, writeTemporary } from "./support.js";

const session = (service: ReturnType<typeof runtimeWith>) => result(service, "binary_session");

describe("open_binary", () => {
  test("answers with identity and binding, and starts no engine", async () => {
    const native = nativeFake();
    const service = runtimeWith({ providers: [native] });
    const path = writeTemporary("program", "");
    const opened = await result(service, "open_binary", { path });
    expect(opened).toMatchObject({
      path,
      sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      bytes: 0,
      kind: "executable",
      format: "elf",
      architecture: "x86_64",
      binding: { provider: { id: "rea-native", version: "1" }, selection_source: "embedded-default" },
    });
    expect(native.started).toEqual([]);
  });

  test("the same bytes at the same path keep binding and run; other bytes are a new target", async () => {
    const service = runtimeWith();
    const path = writeTemporary("program", "one");
    const first = await result(service, "open_binary", { path });
    const { run_id: run } = (await session(service)).analysis_run;
    expect(await result(service, "open_binary", { path })).toEqual(first);
    expect((await session(service)).analysis_run.run_id).toBe(run);

    writeFileSync(path, "two");
    const second = await result(service, "open_binary", { path });
    expect(second.sha256).not.toBe(first.sha256);
    expect((await session(service)).analysis_run.run_id).not.toBe(run);
  });

  test("a selector that leads to the same provider and profile is a no-op; another one is a switch", async () => {
    const native = nativeFake();
    const other = createFakeProvider({ id: "ghidra", answers: { procedure_address: () => "0x2000" } });
    const service = runtimeWith({ providers: [native, other] });
    const path = writeTemporary("program", "one");
    await result(service, "open_binary", { path, provider_id: "rea-native" });
    const run = (await session(service)).analysis_run.run_id;
    await result(service, "procedure_address", { procedure: "main" });
    await result(service, "open_binary", { path, provider_id: "rea-native" });
    expect((await session(service)).analysis_run.run_id).toBe(run);
    expect(native.closedClients).toBe(0);

    await result(service, "open_binary", { path, provider_id: "ghidra" });
    const switched = await session(service);
    expect(switched.analysis_run.run_id).not.toBe(run);
    expect(switched.analysis_provider_binding).toMatchObject({ provider: { id: "ghidra" }, selection_source: "request" });
    expect(native.closedClients).toBe(1);
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x2000");
  });

  test("a failure leaves the old target as it was", async () => {
    const ambiguous = [createFakeProvider({ id: "aa" }), createFakeProvider({ id: "bb" }), nativeFake()];
    const service = runtimeWith({ providers: ambiguous });
    const path = writeTemporary("program", "one");
    await result(service, "open_binary", { path, provider_id: "rea-native" });
    const before = await session(service);
    const other = writeTemporary("other", "two");
    expect((await failure(service, "open_binary", { path: other })).details.selection_reason).toBe("ambiguous");
    expect((await failure(service, "open_binary", { path: join(other, "no") })).code).toBe("target_unavailable");
    expect((await failure(service, "open_binary", { path: other, snapshot_path: path })).code).toBeDefined();
    expect(await session(service)).toEqual(before);
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
  });

  test("opens that are asked at once happen one after the other, in order", async () => {
    const service = runtimeWith();
    const paths = ["a", "b", "c"].map((name) => writeTemporary(name, name));
    const opened = await Promise.all(paths.map((path) => result(service, "open_binary", { path })));
    expect(opened.map((answer) => answer.path)).toEqual(paths);
    expect((await session(service)).path).toBe(paths[2]);
  });

  test("a switch that cannot release the old client keeps the old target, and the next one goes through", async () => {
    const native = nativeFake({ remaining: [[{ kind: "socket", detail: "left" }]] });
    const service = runtimeWith({ providers: [native] });
    const [one, two] = [writeTemporary("one", "1"), writeTemporary("two", "2")];
    await result(service, "open_binary", { path: one });
    await result(service, "list_procedures");
    expect((await failure(service, "open_binary", { path: two })).code).toBe("cleanup_incomplete");
    expect((await session(service)).path).toBe(one);
    expect((await call(service, "list_procedures")).ok).toBe(true);
    expect((await result(service, "open_binary", { path: two })).path).toBe(two);
  });

  test("an aborted open changes nothing and later opens work", async () => {
    const service = runtimeWith();
    const path = writeTemporary("program", "one");
    const reply = await call(service, "open_binary", { path }, AbortSignal.abort());
    expect(reply).toMatchObject({ ok: false, error: { code: "cancelled" } });
    const controller = new AbortController();
    const opening = service.host.ports.session.open({ path }, context(controller.signal));
    controller.abort();
    await expect(opening).rejects.toMatchObject({ code: "cancelled" });
    expect((await session(service)).open).toBe(false);
    expect((await result(service, "open_binary", { path })).bytes).toBe(3);
  });

  test("a concrete provider of the environment counts, and an explicit auto overrides it", async () => {
    const providers = [createFakeProvider({ id: "ghidra" }), nativeFake()];
    const service = runtimeWith({ providers, env: { REA_ANALYSIS_PROVIDER: "rea-native" } });
    const path = writeTemporary("program", "one");
    expect((await result(service, "open_binary", { path })).binding.selection_source).toBe("environment");
    expect((await result(service, "open_binary", { path, provider_id: "auto" })).binding.provider.id).toBe("ghidra");
  });

  test("an invalid provider setting fails open_binary with configuration_invalid, not the start", async () => {
    const service = runtimeWith({ env: { REA_ANALYSIS_PROVIDER: "Not An Id" } });
    const path = writeTemporary("program", "one");
    expect(await failure(service, "open_binary", { path })).toMatchObject({
      code: "configuration_invalid",
      details: { setting: "REA_ANALYSIS_PROVIDER" },
    });
    expect((await result(service, "open_binary", { path, provider_id: "auto" })).binding).not.toBeNull();
  });

  test("a target that no provider takes opens unbound, and deep tools say why", async () => {
    const service = runtimeWith();
    const opened = await result(service, "open_binary", { path: writeTemporary("a.zip", "PK") });
    expect(opened).toMatchObject({ kind: "archive", binding: null });
    expect(await failure(service, "list_procedures")).toMatchObject({ code: "capability_unavailable" });
  });

  test("a provider that is unavailable is named with its rejection", async () => {
    const providers = [createFakeProvider({ id: "ghidra", availability: fakeUnavailable }), nativeFake()];
    const service = runtimeWith({ providers });
    const path = writeTemporary("program", "one");
    expect(await failure(service, "open_binary", { path, provider_id: "ghidra" })).toMatchObject({
      code: "provider_unavailable",
      details: { selection_reason: "provider_unavailable", rejections: [{ provider_id: "ghidra", code: "not_configured" }] },
    });
  });
});

describe("deep calls", () => {
  test("the first one starts the client under the run id, later ones reuse it", async () => {
    const native = nativeFake();
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const run = (await session(service)).analysis_run.run_id;
    await Promise.all([result(service, "list_procedures"), result(service, "procedure_address", { procedure: "main" })]);
    expect(native.started).toEqual([run]);
  });

  test("after the engine's death the next call starts a fresh client of the same binding and run", async () => {
    let dead = true;
    const native = nativeFake({
      answers: {
        procedure_address: () => {
          if (dead) throw new ReaError("provider_unavailable", { message: "The engine exited.", details: {} });
          return "0x1000";
        },
      },
    });
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const before = await session(service);
    expect((await failure(service, "procedure_address", { procedure: "main" })).code).toBe("provider_unavailable");
    const marked = await session(service);
    expect(marked.analysis_provider_binding).toEqual(before.analysis_provider_binding);
    expect(marked.analysis_provider_candidates[0].availability).toMatchObject({
      status: "unavailable",
      diagnostics: { last_failure: "provider_unavailable" },
    });
    dead = false;
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
    expect(native.started).toEqual([before.analysis_run.run_id, before.analysis_run.run_id]);
    expect(native.closedClients).toBe(1);
  });

  test("a client that knows its engine is kept after a refusal, and replaced when the engine is gone, whatever the error", async () => {
    let error: ReaError | null = new ReaError("execution_failure", { message: "The engine refused.", details: {} });
    let alive = true;
    const native = nativeFake({
      alive: () => alive,
      answers: {
        procedure_address: () => {
          if (error !== null) throw error;
          return "0x1000";
        },
      },
    });
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const ask = () => failure(service, "procedure_address", { procedure: "main" });
    expect((await ask()).code).toBe("execution_failure");
    expect(native.closedClients).toBe(0);
    alive = false;
    for (const code of ["provider_timeout", "unreadable_output"] as const) {
      error = new ReaError<typeof code>(code, { message: "It is gone.", details: { operation: "x", timeout_ms: 1, phase: "engine_connect" } });
      expect((await ask()).code).toBe(code);
      const [candidate] = (await session(service)).analysis_provider_candidates;
      expect(candidate).toMatchObject({ selected: true, availability: { status: "unavailable", diagnostics: { last_failure: code } } });
    }
    error = null;
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
    expect(native.started).toHaveLength(3);
    expect(native.closedClients).toBe(2);
  });

  test("a full queue is refused without ending the client", async () => {
    let full = true;
    const details = { reason: "queue_full" };
    const answer = () => {
      if (full) throw new ReaError("provider_unavailable", { message: "The queue is full.", details });
      return "0x1000";
    };
    const native = nativeFake({ answers: { procedure_address: answer } });
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    expect((await failure(service, "procedure_address", { procedure: "main" })).details.reason).toBe("queue_full");
    full = false;
    await result(service, "procedure_address", { procedure: "main" });
    expect(native.started).toHaveLength(1);
    expect(native.closedClients).toBe(0);
  });

  test("a start that fails is reported and tried again by the next call", async () => {
    const native = nativeFake({ startError: new Error("no room for secrets") });
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const error = await failure(service, "list_procedures");
    expect(error).toMatchObject({ code: "provider_unavailable", details: { provider_id: "rea-native" } });
    expect(JSON.stringify(error)).not.toContain("secrets");
    await failure(service, "list_procedures");
    expect(native.started).toHaveLength(2);
  });

  test("bytes that changed since open_binary are not analysed", async () => {
    const native = nativeFake();
    const service = runtimeWith({ providers: [native] });
    const path = writeTemporary("program", "one");
    await result(service, "open_binary", { path });
    writeFileSync(path, "three");
    expect((await failure(service, "list_procedures")).details.reason).toBe("target_changed");
    expect(native.started).toEqual([]);
  });

  test("an answer off contract is unreadable_output and leaves no record", async () => {
    const native = nativeFake({ answers: { list_procedures: () => ({ items: "SECRET" }) } });
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const error = await failure(service, "list_procedures");
    expect(error.code).toBe("unreadable_output");
    expect(JSON.stringify(error)).not.toContain("SECRET");
    expect((await session(service)).evidence.records).toBe(0);
  });

  test("Evidence of a moved and renamed file has the id it had before", async () => {
    const path = writeTemporary("program", "one");
    const ids: string[] = [];
    for (const at of [path, join(directory(), "renamed")]) {
      if (at !== path) renameSync(path, at);
      const service = runtimeWith();
      await result(service, "open_binary", { path: at });
      const reply = await call(service, "procedure_address", { procedure: "main" });
      if (reply.ok && "evidence_id" in reply.value) ids.push(reply.value.evidence_id);
    }
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
  });
});

describe("close_binary", () => {
  test("clears target and ledger, also when nothing is open", async () => {
    const service = runtimeWith();
    expect(await result(service, "close_binary")).toBeNull();
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    await result(service, "procedure_address", { procedure: "main" });
    expect((await session(service)).evidence.records).toBe(1);
    expect(await result(service, "close_binary")).toBeNull();
    const closed = await session(service);
    expect(closed).toMatchObject({ open: false, analysis_run: null, analysis_provider_binding: null });
    expect(closed.evidence.records).toBe(0);
    expect((await failure(service, "list_procedures")).details.reason).toBe("no_target");
  });

  test("what cannot be released is reported, and the next close retries exactly that", async () => {
    const native = nativeFake({ remaining: [[{ kind: "temporary_root", detail: "left" }], []] });
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    await result(service, "list_procedures");
    expect(await failure(service, "close_binary")).toMatchObject({
      code: "cleanup_incomplete",
      details: { cleanup: "incomplete", resources: [{ kind: "temporary_root", detail: "left" }] },
    });
    expect(await result(service, "close_binary")).toBeNull();
    expect(native.closedClients).toBe(2);
    expect((await session(service)).open).toBe(false);
  });

  test("a transition waits for admitted calls and keeps new ones out", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const native = nativeFake({ gate: () => gate });
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const running = result(service, "procedure_address", { procedure: "main" });
    const closing = result(service, "close_binary");
    await new Promise((resolve) => setImmediate(resolve));
    expect((await failure(service, "list_procedures")).details.reason).toBe("target_changed");
    expect((await session(service)).open).toBe(true);
    release();
    expect(await running).toBe("0x1000");
    expect(await closing).toBeNull();
    expect((await session(service)).open).toBe(false);
  });

  test("a close that is cancelled while it waits leaves the session open", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const service = runtimeWith({ providers: [nativeFake({ gate: () => gate })] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const running = result(service, "procedure_address", { procedure: "main" });
    const controller = new AbortController();
    const closing = service.host.ports.session.close({}, context(controller.signal));
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(closing).rejects.toMatchObject({ code: "cancelled" });
    release();
    await running;
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
  });
});

describe("snapshot file", () => {
  const open = async (native: ReturnType<typeof nativeFake>, input: object) => {
    const service = runtimeWith({ providers: [native] });
    await result(service, "open_binary", input);
    return service;
  };

  test("answers saved on close answer after open before any client starts", async () => {
    const path = writeTemporary("program", "one");
    const snapshot = join(directory(), "snapshot.json");
    const first = await open(nativeFake(), { path });
    const asked = await call(first, "procedure_address", { procedure: "main" });
    await result(first, "current_address");
    const saved = await result(first, "close_binary", { snapshot_path: snapshot });
    expect(saved).toMatchObject({ path: snapshot, entries: 1, evidence_records: 2 });
    expect(statSync(snapshot).mode & 0o777).toBe(0o600);
    expect(saved.bytes).toBe(statSync(snapshot).size);

    const native = nativeFake();
    const second = await open(native, { path, snapshot_path: snapshot });
    expect((await session(second)).evidence.records).toBe(2);
    expect(await call(second, "procedure_address", { procedure: "main" })).toEqual(asked);
    expect(native.started).toEqual([]);
    await result(second, "current_address");
    expect(native.started).toHaveLength(1);
  });

  test("partial answers, failures and cursor reads are not saved", async () => {
    const partial = { ...emptyPage, coverage: { state: "partial", omissions: [] } };
    const native = nativeFake({ answers: { list_procedures: () => partial, current_address: () => "0x1", procedure_address: () => 1 } });
    const service = await open(native, { path: writeTemporary("program", "one") });
    await result(service, "list_procedures");
    await result(service, "current_address");
    await failure(service, "procedure_address", { procedure: "main" });
    const saved = await result(service, "close_binary", { snapshot_path: join(directory(), "s.json") });
    expect(saved.entries).toBe(0);
  });

  test("an unwritable place leaves the session open and the next call works", async () => {
    const service = await open(nativeFake(), { path: writeTemporary("program", "one") });
    await result(service, "procedure_address", { procedure: "main" });
    const snapshot_path = join(directory(), "no", "such", "directory", "s.json");
    expect((await failure(service, "close_binary", { snapshot_path })).code).toBe("artifact_operation_failed");
    expect((await session(service)).open).toBe(true);
    expect((await session(service)).evidence.records).toBe(1);
    expect(await result(service, "procedure_address", { procedure: "main" })).toBe("0x1000");
  });

  test("an existing file needs overwrite", async () => {
    const taken = writeTemporary("s.json", "mine");
    const service = await open(nativeFake(), { path: writeTemporary("program", "one") });
    expect((await failure(service, "close_binary", { snapshot_path: taken })).details.issues[0].path).toBe("overwrite");
    expect(readFileSync(taken, "utf8")).toBe("mine");
    expect(await result(service, "close_binary", { snapshot_path: taken, overwrite: true })).toMatchObject({ entries: 0 });
  });

  test("a snapshot of another target, profile or content is refused and imports nothing", async () => {
    const path = writeTemporary("program", "one");
    const snapshot = join(directory(), "s.json");
    const first = await open(nativeFake(), { path });
    await result(first, "procedure_address", { procedure: "main" });
    await result(first, "close_binary", { snapshot_path: snapshot });

    const service = runtimeWith({ providers: [nativeFake({ profileParameters: { depth: 1 } })] });
    const refused = async (input: object) => (await failure(service, "open_binary", input)).details;
    expect((await refused({ path, snapshot_path: snapshot })).reason).toBe("profile_mismatch");
    const same = runtimeWith();
    const other = await failure(same, "open_binary", { path: writeTemporary("p", "two"), snapshot_path: snapshot });
    expect(other).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "target_mismatch" } });
    const text = readFileSync(snapshot, "utf8");
    const changed = await failure(same, "open_binary", { path, snapshot_path: writeTemporary("changed.json", text.replace('"0x1000"', '"0x1001"')) });
    expect(changed).toMatchObject({ details: { reason: "id_mismatch", constraint: "sha256" } });
    expect(changed.message).toContain("changed.json");
    expect(changed.remediation.action).toContain("close_binary");
    for (const damaged of [text.replace(/"sha256":"[0-9a-f]{64}",/, ""), `${text}\n`, text.replace('"procedure":"main"', '"procedure":"evil"'), text.slice(0, -1), "{}", text.replace('"snapshot_version":2', '"snapshot_version":1')]) {
      const bad = writeTemporary("bad.json", damaged);
      expect((await failure(same, "open_binary", { path, snapshot_path: bad })).code).toBe("evidence_integrity_mismatch");
    }
    expect((await failure(same, "open_binary", { path, snapshot_path: join(directory(), "no") })).details.reason).toBe("missing");
    expect((await session(same)).evidence.records).toBe(0);
    expect((await session(same)).open).toBe(false);
  });
});

test("any changed byte of a snapshot is refused, and saving what was imported gives the same file", async () => {
  const path = writeTemporary("program", "one");
  const [saved, again] = [join(directory(), "s.json"), join(directory(), "again.json")];
  const first = runtimeWith();
  await result(first, "open_binary", { path });
  await result(first, "procedure_address", { procedure: "main" });
  await result(first, "close_binary", { snapshot_path: saved });
  const second = runtimeWith();
  await result(second, "open_binary", { path, snapshot_path: saved });
  await result(second, "close_binary", { snapshot_path: again });
  const bytes = readFileSync(saved);
  expect(readFileSync(again).equals(bytes)).toBe(true);
  for (let at = 0; at < bytes.length; at += 97) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    const { code } = await failure(second, "open_binary", { path, snapshot_path: writeTemporary("changed.json", changed) });
    expect([at, code]).toEqual([at, "evidence_integrity_mismatch"]);
  }
});

test("a provider that only the environment could have asked for is refused by the name of its variable", async () => {
  const service = runtimeWith({ env: { REA_ANALYSIS_PROVIDER: "zzz" } });
  const path = writeTemporary("program", "one");
  const refused = await failure(service, "open_binary", { path });
  expect(refused).toMatchObject({ code: "capability_unavailable", details: { selection_reason: "unknown_provider" } });
  expect(refused.message).toContain("REA_ANALYSIS_PROVIDER");
  expect(refused.remediation.action).toContain("REA_ANALYSIS_PROVIDER");
  expect((await failure(service, "open_binary", { path, provider_id: "zzz" })).message).not.toContain("REA_ANALYSIS_PROVIDER");
});

test("a run id from outside is refused when a target is opened", async () => {
  const service = runtimeWith({ env: { REA_PROCESS_RUN_ID: "mine" } });
  expect(await failure(service, "open_binary", { path: writeTemporary("program", "one") })).toMatchObject({
    code: "configuration_invalid",
    details: { setting: "REA_PROCESS_RUN_ID" },
  });
});

test("two runtimes in one process do not see each other", async () => {
  const [one, two] = [runtimeWith(), runtimeWith()];
  await result(one, "open_binary", { path: writeTemporary("program", "one") });
  await result(one, "procedure_address", { procedure: "main" });
  expect((await session(two)).open).toBe(false);
  expect((await session(two)).evidence.records).toBe(0);
});

test("closing the service releases the client and may be done twice", async () => {
  const native = nativeFake();
  const service = runtimeWith({ providers: [native] });
  await result(service, "open_binary", { path: writeTemporary("program", "one") });
  await result(service, "list_procedures");
  expect(await service.close()).toEqual({ remaining: [] });
  expect(await service.close()).toEqual({ remaining: [] });
  expect(native.closedClients).toBe(1);
});
