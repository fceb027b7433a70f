import { createAnalysisProfile, ReaError, silentProgress, type DeepOperationName } from "@rea/core";
import { expect, test } from "vitest";
import { createFakeProvider, type FakeAnswer } from "../../testkit/src/index.js";
import { executeDeep, operationPorts, type AnalysisProviderBinding, type Target } from "../src/index.js";

const provider = { id: "ghidra", name: "Fake ghidra", version: "1" };
const profile = createAnalysisProfile({ provider, provider_profile_schema_version: 1, parameters: {} });
const binding: AnalysisProviderBinding = { provider, selection_source: "request", analysis_profile: profile };
const target: Target = {
  path: "/t/a",
  name: "a",
  sha256: null,
  bytes: 0,
  kind: "executable",
  format: "elf",
  architecture: null,
  available_architectures: [],
  role: null,
  managed: false,
  raw: null,
  note: null,
  bundle_root: null,
};

async function ask(answer: FakeAnswer, signal = new AbortController().signal, gate?: () => Promise<void>) {
  const fake = createFakeProvider({ id: "ghidra", answers: { procedure_address: answer }, ...(gate ? { gate } : {}) });
  const client = await fake.createClient(target, profile, { runId: "r" });
  return executeDeep({
    client,
    binding,
    subject: null,
    operation: "procedure_address",
    params: { procedure: "main" },
    context: { signal, progress: silentProgress },
  });
}

test("a good answer comes back with provenance", async () => {
  expect(await ask(() => "0x1000")).toEqual({
    result: "0x1000",
    raw_result: null,
    provider,
    analysis_profile: profile,
    subject: null,
    confidence: "observed",
    limitations: [],
    locations: [],
    resolved_parameters: {},
  });
});

test.each([4096, null, undefined, "1000", { address: "0x1000" }])("the answer %j is unreadable_output", async (value) => {
  await expect(ask(() => value)).rejects.toMatchObject({
    code: "unreadable_output",
    details: { provider_id: "ghidra", operation: "procedure_address" },
  });
});

test("an answer off contract is refused without repeating its text", async () => {
  const error: unknown = await ask(() => "SECRET_NAME_IN_TARGET").catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ReaError);
  expect(JSON.stringify(error instanceof ReaError ? error.toObject() : "")).not.toContain("SECRET");
});

test("a typed error of the engine passes unchanged", async () => {
  const error = new ReaError("provider_timeout", {
    message: "Too slow.",
    details: { operation: "procedure_address", timeout_ms: 1, phase: "request" },
  });
  await expect(
    ask(() => {
      throw error;
    }),
  ).rejects.toBe(error);
});

test("any other exception becomes execution_failure naming the provider, not its text", async () => {
  const failing = ask(() => {
    throw new TypeError("internal detail");
  });
  await expect(failing).rejects.toMatchObject({
    code: "execution_failure",
    details: { provider_id: "ghidra", operation: "procedure_address" },
  });
  await failing.catch((error: unknown) => {
    expect(JSON.stringify(error instanceof ReaError ? error.toObject() : "internal detail")).not.toContain("internal detail");
  });
});

test("an abort answers at once, although the engine never does", async () => {
  const controller = new AbortController();
  const never = ask(() => "0x1", controller.signal, () => new Promise<void>(() => undefined));
  controller.abort();
  await expect(never).rejects.toMatchObject({ code: "cancelled" });
});

test("an aborted signal asks nothing", async () => {
  let asked = false;
  const asking = ask(() => (asked = true), AbortSignal.abort());
  await expect(asking).rejects.toMatchObject({ code: "cancelled" });
  expect(asked).toBe(false);
});

test("every operation has a port and all go through the one call", async () => {
  const seen: string[] = [];
  const call = (operation: string) => {
    seen.push(operation);
    return Promise.reject(new ReaError("capability_unavailable", { message: "no", details: {} }));
  };
  const ports = operationPorts({ deep: call, auxiliary: call });
  const names: DeepOperationName[] = ["xrefs", "analyze_function"];
  const context = { signal: new AbortController().signal, progress: silentProgress };
  await expect(ports.current_document({}, context)).rejects.toMatchObject({ code: "capability_unavailable" });
  await expect(ports.list_architectures({}, context)).rejects.toMatchObject({ code: "capability_unavailable" });
  expect(seen).toEqual(["current_document", "list_architectures"]);
  expect(names.every((name) => typeof ports[name] === "function")).toBe(true);
});
