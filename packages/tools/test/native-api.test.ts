import { operations, ReaError, type NativeApi, type OperationResult } from "@rea/core";
import { expect, test } from "vitest";
import { batchDecompile } from "../src/enhanced/batch-decompile.js";
import { inspectNativeApi } from "../src/enhanced/inspect-native-api.js";
import { executed, FakeHost } from "./fake-ports.js";

const addresses = Array.from({ length: 20 }, (_, index) => `0x${(0x1000 + index * 16).toString(16)}`);

test("one bad address of twenty is one typed failure among nineteen results", async () => {
  const bad = addresses[7];
  const host = new FakeHost({
    procedure_pseudo_code: ({ procedure }) => {
      if (procedure !== bad) return Promise.resolve(executed(`void f_${procedure}(void) {}`));
      return Promise.reject(new ReaError("target_unavailable", { message: "No procedure starts there.", details: { reason: "target_not_found" } }));
    },
  });
  const result = batchDecompile.output.parse(await host.run(batchDecompile, { addresses }));
  expect(result).toMatchObject({ succeeded: 19, failed: 1, total: 20, has_more: false });
  expect(result.items.map(({ address }) => address)).toEqual(addresses);
  expect(result.items.filter(({ ok }) => !ok)).toEqual([
    { address: bad, ok: false, pseudocode: null, error: { code: "target_unavailable", message: "No procedure starts there.", next_step: expect.any(String) } },
  ]);
});

test("a procedure without a body is answered with null, which is no failure", async () => {
  const host = new FakeHost({ procedure_pseudo_code: () => Promise.resolve(executed(null)) });
  expect(await host.run(batchDecompile, { addresses: ["0x10"] })).toMatchObject({ succeeded: 1, failed: 0, items: [{ ok: true, pseudocode: null, error: null }] });
});

const nothing: NativeApi = {
  available: true,
  calling_convention: { name: "system_v_amd64", basis: ["x86-64 code outside PE files"] },
  parameters: [{ position: 0, location: "rdi", kind: "integer", basis: "read before written" }],
  variadic: null,
  return_type: null,
  return_value: { kind: "integer", basis: "b" },
  signature_source: "instructions",
  jump_tables: [],
  artifacts: [{ kind: "unresolved_jump", address: "0x1010", detail: "the targets are not known" }],
  frame: null,
  loops: [],
  truncated: [{ part: "loops", total: 300 }],
  unknowns: ["Types are not in the code."],
};

function dossier(native_api: OperationResult<"analyze_function">["native_api"]): OperationResult<"analyze_function"> {
  const none = { state: "unavailable" as const, reason: "not offered", remediation: "none" };
  return operations.analyze_function.result.parse({
    procedure: { address: "0x1000", name: "f", signature: null, locals: [], classification: null },
    pseudocode: none,
    assembly: none,
    comments: none,
    callers: none,
    callees: none,
    incoming_references: none,
    outgoing_references: none,
    referenced_strings: none,
    referenced_names: none,
    basic_blocks: none,
    native_api,
    instruction_scan: { scanned: 0, truncated: false },
    limitations: [],
  });
}

test("the boundary is the facet, with branches that nothing resolves and open questions beside it", async () => {
  const host = new FakeHost({ analyze_function: () => Promise.resolve(executed(dossier({ state: "available", value: nothing }))) });
  const result = inspectNativeApi.output.parse(await host.run(inspectNativeApi, { procedure: "f" }));
  expect(result.boundary).toMatchObject({ available: true, parameters: [{ location: "rdi" }], return_type: null });
  expect(result.boundary).not.toHaveProperty("unknowns");
  expect(result.unsupported_branches).toEqual([{ address: "0x1010", reason: "the targets are not known" }]);
  expect(result.residual_unknowns.map(({ question }) => question)).toEqual(["Types are not in the code.", "Only 100 of 300 items of loops are shown."]);
  expect(result.substeps).toMatchObject([{ name: "native_api", available: true }, { name: "pseudocode", available: false, detail: "not offered" }, { name: "assembly", available: false }]);
});

test("a provider without the facet leaves the boundary unavailable and says what to do", async () => {
  const host = new FakeHost({ analyze_function: () => Promise.resolve(executed(dossier({ state: "unavailable", reason: "no facts", remediation: "bind another" }))) });
  const result = inspectNativeApi.output.parse(await host.run(inspectNativeApi, { procedure: "f" }));
  expect(result.boundary).toMatchObject({ available: false, calling_convention: null, parameters: [], jump_tables: [] });
  expect(result.residual_unknowns).toEqual([{ question: "no facts", next_step: "bind another" }]);
});
