import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createBundle, createEvidence, isJsonObject, serializeBundle, type Evidence, type JsonObject } from "@rea/core";
import { describe, expect, test } from "vitest";
import { call, directory, failure, result, runtimeWith } from "./support.js";

const made = (operation: string, more: Partial<Evidence> = {}): Evidence =>
  createEvidence({
    subject: { name: "app", digest: { sha256: "a".repeat(64) }, format: "elf", architecture: "x86_64", local_path: null },
    provider: { id: "rea-native", name: "n", version: "1" },
    operation,
    parameters: {},
    normalized_result: { value: 1 },
    confidence: "observed",
    authority: "shipped-artifact",
    ...more,
  });

const wrong = made("list_names");
const hypothesis = { statement: "x", expected_pattern: "cochanged" };
const claim = (comparison: unknown) => ({ claim_id: "c", kind: "behavioral", statement: "x", comparison, dimensions: ["terminal"] });

/** Every place where a tool takes a record, with the tool's input around it. */
const slots: readonly (readonly [tool: string, place: string, input: (record: unknown) => JsonObject])[] = [
  ["compare_functions", "left", (record) => object({ left: record, right: record })],
  ["compare_functions", "right", (record) => object({ left: dossierLike, right: record })],
  ["compare_artifacts", "left", (record) => object({ left: record, right: record })],
  ["compare_artifacts", "right", (record) => object({ left: made("inspect_artifact"), right: record })],
  ["compare_process_captures", "left", (record) => object({ left: record, right: record })],
  ["compare_web_captures", "left", (record) => object({ left: record, right: record })],
  ["find_changed_behavior", "comparisons", (record) => object({ comparisons: [record] })],
  ["build_call_path", "functions", (record) => object({ functions: [record], start: { address: "0x1" }, goal: { address: "0x2" } })],
  ["correlate_static_and_runtime", "static_comparisons", (record) => object({ mappings: [mapping], static_comparisons: [record], runtime_comparisons: [record] })],
  ["verify_reconstruction", "comparison", (record) => object({ specification: { schema_version: 1, name: "n", claims: [claim(record)] } })],
];
const dossierLike = made("analyze_function");
const mapping = { static: { comparison: wrong.evidence_id, selector: "status" }, runtime: { comparison: wrong.evidence_id, dimension: "status" }, hypothesis, side_alignment: "left_to_left" };

function object(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(copy) ? copy : {};
}

async function records(service: ReturnType<typeof runtimeWith>): Promise<number> {
  return (await result(service, "get_evidence_bundle")).records.length;
}

describe.each(slots)("%s, %s", (tool, _place, input) => {
  test("refuses a record of another operation, and says which it takes and which it got", async () => {
    const service = runtimeWith();
    const { code, details } = await failure(service, tool, input(wrong));
    expect([code, details.reason, details.actual]).toEqual(["evidence_integrity_mismatch", "wrong_operation", "list_names"]);
    expect(details.expected).not.toBe("");
    expect(await records(service)).toBe(0);
  });

  test.each([
    ["edited by hand", (record: Evidence) => ({ ...record, normalized_result: { value: 2 } }), "id_mismatch"],
    ["of a newer schema", (record: Evidence) => ({ ...record, schema_version: 3 }), "unsupported_version"],
    ["with a member that records do not have", (record: Evidence) => ({ ...record, note: "x" }), "schema"],
  ] as const)("refuses a record %s", async (_what, change, reason) => {
    const service = runtimeWith();
    const { code, details } = await failure(service, tool, input(change(wrong)));
    expect([code, details.reason]).toEqual(["evidence_integrity_mismatch", reason]);
    expect(await records(service)).toBe(0);
  });

  test("tells a record that is not retained from one that is wrong", async () => {
    const service = runtimeWith();
    const reply = await call(service, tool, input({ evidence_id: wrong.evidence_id }));
    // A claim without its record is not settled; every other tool needs the record.
    if (tool === "verify_reconstruction") expect(reply).toMatchObject({ ok: true, value: { result: { status: "unknown" } } });
    else expect(reply).toMatchObject({ ok: false, error: { code: "evidence_integrity_mismatch", details: { reason: "missing" } } });
  });
});

describe("a bundle file that is too much", () => {
  /** A file of a size that holds the bytes at its beginning, and a hole behind. */
  function large(bytes: number, beginning: string): string {
    const place = directory();
    mkdirSync(place, { recursive: true });
    const path = join(place, "large.json");
    const file = openSync(path, "w");
    writeSync(file, beginning);
    ftruncateSync(file, bytes);
    closeSync(file);
    return path;
  }

  test("over 2 GiB is refused by its size, and 1 GiB that is no bundle at its first wrong byte", async () => {
    const service = runtimeWith();
    const over = await failure(service, "import_evidence_bundle", { path: large(2 ** 31 + 1, "{") });
    expect([over.code, over.details]).toMatchObject(["truncated", { limit: "bytes", maximum: 2 ** 31 }]);
    const hole = await failure(service, "import_evidence_bundle", { path: large(2 ** 30, '{"artifacts":[') });
    expect(hole.code).toBe("evidence_integrity_mismatch");
    expect(await records(service)).toBe(0);
  });

  test("in one string stops at the bound for strings", async () => {
    const service = runtimeWith();
    const path = join(directory(), "string.json");
    writeFileSync(path, `{"artifacts":["${"a".repeat(2 ** 24 + 1)}"]`);
    const { code, details } = await failure(service, "import_evidence_bundle", { path });
    expect([code, details.reason]).toEqual(["evidence_integrity_mismatch", "bounds"]);
  });
});

test("a bundle whose links lead nowhere is taken, and says how many", async () => {
  const service = runtimeWith();
  const path = join(directory(), "links.json");
  writeFileSync(path, serializeBundle(createBundle({ records: [made("compare_functions", { evidence_links: [wrong.evidence_id] })], unknowns: [] })));
  expect(await result(service, "import_evidence_bundle", { path })).toMatchObject({ imported: 1, unresolved_links: 1 });
  expect(readFileSync(path, "utf8")).toContain(wrong.evidence_id);
});
