import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseApplicationGraph } from "@rea/core";
import type { ToolService } from "@rea/tool";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../src/index.js";
import { call, failure, result } from "./support.js";

const place = mkdtempSync(join(tmpdir(), "rea-workflows-"));
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

function runtime(env: NodeJS.ProcessEnv = {}): ToolService {
  return createRuntime({ env, home: join(place, "home"), identity: { package_name: "@rea/test", package_version: "1.2.3", server_path: "/server.js" }, stateDirectory: join(place, "state"), log: { level: "silent" } });
}

async function analysed(service: ToolService, input_path: string): Promise<{ readonly evidence_id: string }> {
  const reply = await call(service, "analyze_javascript_application", { input_path });
  if (!reply.ok || !("evidence_id" in reply.value)) throw new Error(JSON.stringify(reply));
  return { evidence_id: reply.value.evidence_id };
}

const reducer = (more: string) => `exports.reduce = function (state, action) {
  switch (action.type) {
    case "add": return { type: "added", id: action.id, total: state.total + 1${more} };
    case "drop": return { type: "dropped", id: null };
    default: throw new Error("no such action");
  }
};
`;
const first = {
  "package.json": JSON.stringify({ name: "notes", version: "1.0.0", main: "main.js", dependencies: { electron: "30.0.0" } }),
  "main.js": `const { app, BrowserWindow, ipcMain } = require("electron");
new BrowserWindow({ webPreferences: { contextIsolation: true } });
ipcMain.handle("notes:save", (event, note) => note);
require("./lib/reducer"); require("./lib/old"); require("./assets/index-4f3a2b1c.js");
`,
  "lib/reducer.js": reducer(""),
  "lib/old.js": `exports.old = function (value) { return { kind: "old", value: value.first + value.second }; };\n`,
  "lib/same.js": `exports.same = function (list) { return list.map((item) => item.price * item.amount).filter(Boolean); };\n`,
  "assets/index-4f3a2b1c.js": `fetch("https://api.notes.example/v1"); console.log("start");\n`,
};
const second = {
  ...first,
  "package.json": JSON.stringify({ name: "notes", version: "1.1.0", main: "main.js", dependencies: { electron: "30.0.0" } }),
  "main.js": first["main.js"].replace("contextIsolation: true", "contextIsolation: false").replace('require("./lib/old");', "").replace("index-4f3a2b1c", "index-9e8d7c6b"),
  "lib/reducer.js": reducer(", at: Date.now()").replace("id: null", 'id: ""'),
  "lib/moved.js": first["lib/same.js"],
  "assets/index-9e8d7c6b.js": `fetch("https://api.notes.example/v2"); console.log("start");\n`,
};
const { "lib/old.js": _old, "lib/same.js": _same, "assets/index-4f3a2b1c.js": _asset, ...newer } = second;

let service: ToolService;
let left: { readonly evidence_id: string };
let right: { readonly evidence_id: string };

beforeAll(async () => {
  service = runtime();
  left = await analysed(service, tree(first));
  right = await analysed(service, tree(newer));
}, 60_000);
afterAll(() => service.close());

interface Item {
  readonly status: string;
  readonly kind: string;
  readonly basis: string | null;
  readonly changes: readonly string[];
  readonly left: { readonly name: string } | null;
  readonly right: { readonly name: string } | null;
}

const lines = (items: readonly Item[]): string[] => items.map(({ status, kind, basis, changes, left: one, right: other }) => `${status} ${kind} ${one?.name ?? "-"} > ${other?.name ?? "-"} (${basis ?? "-"}) ${changes.join(",")}`.trim());

describe("compare_application_versions", () => {
  test("says what changed into what, and on what each match rests", async () => {
    const found = await result(service, "compare_application_versions", { left, right, limit: 500 });
    expect(found.status).toBe("changed");
    const said = lines(found.items.items);
    expect(said).toEqual(
      expect.arrayContaining([
        "changed javascript-asset lib/same.js > lib/moved.js (digest) name",
        "changed javascript-asset lib/reducer.js > lib/reducer.js (node-id) content,exports",
        "changed javascript-asset assets/index-4f3a2b1c.js > assets/index-9e8d7c6b.js (semantic-key) literals,name",
        "changed browser-window BrowserWindow > BrowserWindow (node-id) web_preferences",
        "changed package notes > notes (semantic-key) version",
        "removed javascript-asset lib/old.js > - (-)",
        "unchanged ipc-handler notes:save > notes:save (semantic-key)",
        "removed endpoint https://api.notes.example/v1 > - (-)",
        "added endpoint - > https://api.notes.example/v2 (-)",
      ]),
    );
    expect(found.summary.changed + found.summary.added + found.summary.removed + found.summary.unchanged + found.summary.unknown).toBe(found.items.total);
    expect(found.cited_records).toEqual([{ ...left, origin: "session" }, { ...right, origin: "session" }]);
  });

  test("commits to a graph of what changed, in which every relation is a conclusion", async () => {
    const { changed_from: changed } = await result(service, "compare_application_versions", { left, right });
    const graph = parseApplicationGraph(changed.state === "inline" ? changed.graph : JSON.parse(service.host.ports.ledger.whole(changed.graph_sha256) === undefined ? "null" : JSON.stringify(service.host.ports.ledger.whole(changed.graph_sha256)?.content)));
    expect(graph.edges.length).toBeGreaterThan(3);
    const kinds = new Map(graph.nodes.map(({ node_id, kind }) => [node_id, kind]));
    for (const edge of graph.edges) {
      expect([edge.relation, edge.authority, edge.state, edge.limitations.length > 0]).toEqual(["changed_from", "cross-version-comparison", "inferred", true]);
      expect(kinds.get(edge.from)).toBe(kinds.get(edge.to));
    }
  });

  test("of an application with itself is unchanged, mirrors when the sides are swapped, and its pages make up the whole", async () => {
    const same = await result(service, "compare_application_versions", { left, right: left });
    expect(same).toMatchObject({ status: "unchanged", changed_from: null, summary: { changed: 0, added: 0, removed: 0, unknown: 0 } });
    const [there, back] = [await result(service, "compare_application_versions", { left, right, limit: 500 }), await result(service, "compare_application_versions", { left: right, right: left, limit: 500 })];
    const mirrored = { changed: "changed", unchanged: "unchanged", unknown: "unknown", added: "removed", removed: "added" } as const;
    const turned = back.items.items.map((item: Item & { status: keyof typeof mirrored }) => ({ ...item, status: mirrored[item.status], left: item.right, right: item.left }));
    expect(turned).toEqual(there.items.items);
    const pages: Item[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: { items: { items: Item[]; next_offset: number | null } } = await result(service, "compare_application_versions", { left, right, offset, limit: 7 });
      pages.push(...page.items.items);
      offset = page.items.next_offset;
    }
    expect(pages).toEqual(there.items.items);
  });

  test("claims no absence where a side was not read whole", async () => {
    const broken = await analysed(service, tree({ ...newer, "lib/broken.js": "function (" }));
    const found = await result(service, "compare_application_versions", { left, right: broken, limit: 500 });
    expect(found.summary.removed).toBe(0);
    expect(found.coverage.state).toBe("partial");
    expect(found.items.items.find(({ left: one }: Item) => one?.name === "lib/old.js")).toMatchObject({ status: "unknown", reason: expect.stringContaining("not read whole") });
    expect(await result(service, "compare_application_versions", { left: broken, right: broken })).toMatchObject({ status: "unknown" });
  });

  test("is the same for a record and its reference, is taken by find_changed_behavior, and refuses other records", async () => {
    const reply = await call(service, "compare_application_versions", { left, right });
    if (!reply.ok || !("evidence" in reply.value)) throw new Error("failed");
    const full = service.host.ports.evidence.find(left);
    const again = await call(service, "compare_application_versions", { left: full, right });
    expect(again.ok && "evidence_id" in again.value && again.value.evidence_id).toBe(reply.value.evidence_id);
    expect(reply.value.evidence).toMatchObject({ provider: { id: "rea-javascript-workflows" }, confidence: "inferred", evidence_links: [left.evidence_id, right.evidence_id].sort() });
    const behaviour = await result(service, "find_changed_behavior", { comparisons: [{ evidence_id: reply.value.evidence_id }] });
    expect(behaviour).toMatchObject({ behavior_status: "unknown", findings: expect.arrayContaining([expect.objectContaining({ kind: "static_candidate", dimension: "changed" })]) });
    expect(await failure(service, "compare_application_versions", { left, right: { evidence_id: reply.value.evidence_id } })).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "wrong_operation" } });
    expect(await failure(service, "compare_application_versions", { left, right, limits: { max_candidates: 1 } })).toMatchObject({ code: "invalid_request", details: { issues: [{ reason: "unknown_argument", path: "limits.max_candidates" }] } });
  });

  test("attaches native observations to the files they are about, by digest", async () => {
    const addon = (byte: number) => tree({ "package.json": JSON.stringify({ name: "n", version: "1.0.0", main: "a.js" }), "a.js": "require('./x.node')", "x.node": `\x7fELF${String(byte)}` });
    const [before, after] = [addon(1), addon(2)];
    const sides = { left: await analysed(service, before), right: await analysed(service, after) };
    const inspected = await call(service, "inspect_artifact", { path: join(before, "x.node") });
    if (!inspected.ok || !("evidence_id" in inspected.value)) throw new Error(JSON.stringify(inspected));
    const native = { evidence_id: inspected.value.evidence_id };
    const found = await result(service, "compare_application_versions", { ...sides, left_native_observations: [native, left], limit: 500 });
    expect(found.items.items.find(({ kind }: Item) => kind === "native-addon")).toMatchObject({ status: "changed", native_evidence: [native.evidence_id] });
    expect(found.unmatched_native_observations).toEqual([left.evidence_id]);
  });
});

describe("compare_javascript_export_shapes", () => {
  test("pairs variants by the literal that tells them apart", async () => {
    const found = await result(service, "compare_javascript_export_shapes", { left, right, left_module_path: "lib/reducer.js", left_export_name: "reduce" });
    expect(found).toMatchObject({ status: "changed", left: { presence: "present", kind: "function", complete: true }, variants: [{ discriminant: { pointer: "/type", value: '"added"' } }, { discriminant: { pointer: "/type", value: '"dropped"' } }] });
    expect(found.changes.items).toEqual([
      { variant: 0, pointer: "/at", left: "absent", right: "present", left_value: null, right_value: "number" },
      { variant: 1, pointer: "/id", left: "present", right: "present", left_value: "null", right_value: '""' },
    ]);
  });

  test("knows present, absent and unknown", async () => {
    const ask = (more: object) => result(service, "compare_javascript_export_shapes", { left, right: left, left_module_path: "lib/reducer.js", left_export_name: "reduce", ...more });
    expect(await ask({ right_export_name: "nothing" })).toMatchObject({ status: "changed", right: { presence: "absent" } });
    expect(await ask({ right_module_path: "lib/nowhere.js" })).toMatchObject({ status: "unknown", right: { presence: "unknown" } });
    expect(await ask({ right_module_path: "lib/old.js", right_export_name: "old" })).toMatchObject({ status: "changed" });
    expect(await ask({ left_module_path: "lib/same.js", left_export_name: "same" })).toMatchObject({ status: "unknown", left: { presence: "present", reason: "Its shape is not known." } });
    expect(await failure(service, "compare_javascript_export_shapes", { left, right, left_module_path: "lib/reducer.js" })).toMatchObject({ code: "invalid_request" });
  });

  test("follows re-exports, and not in circles", async () => {
    const application = await analysed(
      service,
      tree({
        "package.json": JSON.stringify({ name: "m", version: "1.0.0", type: "module", main: "index.js" }),
        "index.js": `export { made as thing } from "./a.js"; export * from "./b.js"; export * from "./loop.js";`,
        "a.js": `export function made() { return { kind: "made", n: 1 }; }`,
        "b.js": `import { made } from "./a.js"; export { made as other };`,
        "loop.js": `export * from "./index.js"; export { round } from "./loop2.js";`,
        "loop2.js": `export { round } from "./loop.js";`,
      }),
    );
    const ask = (left_export_name: string, right_export_name: string) => result(service, "compare_javascript_export_shapes", { left: application, right: application, left_module_path: "index.js", left_export_name, right_export_name });
    expect(await ask("thing", "other")).toMatchObject({ status: "unchanged", changes: { total: 0 } });
    expect(await ask("round", "thing")).toMatchObject({ status: "unknown", left: { presence: "unknown" } });
    expect(await ask("__proto__", "constructor")).toMatchObject({ left: { presence: "unknown" }, right: { presence: "unknown" } });
  });
});

describe("compare_source_to_bundle", () => {
  const sources = {
    "package.json": JSON.stringify({ name: "notes", version: "1.0.0" }),
    "lib/reducer.js": first["lib/reducer.js"],
    "lib/same.js": first["lib/same.js"].replace("price", "cost"),
    "lib/old.js": first["lib/old.js"],
    "lib/gone.js": `exports.gone = function () { return compute({ alpha: 1, bravo: 2, charlie: 3, delta: 4, echo: 5, foxtrot: 6, golf: 7, hotel: 8, india: 9 }); };\n`,
  };

  test("says of each file what became of it", async () => {
    const found = await result(service, "compare_source_to_bundle", { reference: tree(sources), application: left });
    const said = Object.fromEntries(found.files.items.map(({ path, status }: { path: string; status: string }) => [path, status]));
    expect(said).toEqual({ "lib/reducer.js": "unchanged", "lib/same.js": "modified", "lib/old.js": "unchanged", "lib/gone.js": "removed" });
    expect(found).toMatchObject({ status: "changed", reference: { authority: "historical-reference", inventory_state: "complete" }, application: { authority: "shipped-artifact" } });
    const digest = found.files.items.find(({ path }: { path: string }) => path === "lib/reducer.js").targets[0];
    expect(digest.signals).toEqual(expect.arrayContaining([{ signal: "content-digest", weight: 1000 }]));
  });

  test("takes a saved reference for what the directory is, opens no secrets and follows no links out", async () => {
    const root = tree({ ...sources, ".env": "TOKEN=hidden", "deploy/prod.pem": "hidden", "own.secretfile": "hidden", "node_modules/x/index.js": "1" });
    const outside = join(place, "outside.js");
    writeFileSync(outside, "exports.outside = 'of the tree';");
    symlinkSync(outside, join(root, "lib/link.js"));
    symlinkSync("/", join(root, "lib/all"));
    const own = runtime({ REA_REFERENCE_SECRET_PATTERNS_JSON: '["*.secretfile"]' });
    const reference = await own.host.ports.applicationWorkflows.importReference(root, { signal: new AbortController().signal, progress: { report: () => undefined } });
    expect(reference.exclusions.map(({ path, reason, pattern }) => [path, reason, pattern])).toEqual([
      [".env", "secret-pattern", ".env"],
      ["deploy/prod.pem", "secret-pattern", "*.pem"],
      ["node_modules", "dependencies", null],
      ["own.secretfile", "secret-pattern", "*.secretfile"],
    ]);
    expect(reference.entries.filter(({ kind }) => kind === "symlink")).toEqual([
      { kind: "symlink", path: "lib/all", target: "/", leads: "outside" },
      { kind: "symlink", path: "lib/link.js", target: outside, leads: "outside" },
    ]);
    expect(JSON.stringify(reference)).not.toContain("hidden");
    const saved = join(place, "reference.json");
    writeFileSync(saved, JSON.stringify(reference));
    const application = await analysed(own, tree(first));
    const [fromFile, fromDirectory] = [await call(own, "compare_source_to_bundle", { reference: saved, application }), await call(own, "compare_source_to_bundle", { reference: root, application })];
    expect(fromFile.ok && "evidence_id" in fromFile.value && fromFile.value.evidence_id).toBe(fromDirectory.ok && "evidence_id" in fromDirectory.value && fromDirectory.value.evidence_id);
    expect(fromFile.ok).toBe(true);
    await own.close();
  });

  test("refuses what is no reference, and unusable patterns by the name of their setting", async () => {
    const none = join(place, "none.json");
    writeFileSync(none, "{}");
    expect(await failure(service, "compare_source_to_bundle", { reference: none, application: left })).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "schema" } });
    expect(await failure(service, "compare_source_to_bundle", { reference: join(place, "nowhere"), application: left })).toMatchObject({ code: "target_unavailable" });
    const own = runtime({ REA_REFERENCE_SECRET_PATTERNS_JSON: "[1]" });
    const application = await analysed(own, tree(first));
    expect(await failure(own, "compare_source_to_bundle", { reference: tree(sources), application })).toMatchObject({ code: "configuration_invalid", details: { setting: "REA_REFERENCE_SECRET_PATTERNS_JSON" } });
    await own.close();
  });
});

describe("reconcile_javascript_runtime", () => {
  let child: ChildProcess;
  let endpoint = "";
  const application = {
    "package.json": JSON.stringify({ name: "server", version: "1.0.0", main: "main.js" }),
    "main.js": `const { run } = require("./lib/run"); setInterval(run, 1000);`,
    "lib/run.js": `exports.run = function () { return 1; };`,
    "lib/never.js": `exports.never = function () { return 2; };`,
  };
  const root = tree(application);

  beforeAll(async () => {
    child = spawn(process.execPath, ["--inspect=127.0.0.1:0", join(root, "main.js")], { stdio: ["ignore", "ignore", "pipe"] });
    endpoint = await new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error("The program ended.")));
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        const port = /ws:\/\/127\.0\.0\.1:(\d+)\//u.exec(text)?.[1];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      });
    });
  }, 30_000);
  afterAll(() => {
    child.kill("SIGKILL");
  });

  const observed = async () => {
    const targets = await result(service, "list_javascript_runtime_targets", { inspector_endpoint: endpoint });
    const reply = await call(service, "observe_javascript_runtime", { inspector_endpoint: endpoint, target_id: targets.targets.items[0].target_id, runtime_kind: "node", allowed_file_roots: [root] });
    if (!reply.ok || !("evidence_id" in reply.value)) throw new Error(JSON.stringify(reply));
    return { evidence_id: reply.value.evidence_id };
  };

  test("ties what a real process loaded to its files, and calls the rest not observed or unknown, never unused", async () => {
    const [analysis, observation] = [await analysed(service, root), await observed()];
    const found = await result(service, "reconcile_javascript_runtime", { static_layers: [{ analysis, role: "application" }], runtime_observations: [observation], limit: 500 });
    const matches = Object.fromEntries(found.matches.items.map(({ url, state, target, basis }: { url: string; state: string; target: { name: string } | null; basis: string | null }) => [url.slice(url.lastIndexOf("/app/") + 5), [state, target?.name ?? null, basis]]));
    expect(matches["main.js"]).toEqual(["matched", "main.js", "digest-and-location"]);
    expect(matches["lib/run.js"]).toEqual(["matched", "lib/run.js", "digest-and-location"]);
    const states = Object.fromEntries(found.static_items.items.map(({ name, load_state }: { name: string; load_state: string }) => [name, load_state]));
    expect(states["main.js"]).toBe("loaded");
    expect(["not_observed_in_capture", "unknown"]).toContain(states["lib/never.js"]);
    const graph = parseApplicationGraph(found.combined.state === "inline" ? found.combined.graph : service.host.ports.ledger.whole(found.combined.graph_sha256)?.content);
    expect(graph.edges.filter(({ relation }) => relation === "observed_as").map(({ authority, state }) => `${authority} ${state}`)).toEqual(["cross-layer-reconciliation inferred", "cross-layer-reconciliation inferred"]);
    expect(found.limitations.join(" ")).toContain("not shown to be unused");
  });

  test("calls other content at the same place a mismatch", async () => {
    const other = await analysed(service, tree({ ...application, "lib/run.js": `exports.run = function () { return 3; };` }));
    const found = await result(service, "reconcile_javascript_runtime", { static_layers: [{ analysis: other, role: "application" }], runtime_observations: [await observed()] });
    expect(found.summary).toMatchObject({ matched: 1, mismatch: 1 });
    expect(found.matches.items[0]).toMatchObject({ state: "mismatch", target: null, candidates: { total: 1, items: [{ name: "lib/run.js" }] } });
  });

  test("wants exactly one application, and records that tell of scripts", async () => {
    expect(await failure(service, "reconcile_javascript_runtime", { static_layers: [{ analysis: left, role: "cache" }], runtime_observations: [await observed()] })).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "static_layers" }] } });
    expect(await failure(service, "reconcile_javascript_runtime", { static_layers: [{ analysis: left, role: "application" }], runtime_observations: [left] })).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "wrong_operation" } });
  });
});
