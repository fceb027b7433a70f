import { existsSync } from "node:fs";
import { comparedFacts, providerComparisonSchema, ReaError } from "@rea/core";
import { createFakeProvider, fakeUnavailable, fakeUnsupported, type FakeProviderOptions } from "@rea/testkit";
import { invoke } from "@rea/tool";
import { describe, expect, test } from "vitest";
import { createRuntime } from "../src/index.js";
import { call, directory, emptyPage, failure, nativeFake, result, runtimeWith, writeTemporary } from "./support.js";

interface Told {
  readonly base?: number;
  readonly functions?: readonly (readonly [address: number, size: number | null, name: string])[];
  readonly strings?: readonly (readonly [address: number, text: string])[];
  readonly calls?: Readonly<Record<number, readonly number[]>>;
}

const hex = (value: number): string => `0x${value.toString(16)}`;
const page = (items: readonly unknown[]) => ({ ...emptyPage, items, total: items.length });

/** An engine that places the program at a base of its own. */
function engine(id: string, { base = 0, functions = [], strings = [], calls = {} }: Told, more: Partial<FakeProviderOptions> = {}) {
  const at = (address: number): string => hex(base + address);
  const item = (address: number, value: string) => ({ address: at(address), value, value_truncated: false });
  const segment = { readable: true, writable: false, executable: true, permissions: "r-x", provenance: "file" };
  return createFakeProvider({
    id,
    embedded: id === "rea-native",
    answers: {
      list_segments: () => page([{ ...segment, name: "text", start: at(0x1000), end: at(0x2000), sections: [{ name: ".text", start: at(0x1000), end: at(0x2000) }] }]),
      list_procedures: () =>
        page(
          functions.map(([address, size, name]) => ({
            ...item(address, name),
            procedure: { size, sources: ["symbol"], name_source: /_[0-9a-f]+$/.test(name) ? "generated" : "symbol", external: false, thunk: false, thunk_target: null },
          })),
        ),
      list_strings: () => page(strings.map(([address, text]) => ({ ...item(address, text), string: { encoding: "ascii", byte_length: text.length, terminated: true } }))),
      procedure_callees: (params) => page((calls[Number(Object(params).procedure) - base] ?? []).map(at)),
    },
    ...more,
  });
}

const native: Told = {
  functions: [[0x1000, 32, "main"], [0x1020, 16, "helper"], [0x1040, 64, "sub_1040"]],
  strings: [[0x1800, "hello"], [0x1900, "only here"]],
  calls: { 0x1000: [0x1020, 0x1040] },
};
const other: Told = {
  base: 0x100000,
  functions: [[0x1000, 32, "_main"], [0x1020, 20, "assist"], [0x1050, 8, "FUN_101050"], [0x1f00, 4, "late"]],
  strings: [[0x1800, "hello"], [0x1810, "extra"]],
  calls: { 0x1000: [0x1020] },
};

describe("compare_providers", () => {
  test("aligns two engines that place the program differently, and tells agreement, single sources and contradictions", async () => {
    const engines = [engine("rea-native", native), engine("ghidra", other)];
    const service = runtimeWith({ providers: engines });
    const path = writeTemporary("program", "one");
    const found = await result(service, "compare_providers", { path, providers: ["rea-native", "ghidra"] });
    expect(found.targets).toMatchObject([
      { provider: { id: "ghidra", version: "1" }, state: "compared", address_shift: "-0x100000", functions: 4, strings: 2, call_edges: 1 },
      { provider: { id: "rea-native" }, state: "compared", address_shift: "0x0", functions: 3, strings: 2, call_edges: 2 },
    ]);
    expect(found.status).toBe("differences");
    expect(found.agreement).toMatchObject({
      functions: { state: "compared", providers: ["ghidra", "rea-native"], agreed: 1, single_source: 2, contradicted: 2 },
      names: { agreed: 1, single_source: 1, contradicted: 1 },
      strings: { agreed: 1, single_source: 2, contradicted: 0 },
      call_edges: { agreed: 1, single_source: 1 },
    });
    expect(found.contradictions.items).toEqual([
      { about: "function_size", address: "0x1020", values: [{ provider: "ghidra", value: "20 bytes" }, { provider: "rea-native", value: "16 bytes" }] },
      { about: "name", address: "0x1020", values: [{ provider: "ghidra", value: "assist" }, { provider: "rea-native", value: "helper" }] },
      { about: "function_start", address: "0x1050", values: [{ provider: "ghidra", value: "starts a function" }, { provider: "rea-native", value: "lies inside 0x1040" }] },
    ]);
    expect(found.single_source.items).toContainEqual({ fact: "strings", address: "0x1900", value: "only here", value_truncated: false, providers: ["rea-native"], missing: ["ghidra"] });
    expect(found.single_source.items).toContainEqual({ fact: "call_edges", address: "0x1000", value: "0x1040", value_truncated: false, providers: ["rea-native"], missing: ["ghidra"] });
    expect(found.single_source.items).toContainEqual({ fact: "functions", address: "0x1040", value: null, value_truncated: false, providers: ["rea-native"], missing: ["ghidra"] });
    for (const { started, closedClients } of engines) expect([started.length, closedClients]).toEqual([1, 1]);
  });

  test("is derived Evidence with the same id each time, from the open target too, and leaves the binding alone", async () => {
    const engines = [engine("rea-native", native), engine("ghidra", other), nativeFake({ id: "hopper", embedded: false, support: fakeUnsupported })];
    const service = runtimeWith({ providers: engines });
    const path = writeTemporary("program", "one");
    await result(service, "open_binary", { path, provider_id: "rea-native" });
    const before = await result(service, "binary_session");
    const [given, open] = [await call(service, "compare_providers", { path, providers: ["ghidra", "rea-native"] }), await call(service, "compare_providers", { providers: ["ghidra", "rea-native"] })];
    if (!given.ok || !open.ok || !("evidence" in given.value) || !("evidence" in open.value)) throw new Error("no evidence");
    expect(given.value.evidence).toMatchObject({ confidence: "derived", provider: { id: "rea-comparison" }, subject: { name: "program" }, analysis_profile: null });
    expect(open.value.evidence_id).toBe(given.value.evidence_id);
    const after = await result(service, "binary_session");
    for (const part of ["analysis_provider_binding", "analysis_run", "analysis_activity"]) expect(after[part]).toEqual(before[part]);
    // The second call, and every page, is cut from what the first one found.
    expect(engines.map(({ started }) => started.length)).toEqual([1, 1, 0]);
    const whole = await result(service, "compare_providers", { providers: ["ghidra", "rea-native"] });
    const pages = [];
    for (let offset = 0; offset < whole.single_source.total; offset += 1) {
      pages.push(...(await result(service, "compare_providers", { providers: ["ghidra", "rea-native"], offset, limit: 1 })).single_source.items);
    }
    expect(pages).toEqual(whole.single_source.items);
  });

  test("with one usable provider says which, and why not the others", async () => {
    const engines = [engine("rea-native", native), engine("ghidra", other, { availability: fakeUnavailable }), engine("hopper", other, { support: fakeUnsupported })];
    const service = runtimeWith({ providers: engines });
    const found = await result(service, "compare_providers", { path: writeTemporary("program", "one"), providers: ["ghidra", "hopper", "rea-native"] });
    expect(found).toMatchObject({
      status: "not_compared",
      targets: [
        { provider: { id: "ghidra" }, state: "unavailable", code: "not_configured", reason: "The fake engine is not configured." },
        { provider: { id: "hopper" }, state: "unsupported", code: "target_format_unsupported" },
        { provider: { id: "rea-native" }, state: "usable", code: null },
      ],
      coverage: { state: "unavailable" },
      limitations: [expect.stringContaining("only rea-native")],
    });
    expect(engines.flatMap(({ started }) => started)).toEqual([]);
  });

  test("an engine that fails is named with its error, and the others are compared", async () => {
    const startError = new ReaError("provider_timeout", { message: "The engine did not start.", details: { operation: "start_engine", timeout_ms: 1, phase: "engine_connect" } });
    const engines = [engine("rea-native", native), engine("ghidra", other), engine("hopper", other, { startError })];
    const service = runtimeWith({ providers: engines });
    const input = { path: writeTemporary("program", "one"), providers: ["ghidra", "hopper", "rea-native"] };
    const found = await result(service, "compare_providers", input);
    expect(found.targets.map(({ state, code }: { state: string; code: string | null }) => [state, code])).toEqual([["compared", null], ["failed", "provider_timeout"], ["compared", null]]);
    expect(found.coverage).toMatchObject({ state: "partial", omissions: [{ scope: "hopper", reason: "engine_unavailable" }] });
    // It may start the next time.
    await result(service, "compare_providers", input);
    expect(engines[2]?.started).toHaveLength(2);
    for (const { started, closedClients } of engines.slice(0, 2)) expect(closedClients).toBe(started.length);
  });

  test("a function whose calls one cannot tell is left out for all, and said to be", async () => {
    const refusing = engine("ghidra", other);
    const { capabilities, ...rest } = refusing;
    const provider = {
      ...rest,
      capabilities,
      createClient: async (...given: Parameters<typeof refusing.createClient>) => {
        const client = await refusing.createClient(...given);
        return {
          ...client,
          execute: ((operation, params, context) => {
            if (operation === "procedure_callees") throw new ReaError("execution_failure", { message: "The engine refused.", details: {} });
            return client.execute(operation, params, context);
          }) satisfies typeof client.execute,
        };
      },
    };
    const service = runtimeWith({ providers: [engine("rea-native", native), provider] });
    const found = await result(service, "compare_providers", { path: writeTemporary("program", "one"), providers: ["ghidra", "rea-native"] });
    expect(found.targets.map(({ state }: { state: string }) => state)).toEqual(["compared", "compared"]);
    expect(found.agreement.call_edges).toMatchObject({ state: "compared", agreed: 0, single_source: 0 });
    expect(found.coverage.omissions).toContainEqual(expect.objectContaining({ scope: "call_edges", reason: "unreadable", count: 2 }));
  });

  test("a kind of facts that only one provider gives is not compared, and three that differ tell who has what", async () => {
    const mute = engine("hopper", other, { answers: { list_segments: () => page([]), list_procedures: () => page([]) } });
    const service = runtimeWith({ providers: [engine("rea-native", native), engine("ghidra", { ...native, strings: [] }), mute] });
    const path = writeTemporary("program", "one");
    const found = await result(service, "compare_providers", { path, providers: ["hopper", "rea-native"] });
    expect(found.agreement.strings).toMatchObject({ state: "not_compared", providers: ["rea-native"] });
    expect(found.limitations.some((text: string) => text.includes("compared as they are"))).toBe(true);
    const three = await result(service, "compare_providers", { path, providers: ["hopper", "rea-native", "ghidra"] });
    expect(three.agreement.functions).toMatchObject({ agreed: 0, single_source: 0, shared: 3 });
    expect(three.single_source.items[0]).toMatchObject({ providers: ["ghidra", "rea-native"], missing: ["hopper"] });
  });

  test("refuses an id nobody has, one named twice, too few, and no target", async () => {
    const service = runtimeWith({ providers: [engine("rea-native", native), engine("ghidra", other)] });
    const path = writeTemporary("program", "one");
    expect(await failure(service, "compare_providers", { path, providers: ["rea-native", "nobody"] })).toMatchObject({
      code: "capability_unavailable",
      details: { selection_reason: "unknown_provider", requested_provider_id: "nobody", candidate_ids: ["ghidra", "rea-native"] },
    });
    for (const providers of [["ghidra", "ghidra"], ["ghidra"], ["a", "b"]]) {
      expect((await failure(service, "compare_providers", { path, providers })).code).toBe("invalid_request");
    }
    expect(await failure(service, "compare_providers", { providers: ["ghidra", "rea-native"] })).toMatchObject({ code: "target_unavailable", details: { reason: "no_target" } });
  });

  test("a cancelled comparison closes every client and records nothing", async () => {
    let release = (): void => undefined;
    const gate = () => new Promise<void>((resolve) => (release = resolve));
    const engines = [engine("rea-native", native), engine("ghidra", other, { gate })];
    const service = runtimeWith({ providers: engines });
    const abort = new AbortController();
    const pending = call(service, "compare_providers", { path: writeTemporary("program", "one"), providers: ["ghidra", "rea-native"] }, abort.signal);
    await expect.poll(() => engines[1]?.executed.length).toBe(1);
    abort.abort();
    expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
    release();
    for (const { started, closedClients } of engines) expect(closedClients).toBe(started.length);
    expect((await result(service, "binary_session")).evidence.records).toBe(0);
  });

  test("an engine that leaves something behind fails the call", async () => {
    const engines = [engine("rea-native", native), engine("ghidra", other, { remaining: [[{ kind: "process_group", detail: "pid 1" }]] })];
    const service = runtimeWith({ providers: engines });
    const input = { path: writeTemporary("program", "one"), providers: ["ghidra", "rea-native"] };
    expect((await failure(service, "compare_providers", input)).code).toBe("cleanup_incomplete");
  });
});

test.skipIf(!existsSync("/bin/ls"))("the embedded engine on a real program agrees with itself wherever it lies", async () => {
  const service = createRuntime({
    env: { HOME: directory() },
    identity: { package_name: "@rea/test", package_version: "1", server_path: "/s" },
    log: { level: "silent" },
    stateDirectory: directory(),
    providers: (await import("./twin-providers.js")).twinProviders(directory()),
  });
  const tool = service.tools.find(({ name }) => name === "compare_providers");
  if (tool === undefined) throw new Error("no such tool");
  const seen: number[] = [];
  const progressSink = ({ completed }: { readonly completed: number }): void => void seen.push(completed);
  const reply = await invoke(tool, { path: "/bin/ls", providers: ["rea-native", "rea-twin"] }, service.host, { signal: new AbortController().signal, progressSink });
  if (!reply.ok) throw new Error(reply.error.message);
  const found = providerComparisonSchema.parse(reply.value.result);
  expect(seen.length).toBeGreaterThan(1);
  expect(found.status).toBe("agreement");
  for (const fact of comparedFacts) {
    expect(found.agreement[fact]).toMatchObject({ state: "compared", single_source: 0, shared: 0, contradicted: 0 });
  }
  expect(found.agreement.functions.agreed).toBeGreaterThan(100);
  expect(found.agreement.call_edges.agreed).toBeGreaterThan(100);
  await service.close();
});
