import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Evidence } from "@rea/core";
import type { ToolService } from "@rea/tool";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../src/index.js";
import { call, failure, result } from "./support.js";

const place = mkdtempSync(join(tmpdir(), "rea-traces-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
let serial = 0;

function tree(files: { readonly [path: string]: string }): string {
  serial += 1;
  const root = join(place, String(serial), "app");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

function runtime(): ToolService {
  return createRuntime({ env: {}, home: join(place, "home"), identity: { package_name: "@rea/test", package_version: "1.2.3", server_path: "/server.js" }, stateDirectory: join(place, "state"), log: { level: "silent" } });
}

async function analysed(service: ToolService, input_path: string): Promise<{ readonly reference: { readonly evidence_id: string }; readonly record: Evidence }> {
  const reply = await call(service, "analyze_javascript_application", { input_path });
  if (!reply.ok || !("evidence" in reply.value)) throw new Error(JSON.stringify(reply));
  return { reference: { evidence_id: reply.value.evidence_id }, record: reply.value.evidence };
}

const files = {
  "package.json": JSON.stringify({ name: "notes", version: "1.0.0", main: "main.js", dependencies: { electron: "30.0.0" } }),
  "main.js": `const { ipcMain } = require("electron"); const store = require("./store"); ipcMain.handle("save", (event, name) => store.save(name)); `,
  "preload.js": `const { ipcRenderer } = require("electron"); exports.go = () => ipcRenderer.invoke("save", "notes.txt");`,
  "store.js": `exports.save = (name) => fetch("https://api.example/" + name);\n${Array.from({ length: 200 }, (_none, index) => `exports.f${String(index)} = (a) => exports.save(a + "${String(index)}");`).join("\n")}`,
};
const seed = { kind: "string", value: "notes.txt" };
const provenance = { seed, direction: "forward-influence" };

let service: ToolService;
let root: string;
let reference: { readonly evidence_id: string };
let record: Evidence;
beforeAll(async () => {
  service = runtime();
  root = tree(files);
  ({ reference, record } = await analysed(service, root));
});
afterAll(async () => void (await service.close()));

describe("traces", () => {
  test("are the same record by reference and by full record, and link to the analysis", async () => {
    for (const [tool, input] of [["trace_application_feature", { seed }], ["trace_javascript_semantics", provenance]] as const) {
      const [one, other] = [await call(service, tool, { application: reference, ...input }), await call(service, tool, { application: record, ...input })];
      if (!one.ok || !other.ok || !("evidence" in one.value) || !("evidence" in other.value)) throw new Error(JSON.stringify([one, other]));
      expect(one.value.evidence_id).toBe(other.value.evidence_id);
      expect(one.value.evidence).toMatchObject({ evidence_links: [reference.evidence_id], confidence: "inferred", authority: "shipped-artifact", provider: { id: "rea-javascript-workflows" } });
      expect(Buffer.byteLength(JSON.stringify(one.value))).toBeLessThan(64 * 1024);
    }
  });

  test("read graphs that are retained, and semantic lists come in pages", async () => {
    const found = await result(service, "trace_javascript_semantics", { application: reference, ...provenance });
    expect(found.total).toBeGreaterThan(3);
    expect(found.cited_records).toEqual([{ ...reference, origin: "session" }]);
    const page = await result(service, "analyze_javascript_application", { input_path: root, list: "semantic_nodes", limit: 3, offset: 1 });
    expect(page.page).toMatchObject({ offset: 1, limit: 3, has_more: true });
    expect(page.page.items).toHaveLength(3);
    expect(page.semantic_graph.state).toBe("retained");
    const edges = await result(service, "analyze_javascript_application", { input_path: root, list: "semantic_edges", limit: 2 });
    expect(edges.page.items[0]).toMatchObject({ relation: expect.any(String), from: expect.stringMatching(/^jsg_node_/u), to: expect.stringMatching(/^jsg_node_/u) });
  });

  test("of a small application work on graphs that stand in the record", async () => {
    const small = await analysed(service, tree({ "a.js": `function go(x) { return x; } go("only");` }));
    const held = small.record.normalized_result;
    expect(held).toMatchObject({ graph: { state: "inline" }, semantic_graph: { state: "inline" } });
    const other = runtime();
    try {
      const found = await result(other, "trace_javascript_semantics", { application: small.record, seed: { kind: "string", value: "only" }, direction: "forward-influence" });
      expect(found.total).toBeGreaterThan(1);
      expect(found.cited_records).toEqual([{ evidence_id: small.reference.evidence_id, origin: "imported" }]);
    } finally {
      await other.close();
    }
  });

  test("of a record without its whole are refused, unless this session named where the same application lies", async () => {
    const other = runtime();
    try {
      const input = { application: record, seed };
      const refused = await failure(other, "trace_application_feature", input);
      expect(refused).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "missing" } });
      expect(refused.message).toContain("analyze_javascript_application");
      // The record names where it lay; only what a caller of this session names is read.
      expect(record.subject?.local_path).toBe(root);
      await result(other, "analyze_javascript_application", { input_path: tree({ ...files, "store.js": "exports.save = 1;" }) });
      expect(await failure(other, "trace_application_feature", input)).toMatchObject({ code: "evidence_integrity_mismatch" });
      await result(other, "analyze_javascript_application", { input_path: root });
      await result(other, "close_binary");
      const rebuilt = await result(other, "trace_application_feature", input);
      expect(rebuilt.nodes.total).toBeGreaterThan(1);
    } finally {
      await other.close();
    }
  });

  test("of an application that has changed since are refused rather than answered from what lies there now", async () => {
    const other = runtime();
    try {
      const path = tree(files);
      const first = await analysed(other, path);
      await result(other, "close_binary");
      writeFileSync(join(path, "main.js"), "changed();");
      expect(await failure(other, "trace_javascript_semantics", { application: first.record, ...provenance })).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "missing" } });
      renameSync(path, `${path}-gone`);
      expect(await failure(other, "trace_javascript_semantics", { application: first.record, ...provenance })).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "missing" } });
    } finally {
      await other.close();
    }
  });

  test("work on a bundle that was exported with its wholes, and on none without", async () => {
    const [whole, bare] = [join(place, "whole.json"), join(place, "bare.json")];
    await result(service, "export_evidence_bundle", { path: whole });
    await result(service, "export_evidence_bundle", { path: bare, include_wholes: false });
    expect(readFileSync(whole, "utf8")).toContain("JavaScriptSemanticGraph");
    for (const [path, works] of [[whole, true], [bare, false]] as const) {
      const other = runtime();
      try {
        await result(other, "import_evidence_bundle", { path });
        const reply = await call(other, "trace_javascript_semantics", { application: reference, ...provenance });
        expect(reply.ok).toBe(works);
      } finally {
        await other.close();
      }
    }
  });

  test("refuse other records, foreign cursors and unknown keys, and a cancelled one leaves no record", async () => {
    const inventory = await call(service, "inspect_artifact", { path: root });
    if (!inventory.ok || !("evidence_id" in inventory.value)) throw new Error(JSON.stringify(inventory));
    const { evidence_id } = inventory.value;
    expect(await failure(service, "trace_application_feature", { application: { evidence_id }, seed })).toMatchObject({ details: { reason: "wrong_operation" } });
    expect(await failure(service, "trace_application_feature", { application: { evidence_id: `ev_${"0".repeat(64)}` }, seed })).toMatchObject({ details: { reason: "missing" } });
    expect(await failure(service, "trace_application_feature", { application: reference, seed, native_observations: [{ evidence_id: `ev_${"0".repeat(64)}` }] })).toMatchObject({ details: { reason: "missing" } });
    const page = await result(service, "trace_javascript_semantics", { application: reference, ...provenance, page_size: 1 });
    expect(await failure(service, "trace_javascript_semantics", { application: reference, seed, direction: "callers", cursor: page.next_cursor })).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "cursor", reason: "stale_cursor" }] } });
    expect(await failure(service, "trace_javascript_semantics", { application: reference, seed: { ...seed, sort: 1 }, direction: "callers" })).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "seed.sort", reason: "unknown_argument" }] } });
    const before = (await result(service, "get_evidence_bundle")).records.length;
    const cancel = new AbortController();
    const reply = call(service, "trace_javascript_semantics", { application: reference, ...provenance, page_size: 17 }, cancel.signal);
    cancel.abort();
    expect(await reply).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect((await result(service, "get_evidence_bundle")).records).toHaveLength(before);
  });
});
