import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  createEvidence,
  firstUnknownRevision,
  unknownMutationPredicate,
  type Evidence,
  type UnknownRevision,
  type UnknownState,
} from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLedgerPort } from "../src/ledger/ledger-port.js";
import { LedgerStore, type LedgerOptions } from "../src/ledger/ledger-store.js";
import { context, directory, writeTemporary } from "./support.js";

const generous = { records: 100_000, bytes: 1 << 30 };
const optionsOf = (more: Partial<LedgerOptions> = {}): LedgerOptions => ({
  limits: generous,
  memoryBytes: 1 << 20,
  directory: directory(),
  ...more,
});

function record(value: unknown, more: Partial<Parameters<typeof createEvidence>[0]> = {}): Evidence {
  return createEvidence({
    subject: { name: "a", digest: { sha256: "0".repeat(64) }, format: "elf", architecture: null, local_path: null },
    provider: { id: "rea-native", name: "n", version: "1" },
    operation: "xrefs",
    parameters: { value },
    normalized_result: { value },
    confidence: "observed",
    authority: "shipped-artifact",
    ...more,
  });
}

const state: UnknownState = {
  status: "open",
  severity: "low",
  supporting_evidence_ids: [],
  contradicting_evidence_ids: [],
  required_authority: null,
  required_confidence: "observed",
  required_environment: null,
  recommended_probes: [],
  relationships: [],
  resolution: null,
};
const unknown = (question: string): UnknownRevision =>
  firstUnknownRevision({ domain: "d", question, scope_digest: null }, state);
const mutation = (revision: UnknownRevision): Evidence =>
  record(revision.question, { predicate_type: unknownMutationPredicate, normalized_result: { unknown: revision } });

describe("recording", () => {
  test("is idempotent by id and gives detached copies", () => {
    const ledger = new LedgerStore(optionsOf());
    const one = record({ list: [1, 2] });
    ledger.add(one);
    ledger.add(one);
    expect(ledger.recordCount).toBe(1);
    const copy = JSON.parse(JSON.stringify(ledger.get(one.evidence_id)));
    const read = ledger.get(one.evidence_id);
    expect(read).toEqual(one);
    expect(read).not.toBe(ledger.get(one.evidence_id));
    copy.normalized_result.value.list.push(3);
    expect(ledger.get(one.evidence_id)).toEqual(one);
  });

  test("with room for one entry the second of two unknown revisions is refused, and its record with it", () => {
    const ledger = new LedgerStore(optionsOf({ limits: { records: 6, bytes: 1 << 20 } }));
    for (let index = 0; index < 4; index += 1) ledger.add(record(index));
    const first = unknown("one?");
    ledger.add(mutation(first), first);
    expect([ledger.recordCount, ledger.unknownCount]).toEqual([5, 1]);
    const second = unknown("two?");
    expect(() => ledger.add(mutation(second), second)).toThrow(
      expect.objectContaining({ code: "truncated", details: { limit: "records", maximum: 6 } }),
    );
    expect([ledger.recordCount, ledger.unknownCount]).toEqual([5, 1]);
    expect(ledger.has(mutation(second).evidence_id)).toBe(false);
    expect(() => ledger.add(record(0))).not.toThrow();
  });

  test("refuses what would pass the byte bound and keeps the rest", () => {
    const ledger = new LedgerStore(optionsOf({ limits: { records: 10, bytes: 5000 } }));
    ledger.add(record("small"));
    expect(() => ledger.add(record("x".repeat(3000)))).toThrow(
      expect.objectContaining({ code: "truncated", details: { limit: "bytes", maximum: 5000 } }),
    );
    expect(ledger.recordCount).toBe(1);
  });

  test("records spilled to the session file read back unchanged, and the file is private and goes", (test) => {
    const options = optionsOf({ memoryBytes: 8000 });
    const ledger = new LedgerStore(options);
    const records = Array.from({ length: 60 }, (_, index) => record(`${String(index)} é 😀 \u0000 ${"x".repeat(index * 7)}`));
    for (const item of records) ledger.add(item);
    for (const item of records) expect(ledger.get(item.evidence_id)).toEqual(item);
    ledger.clear();
    expect(ledger.recordCount).toBe(0);
    expect(ledger.get(records[0]?.evidence_id ?? "")).toBeUndefined();
    if (process.platform === "win32") test.skip("names stay there until the end");
    expect(readdirSync(options.directory)).toEqual([]);
  });
});

describe("bundle transfer", () => {
  const port = (ledger: LedgerStore, options = optionsOf()) => createLedgerPort(ledger, options);
  const filled = (values: readonly unknown[]): LedgerStore => {
    const ledger = new LedgerStore(optionsOf());
    for (const value of values) ledger.add(record(value));
    const revision = unknown("why?");
    ledger.add(mutation(revision), revision);
    return ledger;
  };
  const write = async (ledger: LedgerStore, path = join(directory(), "b.json")) => {
    const written = await port(ledger).exportBundle({ path, overwrite: false, include_wholes: true }, context());
    return { path, written, text: readFileSync(path, "utf8") };
  };

  test("export → import → export gives identical bytes, whatever the order of recording", async () => {
    const values = ["a", { __proto__: null, constructor: 1, "": 2 }, JSON.parse('{"__proto__": 3, "toString": 4}'), "😀"];
    const { path, written, text } = await write(filled(values));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(written).toMatchObject({ path, bytes: Buffer.byteLength(text), records: 5, unknowns: 1 });
    expect((await write(filled([...values].reverse()))).text).toBe(text);

    const other = new LedgerStore(optionsOf());
    expect(await port(other).importBundle({ path }, context())).toEqual({
      imported: 5,
      total: 5,
      unknowns_added: 1,
      unresolved_links: 0,
    });
    const again = await write(other);
    expect(again.text).toBe(text);
    expect(again.written["sha256"]).toBe(written["sha256"]);
    expect(await port(other).importBundle({ path }, context())).toMatchObject({ imported: 0, total: 5, unknowns_added: 0 });
  });

  test("wholes travel with the export, stay out of the inline bundle, and can be left out", async () => {
    const ledger = filled(["a"]);
    const content = { nodes: [1, 2, 3] };
    const { canonicalDigestOfWhole } = await import("@rea/core");
    ledger.addWhole({ ...canonicalDigestOfWhole(content), kind: "artifact-graph", content });
    const { path, text } = await write(ledger);
    expect(JSON.parse(text).wholes).toHaveLength(1);
    expect(await port(ledger).bundle(context())).not.toHaveProperty("wholes");
    const other = new LedgerStore(optionsOf());
    await port(other).importBundle({ path }, context());
    expect((await write(other)).text).toBe(text);
    const without = join(directory(), "w.json");
    await port(ledger).exportBundle({ path: without, overwrite: false, include_wholes: false }, context());
    expect(JSON.parse(readFileSync(without, "utf8"))).not.toHaveProperty("wholes");
  });

  test("an existing file needs overwrite, and a refused export leaves nothing behind", async () => {
    const ledger = filled(["a"]);
    const path = writeTemporary("taken.json", "mine");
    const parent = join(path, "..");
    const asked = { path, include_wholes: true };
    await expect(port(ledger).exportBundle({ ...asked, overwrite: false }, context())).rejects.toMatchObject({
      code: "invalid_request",
      details: { issues: [{ path: "overwrite" }] },
    });
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(readdirSync(parent)).toEqual(["taken.json"]);
    await port(ledger).exportBundle({ ...asked, overwrite: true }, context());
    expect(JSON.parse(readFileSync(path, "utf8")).records).toHaveLength(2);
    expect(readdirSync(parent)).toEqual(["taken.json"]);
    await expect(port(ledger).exportBundle({ ...asked, path: "relative", overwrite: false }, context())).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("a cancelled export leaves neither the file nor a temporary one", async () => {
    const parent = directory();
    const path = join(parent, "b.json");
    const controller = new AbortController();
    const exporting = port(filled(["a"])).exportBundle({ path, overwrite: false, include_wholes: true }, context(controller.signal));
    controller.abort();
    await expect(exporting).rejects.toMatchObject({ code: "cancelled" });
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
  });

  test("a file that is no bundle is refused by its name, with the way to a good one", async () => {
    const path = writeTemporary("notes.json", "{}");
    await expect(port(new LedgerStore(optionsOf())).importBundle({ path }, context())).rejects.toMatchObject({
      code: "evidence_integrity_mismatch",
      message: expect.stringContaining("notes.json"),
      action: expect.stringContaining("export_evidence_bundle"),
    });
  });

  test("a changed nibble refuses the whole import and nothing is taken", async () => {
    const { text } = await write(filled(["a", "b", "c"]));
    const ledger = new LedgerStore(optionsOf());
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), async (at) => {
        const nibble = text[at] ?? "";
        if (!/[0-9a-f]/.test(nibble)) return;
        const changed = `${text.slice(0, at)}${nibble === "0" ? "1" : "0"}${text.slice(at + 1)}`;
        const path = writeTemporary("bad.json", changed);
        const importing = port(ledger).importBundle({ path }, context());
        const outside = /"(name|local_path)":"?[^",}]*$/.test(text.slice(Math.max(0, at - 80), at));
        if (!outside) await expect(importing).rejects.toMatchObject({ code: "evidence_integrity_mismatch" });
        else await importing.catch(() => undefined);
        if (!outside) expect(ledger.recordCount).toBe(0);
        ledger.clear();
      }),
      { numRuns: 60 },
    );
  });

  test("import is all or nothing at the record bound", async () => {
    const { path } = await write(filled(["a", "b", "c"]));
    const limits = { records: 6, bytes: 1 << 20 };
    const ledger = new LedgerStore(optionsOf({ limits }));
    ledger.add(record("own"));
    ledger.add(record("own 2"));
    await expect(port(ledger, optionsOf({ limits })).importBundle({ path }, context())).rejects.toMatchObject({
      code: "truncated",
      details: { limit: "records", maximum: 6 },
    });
    expect([ledger.recordCount, ledger.unknownCount]).toEqual([2, 0]);
  });

  test("a missing file is missing, a directory is no file, a foreign file is refused", async () => {
    const ledger = new LedgerStore(optionsOf());
    const importing = (path: string) => port(ledger).importBundle({ path }, context());
    await expect(importing(join(directory(), "no"))).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "missing" } });
    await expect(importing(directory())).rejects.toMatchObject({ code: "target_unavailable" });
    await expect(importing(writeTemporary("x", "not json"))).rejects.toMatchObject({ code: "evidence_integrity_mismatch" });
    await expect(importing(writeTemporary("x", "[".repeat(10_000)))).rejects.toMatchObject({
      code: "evidence_integrity_mismatch",
      details: { reason: "bounds" },
    });
    await expect(importing("relative")).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("links that lead out of the bundle are counted", async () => {
    const outside = record("outside");
    const ledger = new LedgerStore(optionsOf());
    ledger.add(record("derived", { evidence_links: [outside.evidence_id] }));
    const { path } = await write(ledger);
    const other = new LedgerStore(optionsOf());
    expect(await port(other).importBundle({ path }, context())).toMatchObject({ imported: 1, unresolved_links: 1 });
  });

  test("the inline bundle is answered up to 1 MiB and refused beyond", async () => {
    const ledger = filled(["a"]);
    expect(await port(ledger).bundle(context())).toMatchObject({ bundle_version: 2 });
    for (let index = 0; index < 12; index += 1) ledger.add(record(`${String(index)}${"x".repeat(60_000)}`));
    await expect(port(ledger).bundle(context())).rejects.toMatchObject({ code: "truncated", details: { limit: "inline_bytes" } });
  });
});
