import { canonicalSha256 } from "@rea/core";
import { createFakeProvider, fakeUnavailable } from "@rea/testkit";
import { toCatalogue } from "@rea/tool";
import { tools } from "@rea/tools";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, emptyPage, failure, nativeFake, result, runtimeWith, writeTemporary } from "./support.js";

const session = (service: ReturnType<typeof runtimeWith>, input: object = {}) => result(service, "binary_session", input);

test("without a target it names every field, starts nothing and creates no client", async () => {
  const native = nativeFake();
  const description = await session(runtimeWith({ providers: [native] }));
  expect(Object.keys(description).sort()).toEqual([
    "alignment",
    "analysis_activity",
    "analysis_provider_binding",
    "analysis_provider_candidates",
    "analysis_run",
    "capabilities",
    "client",
    "evidence",
    "open",
    "server_identity",
    "tool_availability",
  ]);
  expect(description).toMatchObject({
    open: false,
    server_identity: {
      package: { name: "@rea/test", version: "1.2.3" },
      server_path: "/server.js",
      pid: process.pid,
      runtime: { name: "node", version: process.versions.node, executable: process.execPath },
      protocol_version: null,
    },
    client: { name: null, version: null, features: { elicitation_form: false, roots: false } },
    analysis_provider_binding: null,
    analysis_run: null,
    analysis_activity: { status: "not_observed", providers: [] },
    evidence: { records: 0, unknown_revisions: 0, bytes: 0, limits: { records: 100_000, bytes: 2 ** 31 } },
  });
  expect(description.analysis_provider_candidates).toEqual([
    {
      provider: { id: "rea-native", name: "Fake rea-native", version: null },
      availability: { status: "available", code: null, reason: null, diagnostics: {} },
      target_support: { status: "unknown", code: null, reason: null, diagnostics: {} },
      selected: false,
      operations: ["current_address", "list_procedures", "procedure_address"],
    },
  ]);
  expect(native.started).toEqual([]);
});

test("every tool of the catalogue has exactly one availability entry, sorted by name", async () => {
  const names = (await session(runtimeWith())).tool_availability.map((entry: { name: string }) => entry.name);
  expect(names).toEqual(toCatalogue(tools).map((entry) => entry.name));
});

test("with the default providers the reply stays under 40 KB, with and without a target", async () => {
  const service = runtimeWith({ providers: undefined, auxiliary: undefined, detect: undefined });
  const size = async () => Buffer.byteLength(JSON.stringify({ result: await session(service) }));
  expect(await size()).toBeLessThan(40 * 1024);
  await result(service, "open_binary", { path: process.execPath });
  expect(await size()).toBeLessThan(40 * 1024);
  await service.close();
});

test("what most operations of a provider say of themselves is told once, and each keeps what only it says", async () => {
  const native = nativeFake();
  const [common, own] = ["Common to all.", "Own."];
  const given = native.capabilities().map((descriptor, index) => {
    return { ...descriptor, exhaustive: false, limitations: index === 0 ? [common, own] : [common] };
  });
  const service = runtimeWith({ providers: [{ ...native, capabilities: () => given }] });
  await result(service, "open_binary", { path: writeTemporary("program", "one") });
  const described = await result(service, "binary_session");
  expect(described.limitations).toEqual([`Operations of rea-native that are not exhaustive: ${common}`]);
  expect(described.capabilities.map((descriptor: { limitations: string[] }) => descriptor.limitations)).toEqual([[own], [], []]);
});

test("shuffling the registration of providers and tools changes no byte", async () => {
  const providers = () => [
    nativeFake(),
    createFakeProvider({ id: "ghidra", availability: fakeUnavailable, answers: { xrefs: () => emptyPage } }),
    createFakeProvider({ id: "hopper", availability: fakeUnavailable, answers: { list_names: () => emptyPage } }),
  ];
  const path = writeTemporary("program", "one");
  const describeWith = async (options: Parameters<typeof runtimeWith>[0]) => {
    const service = runtimeWith(options);
    await result(service, "open_binary", { path });
    return JSON.stringify(await session(service)).replace(/"run_id":"[^"]*"/, "");
  };
  const reference = await describeWith({ providers: providers() });
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(providers(), { minLength: 3 }),
      fc.shuffledSubarray([...tools], { minLength: tools.length }),
      async (shuffled, shuffledTools) => {
        expect(await describeWith({ providers: shuffled, tools: shuffledTools })).toBe(reference);
      },
    ),
    { numRuns: 8 },
  );
});

describe("tool availability", () => {
  const entry = async (service: ReturnType<typeof runtimeWith>, name: string) =>
    (await session(service)).tool_availability.find((candidate: { name: string }) => candidate.name === name);

  test("target_required before a target is open, and the call gets the matching error", async () => {
    const service = runtimeWith();
    expect(await entry(service, "list_procedures")).toEqual({
      name: "list_procedures",
      family: "direct",
      available: false,
      reason: "target_required",
      remediation: "Call open_binary.",
    });
    expect(await failure(service, "list_procedures")).toMatchObject({ code: "target_unavailable", details: { reason: "no_target" } });
  });

  test("available when the bound provider offers it", async () => {
    const service = runtimeWith();
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    expect(await entry(service, "list_procedures")).toMatchObject({ available: true, reason: "available", remediation: null });
    expect((await call(service, "list_procedures")).ok).toBe(true);
  });

  test("operation_unsupported when the bound provider lacks it; nothing is borrowed from another", async () => {
    const other = createFakeProvider({ id: "ghidra", availability: fakeUnavailable, answers: { xrefs: () => emptyPage } });
    const service = runtimeWith({ providers: [nativeFake(), other] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    expect(await entry(service, "xrefs")).toMatchObject({ reason: "operation_unsupported" });
    expect(await failure(service, "xrefs", { address: "0x0" })).toMatchObject({
      code: "capability_unavailable",
      details: { operation: "xrefs", provider_id: "rea-native" },
    });
  });

  test("target_unsupported on a target of another kind", async () => {
    const service = runtimeWith();
    await result(service, "open_binary", { path: writeTemporary("a.zip", "PK") });
    const judged = await entry(service, "list_procedures");
    expect(judged).toMatchObject({ reason: "target_unsupported" });
    expect(judged.remediation).toContain("open_binary");
    expect(await failure(service, "list_procedures")).toMatchObject({
      code: "capability_unavailable",
      details: {
        selection_reason: "target_unsupported",
        rejections: [{ provider_id: "rea-native", code: "target_kind_unsupported" }],
      },
    });
  });

  test("provider_unavailable when only an unavailable provider would take the target", async () => {
    const providers = [createFakeProvider({ id: "ghidra", availability: fakeUnavailable })];
    const service = runtimeWith({ providers });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    expect(await entry(service, "list_procedures")).toMatchObject({ reason: "provider_unavailable" });
    expect(await failure(service, "list_procedures")).toMatchObject({
      code: "provider_unavailable",
      details: { selection_reason: "provider_unavailable", rejections: [{ provider_id: "ghidra", code: "not_configured" }] },
    });
  });

  test("provider_missing when nothing of the installation offers it", async () => {
    const service = runtimeWith({ providers: [], auxiliary: [] });
    expect(await entry(service, "inspect_binary")).toMatchObject({ reason: "provider_missing" });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    expect(await entry(service, "list_procedures")).toMatchObject({ reason: "provider_missing" });
    expect(await failure(service, "inspect_binary")).toMatchObject({ code: "capability_unavailable" });
  });

  test("a tool with modes is available when one of them is", async () => {
    const answers = { current_address: () => "0x1", resolve_containing_procedure: () => null };
    const service = runtimeWith({ providers: [nativeFake({ answers })] });
    await result(service, "open_binary", { path: writeTemporary("program", "one") });
    const context = await entry(service, "get_navigation_context");
    expect(context).toMatchObject({ available: true, reason: "available" });
    expect(context.modes).toEqual([
      expect.objectContaining({ name: "current_selection", available: false, missing_operations: ["current_document"] }),
      expect.objectContaining({ name: "explicit_document", available: true, missing_operations: [], remediation: null }),
    ]);
  });
});

describe("identity", () => {
  test("the digests commit to the tools/list array and to the providers", async () => {
    const { catalog } = (await session(runtimeWith())).server_identity;
    expect(catalog.tool_count).toBe(tools.length);
    expect(catalog.tools_sha256).toBe(canonicalSha256(toCatalogue(tools)));
    expect(catalog.combined_sha256).toBe(
      canonicalSha256({ tools_sha256: catalog.tools_sha256, providers_sha256: catalog.providers_sha256 }),
    );
    const given = await session(runtimeWith({ catalogue: [{ name: "only" }] }));
    expect(given.server_identity.catalog).toMatchObject({ tool_count: 1, tools_sha256: canonicalSha256([{ name: "only" }]) });
    const more = await session(runtimeWith({ providers: [nativeFake(), createFakeProvider({ id: "ghidra" })] }));
    expect(more.server_identity.catalog.providers_sha256).not.toBe(catalog.providers_sha256);
  });

  test("alignment is unknown, aligned or mismatched by what the caller expects", async () => {
    const service = runtimeWith();
    const digest = (await session(service)).server_identity.catalog.combined_sha256;
    expect((await session(service)).alignment.state).toBe("unknown");
    const right = { expected_package_version: "1.2.3", expected_catalog_digest: digest, expected_server_path: "/server.js" };
    expect((await session(service, right)).alignment).toEqual({ state: "aligned", reasons: [], remediation: null });
    const wrong = await session(service, { ...right, expected_package_version: "9" });
    expect(wrong.alignment).toMatchObject({ state: "mismatched", reasons: ["package_version"] });
    expect(wrong.alignment.remediation).toContain("Restart");
  });

  test("what the client negotiated is shown, escaped", async () => {
    const service = runtimeWith();
    service.host.connected({
      client: { name: "evil\u202ename", version: "1" },
      protocol_version: "2025-11-25",
      sdk: { "@modelcontextprotocol/sdk": "1.32.2" },
      features: { elicitation_form: true, elicitation_url: false, roots: true, sampling: false },
    });
    expect(await session(service)).toMatchObject({
      client: { name: "evil\\u{202e}name", features: { elicitation_form: true, roots: true } },
      server_identity: { protocol_version: "2025-11-25", sdk: { "@modelcontextprotocol/sdk": "1.32.2" } },
    });
  });
});

test("an operation that two auxiliary providers offer is a start-up error", () => {
  const one = { identity: { id: "aa", name: "A", version: "1" }, answers: { inspect_binary: () => Promise.reject(new Error()) }, close: () => Promise.resolve() };
  expect(() => runtimeWith({ auxiliary: [one, { ...one, identity: { ...one.identity, id: "bb" } }] })).toThrow("inspect_binary");
});

test("processes that a client observed appear as dated snapshots", async () => {
  const observation = { state: "verified", observed_at: "2026-01-01T00:00:00.000Z" };
  const service = runtimeWith({ providers: [nativeFake({ lineage: observation })] });
  await result(service, "open_binary", { path: writeTemporary("program", "one") });
  expect((await session(service)).analysis_run.process_lineage).toEqual({ status: "not_observed" });
  await result(service, "list_procedures");
  const described = await session(service);
  expect(described.analysis_run.process_lineage).toEqual({
    status: "snapshots",
    snapshots: [{ provider: { id: "rea-native", name: "Fake rea-native", version: "1" }, observation }],
  });
  expect(described.analysis_activity).toMatchObject({ status: "idle", providers: [{ provider: "rea-native", active: null }] });
});

test("without a home directory annotations are temporary and the session says so", async () => {
  const service = runtimeWith({ stateDirectory: undefined, env: {} });
  expect((await session(service)).limitations[0]).toContain("home directory");
  await service.close();
  const kept = runtimeWith({ stateDirectory: undefined, env: { HOME: "/home/somebody" } });
  expect(await session(kept)).not.toHaveProperty("limitations");
});
