import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { semanticGraphSchema, semanticRelations, SemanticRows, sha256Hex, type SemanticRelation } from "@rea/core";
import type { AnalyzedApplication } from "../src/application/analyze-here.js";
import { readScript } from "../src/facts/read-facts.js";
import { edgeStride, nodeStride } from "../src/semantics/file-semantics.js";
import { shareNodes } from "../src/semantics/share-nodes.js";
import { analyze, clean, emptyDirectory, packAsar, writeTree, type Tree } from "./support/written-tree.js";

afterAll(clean);

const manifest = JSON.stringify({ name: "a", version: "1.0.0", main: "main.js", dependencies: { electron: "30.0.0" } });

async function rowsOf(tree: Tree): Promise<SemanticRows> {
  return rowsIn(await analyze(writeTree({ "package.json": manifest, ...tree })));
}

function rowsIn({ semantics }: Pick<AnalyzedApplication, "semantics">): SemanticRows {
  return new SemanticRows(semanticGraphSchema.parse(JSON.parse(Buffer.from(semantics.text).toString("utf8"))));
}

/** `kind name --relation--> kind name`, with the state where it is not observed. */
function relations(rows: SemanticRows, wanted?: SemanticRelation): string[] {
  const shown = (index: number): string => `${rows.node(index)?.kind ?? ""} ${rows.node(index)?.name ?? ""}`;
  return Array.from({ length: rows.edges }, (_none, index) => rows.edge(index)).flatMap((edge) => {
    if (edge === undefined || (wanted !== undefined && edge.relation !== wanted)) return [];
    return [`${shown(edge.from)} --${edge.relation}--> ${shown(edge.to)}${edge.state === "observed" ? "" : ` (${edge.confidence})`}`];
  });
}

function nodes(rows: SemanticRows): string[] {
  return Array.from({ length: rows.nodes }, (_none, index) => `${rows.node(index)?.kind ?? ""} ${rows.node(index)?.name ?? ""}`);
}

describe("relations of values", () => {
  it("follow names, members, patterns, literals and what functions give back", async () => {
    const found = relations(await rowsOf({
      "main.js": `const base = "https://a.example";
const copy = base;
const { host } = copy;
const all = { copy, f() { return host; } };
function make(value) { if (typeof value === "string" && value === "on") throw new Error("no"); return value; }
const made = make(base);
function outer() { let inner = 0; return () => { inner = made; return inner; }; }`,
    }));
    expect(found).toEqual(expect.arrayContaining([
      "literal https://a.example --initializes--> binding base",
      "binding copy --aliases--> binding base",
      "binding host --destructures--> binding copy",
      "binding all --aggregates--> binding copy",
      "binding all --aggregates--> function f",
      "function f --returns--> binding host",
      "function make --validates--> parameter value",
      "function make --compares--> literal on",
      "function make --throws--> call-site new Error",
      "function make --returns--> parameter value",
      "call-site make --calls--> function make",
      "function make --returns-to-call--> call-site make",
      "binding base --argument-to-parameter--> parameter value",
      "call-site make --initializes--> binding made",
      "function (anonymous) --captures--> binding inner",
      "function (anonymous) --reads--> binding made",
      "function (anonymous) --writes--> binding inner",
    ]));
  });

  it("show what a call does: requests, timers, processes, resources, events, configuration", async () => {
    const found = relations(await rowsOf({
      "main.js": `const { spawn } = require("node:child_process"); const fs = require("fs"); const { EventEmitter } = require("events");
async function get(id) { const reply = await fetch(\`https://a.example/\${id}\`, { method: "POST" }); return JSON.parse(await reply.text()); }
const timer = setTimeout(tick, 10); function tick() {} clearTimeout(timer);
const child = spawn(process.env.TOOL, process.argv); child.stdout.pipe(process.stdout); child.kill();
const file = fs.createWriteStream("x"); file.close();
const bus = new EventEmitter(); bus.on("a", tick); bus.emit("a", Number("1")); bus.removeListener("a", tick);
get("1").then(tick); eval("2");`,
    }));
    expect(found).toEqual(expect.arrayContaining([
      "call-site fetch --constructs-request--> request POST https://a.example/{}",
      "parameter id --consumed-by--> request POST https://a.example/{}",
      "call-site JSON.parse --parses--> call-site reply.text",
      "call-site setTimeout --schedules-timer--> timer setTimeout",
      "timer setTimeout --dispatches--> function tick",
      "call-site clearTimeout --cancels-timer--> binding timer",
      "call-site spawn --spawns--> process spawn",
      "function (module) --owns--> process spawn",
      "function (module) --reads-environment--> configuration-read TOOL",
      "function (module) --reads-argv--> configuration-read process.argv",
      "configuration-read TOOL --consumed-by--> call-site spawn",
      "function (module) --connects-stdio--> binding child (medium)",
      "call-site child.kill --releases--> binding child (medium)",
      "call-site fs.createWriteStream --acquires--> resource createWriteStream",
      "call-site file.close --releases--> binding file (medium)",
      "call-site bus.on --registers--> function tick (medium)",
      "call-site bus.emit --dispatches--> literal a (medium)",
      "call-site bus.removeListener --removes--> function tick (medium)",
      "call-site Number --coerces--> literal 1",
      "call-site (…).then --chains--> call-site get",
      "call-site (…).then --passes-callback--> function tick",
      "function get --awaits--> call-site fetch",
      "call-site eval --calls--> unknown code put together at run time (unknown)",
    ]));
  });

  it("say why a call is not resolved, and leave several candidates unknown", async () => {
    const rows = await rowsOf({
      "main.js": `class A { run() { this.stop(); } stop() {} }
class B { stop() {} other() {} }
function use(callback, thing) { callback(1); thing.stop(); thing.only(); thing[callback](); }
const one = { only() {} };
let changed = () => 1; changed = () => 2; changed();`,
    });
    const found = relations(rows, "calls");
    expect(found).toContain("call-site this.stop --calls--> function stop (high)");
    expect(found).toContain("call-site callback --calls--> parameter callback (unknown)");
    expect(found.filter((one) => one.startsWith("call-site thing.stop"))).toEqual(["call-site thing.stop --calls--> function stop (unknown)", "call-site thing.stop --calls--> function stop (unknown)"]);
    expect(found).toContain("call-site thing.only --calls--> function only (low)");
    expect(found).toContain("call-site changed --calls--> binding changed (unknown)");
    expect(rows.graph.properties.map(({ values }) => values["unresolved"])).toContain("The name of the method is put together at run time.");
  });

  it("cross modules by import, export, require, re-export and default, also in cycles", async () => {
    const found = relations(await rowsOf({
      "package.json": JSON.stringify({ name: "a", main: "main.mjs" }),
      "main.mjs": `import { send } from "./index.mjs"; import run, { again as more } from "./run.mjs"; import * as all from "./run.mjs"; import cjs from "./old.cjs"; send("x"); run("y"); all.again("z"); more("w"); cjs.save("v");`,
      "index.mjs": `export { send } from "./send.mjs"; export * from "./main.mjs";`,
      "send.mjs": `import "./main.mjs"; export function send(message) { return message; }`,
      "run.mjs": `export default function run(input) {} const again = (value) => value; export { again };`,
      "old.cjs": `module.exports = { save(what) {} };`,
    }), "argument-to-parameter");
    expect(found).toEqual(expect.arrayContaining(["literal x --argument-to-parameter--> parameter message (high)", "literal y --argument-to-parameter--> parameter input (high)", "literal z --argument-to-parameter--> parameter value (high)", "literal w --argument-to-parameter--> parameter value (high)", "literal v --argument-to-parameter--> parameter what (high)"]));
  });

  it("cross modules of a bundle by id, and processes by channel and bridge", async () => {
    const bundle = `(() => { var __webpack_modules__ = { 10: (module, exports, require) => { require.d(exports, { go: () => go }); function go(step) { return step; } }, 20: (module, exports, require) => { var other = require(10); (0, other.go)("first"); } };
var cache = {}; function __webpack_require__(id) { var c = cache[id]; if (c !== undefined) return c.exports; var m = cache[id] = { exports: {} }; __webpack_modules__[id](m, m.exports, __webpack_require__); return m.exports; }
__webpack_require__.d = (e, d) => { for (var k in d) Object.defineProperty(e, k, { enumerable: true, get: d[k] }); }; __webpack_require__(20); })();`;
    const rows = await rowsOf({
      "main.js": `const { ipcMain, BrowserWindow } = require("electron"); new BrowserWindow({ webPreferences: { preload: __dirname + "/preload.js" } }); ipcMain.handle("save", (event, name) => name); require("./bundle.js");`,
      "preload.js": `const { contextBridge, ipcRenderer } = require("electron"); contextBridge.exposeInMainWorld("api", { save: (file) => ipcRenderer.invoke("save", file) });`,
      "page.js": `window.api.save("notes");`,
      "bundle.js": bundle,
    });
    const found = relations(rows);
    expect(found).toEqual(expect.arrayContaining([
      "literal first --argument-to-parameter--> parameter step (high)",
      "literal notes --argument-to-parameter--> parameter file (high)",
      "parameter file --argument-to-parameter--> parameter name (high)",
      "call-site ipcRenderer.invoke --sends-message--> call-site ipcMain.handle (high)",
    ]));
    expect(found).not.toContain("literal save --argument-to-parameter--> parameter name (high)");
  });
});

describe("fingerprints of functions", () => {
  const first = async (text: string) => {
    const rows = await rowsOf({ "main.js": text });
    const index = Array.from({ length: rows.nodes }, (_none, at) => at).find((at) => rows.node(at)?.kind === "function" && rows.node(at)?.name !== "(module)");
    return rows.fingerprint(index ?? -1);
  };

  it("do not see names and places", async () => {
    const one = await first(`function load(path, n) { if (n > 1) return fetch(path); throw new Error("bad"); }`);
    const other = await first(`\n\n/* moved */ function q(a, b) { if (b > 1) return fetch(a); throw new Error("bad"); }`);
    expect(one).toEqual(other);
    expect(one).toMatchObject({ arity: 2, effects: ["network", "throws"] });
  });

  it("see control flow, literals, relations and effects apart", async () => {
    const base = await first(`function f(a) { if (a) return 1; return 2; }`);
    const flow = await first(`function f(a) { while (a) return 1; return 2; }`);
    const literal = await first(`function f(a) { if (a) return 1; return 3; }`);
    expect(flow?.control_flow).not.toBe(base?.control_flow);
    expect(literal).toEqual({ ...base, literals: literal?.literals });
    expect(literal?.literals).not.toBe(base?.literals);
  });
});

describe("a semantic graph", () => {
  const tree: Tree = {
    "package.json": manifest,
    "main.js": `const { ipcMain } = require("electron"); ipcMain.handle("x", (event, a) => require("./lib/b").b(a));`,
    "lib/b.js": `exports.b = (value) => fetch("https://a.example/" + value);`,
    "page.html": `<script>fetch("/inline");</script>`,
    "lib/é.mjs": `\uFEFFexport const größe = "ä\u{1F600}";\r\nexport function f() { return größe; }`,
  };

  it("is the same at another path, with one reader or four, from the cache and as an archive but for its paths", async () => {
    const root = writeTree(tree);
    const one = await analyze(root, { threads: 1 });
    const reversed = writeTree(Object.fromEntries(Object.entries(tree).reverse()), join(emptyDirectory(), "another", "place"));
    const cache = { directory: join(emptyDirectory(), "cache"), version: "1" };
    const others = [await analyze(reversed, { threads: 4 }), await analyze(root, { cache }), await analyze(reversed, { cache })];
    for (const other of others) expect(other.semantics.sha256).toBe(one.semantics.sha256);
    const packed = rowsIn(await analyze(await packAsar(root)));
    const own = rowsIn(one);
    const ids = (rows: SemanticRows) => Array.from({ length: rows.nodes }, (_none, index) => rows.shown(index)?.node_id).sort();
    expect(ids(packed)).toEqual(ids(own));
  });

  it("commits to its text: digest, size and ends of edges hold, and every byte range lies in its file", async () => {
    const analyzed = await analyze(writeTree(tree));
    const { semantics } = analyzed;
    expect(createHash("sha256").update(semantics.text).digest("hex")).toBe(semantics.sha256);
    expect(semantics.text.byteLength).toBe(semantics.bytes);
    const rows = rowsIn(analyzed);
    expect([rows.nodes, rows.edges]).toEqual([semantics.nodes, semantics.edges]);
    expect(rows.graph.graph_id).toBe(analyzed.graph.graph_id);
    const owners = new Set(analyzed.graph.nodes.map(({ node_id }) => node_id));
    const sizes = new Map(Object.entries(tree).map(([path, text]) => [path, Buffer.byteLength(text)]));
    for (let index = 0; index < rows.nodes; index += 1) {
      const node = rows.node(index);
      expect(owners).toContain(node?.source.owner);
      expect(node?.end).toBeLessThanOrEqual(sizes.get(node?.source.path ?? "") ?? 0);
      expect(node?.start).toBeLessThanOrEqual(node?.end ?? -1);
    }
    for (let index = 0; index < rows.edges; index += 1) expect([rows.node(rows.edge(index)?.from ?? -1), rows.node(rows.edge(index)?.to ?? -1)]).not.toContain(undefined);
    const literal = Array.from({ length: rows.nodes }, (_none, index) => rows.node(index)).find((node) => node?.kind === "literal" && node.name.startsWith("ä"));
    expect(Buffer.from(tree["lib/é.mjs"] ?? "").subarray(literal?.start, literal?.end).toString()).toBe('"ä\u{1F600}"');
  });

  it("comes from the cache whole, and everything is read anew when a part of the cache is lost", async () => {
    const root = writeTree(tree);
    const cache = { directory: join(emptyDirectory(), "cache"), version: "1" };
    const cold = await analyze(root, { cache });
    const packs = readdirSync(cache.directory).sort();
    expect((await analyze(root, { cache })).semantics.sha256).toBe(cold.semantics.sha256);
    expect(readdirSync(cache.directory).sort()).toEqual(packs);
    for (const lost of packs) {
      const path = join(cache.directory, lost);
      const kept = readFileSync(path);
      const damaged = Buffer.from(kept);
      damaged[kept.byteLength - 1] = (kept.at(-1) ?? 0) ^ 1;
      // The index in front still names what is lost.
      writeFileSync(path, damaged);
      expect((await analyze(root, { cache })).semantics.sha256).toBe(cold.semantics.sha256);
      // Also when it is all that is left besides.
      for (const other of packs) if (other !== lost) rmSync(join(cache.directory, other), { force: true });
      expect((await analyze(root, { cache })).semantics.sha256).toBe(cold.semantics.sha256);
    }
  });
});

describe("bounds", () => {
  it("one huge module leaves room for others, and says so", async () => {
    const huge = Array.from({ length: 20_000 }, (_none, index) => `function f${String(index)}(a) { return g${String(index)}(a, "${String(index)}"); }`).join("\n");
    const rows = await rowsOf({ "main.js": huge, "small.js": `fetch("https://small.example/");` });
    expect(nodes(rows)).toContain("request https://small.example/");
    expect(rows.graph.coverage).toMatchObject({ state: "partial", omissions: [{ reason: "limit_operations" }] });
    expect(rows.nodes).toBeLessThan(20_000);
  });

  it("of the whole graph: the application's own files come before packages, functions and effects before the rest", async () => {
    const code = (name: string) => Array.from({ length: 20 }, (_none, index) => `function ${name}${String(index)}(a) { return a; }`).join("\n") + `\nfetch("https://${name}.example/");`;
    const root = writeTree({ "package.json": manifest, "main.js": code("own"), "node_modules/p/package.json": `{"name":"p"}`, "node_modules/p/index.js": code("dep"), "node_modules/q/index.js": code("far") });
    const whole = rowsIn(await analyze(root));
    const cut = rowsIn(await analyze(root, { semanticLimits: { nodes: 80, edges: 1000 } }));
    expect(whole.graph.coverage.state).toBe("complete");
    const own = (rows: SemanticRows) => nodes(rows).filter((one) => one.includes(" own"));
    expect(own(cut)).toEqual(own(whole));
    expect(cut.nodes).toBeLessThanOrEqual(80);
    expect(nodes(cut)).not.toContain("literal https://far.example/");
    expect(cut.graph.coverage.omissions).toMatchObject([{ reason: "limit_items", limit: 80, scope: expect.stringContaining("node_modules/p/index.js") }]);
    const fewEdges = rowsIn(await analyze(root, { semanticLimits: { nodes: 1000, edges: 10 } }));
    expect(fewEdges.edges).toBe(10);
    expect(fewEdges.graph.coverage.omissions).toMatchObject([{ reason: "limit_items", limit: 10 }]);
  });

  it("are shared evenly by large files, and small files keep theirs", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 }), fc.nat(20_000), (counts, total) => {
        const share = shareNodes(counts, total);
        const used = counts.reduce((sum, count) => sum + Math.min(count, share), 0);
        expect(used).toBeLessThanOrEqual(Math.max(total, 0));
        const whole = counts.reduce((sum, count) => sum + count, 0);
        if (whole <= total) expect(used).toBe(whole);
        else expect(used + counts.length).toBeGreaterThan(total);
      }),
    );
  });
});

describe("hostile texts", () => {
  const limits = { astNodes: 1_000_000, findings: 1000, semantics: { moduleNodes: 500, fileNodes: 800 } };
  const semantics = async (text: string, name = "x.js") => (await readScript(text, { name, moduleType: null }, limits)).semantics;

  it("names like __proto__, constructor and toString are names", async () => {
    const found = relations(await rowsOf({ "main.js": `const __proto__ = "a"; exports.constructor = function constructor(toString) { return toString; }; const hasOwnProperty = __proto__; require("./b").constructor(__proto__);`, "b.js": `exports.constructor = (valueOf) => valueOf; exports.__proto__ = "x";` }));
    expect(found).toContain("binding hasOwnProperty --aliases--> binding __proto__");
    expect(found).toContain("binding __proto__ --argument-to-parameter--> parameter valueOf (high)");
  });

  it("modules that import themselves or each other, and names that lead back to themselves, end", async () => {
    const rows = await rowsOf({
      "main.js": `const me = require("./main.js"); me.go(1); exports.go = me.go; module.exports = require("./b.js"); var a = b, b = a; const { c } = c; x = x; a(); function r() { return r(); } r();`,
      "b.js": `module.exports = require("./main.js"); exports.go = exports.go; require("./main.js").go("s");`,
    });
    expect(rows.nodes).toBeGreaterThan(5);
  });

  it("deep and wide expressions stay within the bounds", async () => {
    const sum = Array.from({ length: 5000 }, (_none, index) => `"${String(index)}"`).join("+");
    const object = `({${Array.from({ length: 100_000 }, (_none, index) => `k${String(index)}: v${String(index)}`).join(",")}})`;
    const chain = `a${".b()".repeat(3000)}`;
    const nested = `${"f(".repeat(800)}1${")".repeat(800)}`;
    for (const text of [`x(${sum})`, `var o = ${object}`, chain, nested, `${"(function(){".repeat(400)}${"})()".repeat(400)}`]) {
      const found = await semantics(text);
      expect(found === null || found.nodes.length / nodeStride <= limits.semantics.fileNodes).toBe(true);
    }
  });

  it("halves of surrogate pairs do not reach the text of the graph", async () => {
    const analyzed = await analyze(writeTree({ "package.json": manifest, "main.js": `fetch("\\ud800${"😀".repeat(150)}"); f("\\udc00")` }));
    expect(sha256Hex(Buffer.from(analyzed.semantics.text))).toBe(analyzed.semantics.sha256);
    expect(Buffer.from(analyzed.semantics.text).toString("utf8")).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\\ud[89ab]/u);
  });

  it("any program that parses gives rows that hold together, and the same ones again", { timeout: 120_000 }, async () => {
    const name = fc.constantFrom("a", "b", "c", "__proto__", "exports", "module", "require", "fetch", "process");
    const leaf = fc.oneof(name, fc.constantFrom('"t"', "1", "`x${a}`", "process.env.A", "this.x", "[a, b]", "{a, b: c}".replace(/^/u, "(").replace(/$/u, ")")));
    const expression = fc.letrec((tie) => ({
      e: fc.oneof({ depthSize: "small" }, leaf, fc.tuple(tie("e"), tie("e")).map(([x, y]) => `(${String(x)})(${String(y)})`), fc.tuple(tie("e"), name).map(([x, y]) => `(${String(x)}).${y}`), fc.tuple(name, tie("e")).map(([x, y]) => `((${x}) => ${String(y)})`), fc.tuple(tie("e"), tie("e")).map(([x, y]) => `(${String(x)} ? ${String(y)} : a = ${String(x)})`), fc.tuple(tie("e"), tie("e")).map(([x, y]) => `(${String(x)} + ${String(y)})`)),
    })).e;
    const statement = fc.oneof(expression.map((e) => `${String(e)};`), fc.tuple(name, expression).map(([n, e]) => `var ${n} = ${String(e)};`), fc.tuple(name, expression).map(([n, e]) => `function ${n}(a, {b}, ...c) { if (a === "x") throw ${String(e)}; return ${String(e)}; }`), fc.tuple(name, expression).map(([n, e]) => `class ${n}1 { m() { this.x = ${String(e)}; this.m(); } }`), fc.tuple(name, expression).map(([n, e]) => `exports.${n} = ${String(e)};`));
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 12 }), async (statements) => {
        const text = statements.join("\n");
        const found = await semantics(text);
        if (found === null) return;
        const count = found.nodes.length / nodeStride;
        expect(Number.isInteger(count)).toBe(true);
        for (let at = 0; at < found.nodes.length; at += nodeStride) {
          const [, text_ = -1, start = -1, end = -1, , , within = -2] = found.nodes.slice(at, at + nodeStride);
          expect(found.strings[text_]).toBeDefined();
          expect(start >= 0 && end >= start && end <= text.length && within < count).toBe(true);
        }
        for (let at = 0; at < found.edges.length; at += edgeStride) {
          const [relation = -1, from = -1, to = -1] = found.edges.slice(at, at + edgeStride);
          expect(semanticRelations[relation]).toBeDefined();
          expect(from >= 0 && from < count && to >= 0 && to < count && from !== to).toBe(true);
        }
        expect(await semantics(text)).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });
});
