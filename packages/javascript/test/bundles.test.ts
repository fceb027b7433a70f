import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readFacts } from "../src/facts/read-facts.js";
import { analyze, clean, writeTree } from "./support/written-tree.js";

afterAll(clean);

const limits = { astNodes: 5_000_000, findings: 50_000 };
const facts = (text: string, name = "x.js") => readFacts(text, { name, moduleType: null }, limits);
const partsOf = async (text: string) => {
  const { modules, chunks, requests } = await facts(text);
  return { modules: modules.map(({ bundler, id, path }) => [bundler, path ?? id]), chunks: chunks.map(({ ids }) => ids), requests: requests.map(({ id, kind }) => `${kind} ${id}`) };
};

describe("modules and chunks", () => {
  it("of webpack chunks are read from what is pushed, requests and chunk loads with them", async () => {
    expect(await partsOf('"use strict";(self.webpackChunkapp=self.webpackChunkapp||[]).push([[792,7],{3792:(e,t,n)=>{var r=n(4),o=n.n(r);n.e(55).then(n.bind(n,66));n.t(9,2)},4:e=>{e.exports=require("electron")}}]);')).toEqual({
      modules: [["webpack", "3792"], ["webpack", "4"]],
      chunks: [["792", "7"]],
      requests: ["import 4", "chunk 55", "import 66", "import 9"],
    });
  });

  it("of webpack 4 stand in the argument of its runtime, by position too", async () => {
    expect(await partsOf("!function(e){var t={};function n(r){if(t[r])return t[r].exports;var o=t[r]={i:r,l:!1,exports:{}};return e[r].call(o.exports,o,o.exports,n),o.l=!0,o.exports}n(0)}([function(e,t,n){n(2)},,function(e,t){}]);")).toMatchObject({ modules: [["webpack", "0"], ["webpack", "2"]], requests: ["import 2"] });
  });

  it("of webpack for Node are what a chunk exports", async () => {
    expect(await partsOf('exports.id=5;exports.ids=[5];exports.modules={10:(e,t,n)=>{n(11)},11:()=>{}};')).toMatchObject({ modules: [["webpack", "10"], ["webpack", "11"]], chunks: [["5"]], requests: ["import 11"] });
  });

  it("of AMD and SystemJS ask their loader for one another by id, and for other files by path", async () => {
    const amd = await facts('define("lib/a", ["exports", "./b", "text!../x.html", "jquery"], function (exports, b) {}); define("lib/b", [], function () {});');
    expect(amd.requests.map(({ id, kind }) => `${kind} ${id}`)).toEqual(["import lib/b"]);
    expect(amd.imports.map(({ specifier, basis }) => `${String(specifier)} ${basis}`)).toEqual(["../x.html amd-dependency", "jquery amd-dependency"]);
    const system = await facts('System.register(["./shared.js"], function (exports) { return { setters: [], execute: function () {} }; });');
    expect(system.imports.map(({ specifier }) => specifier)).toEqual(["./shared.js"]);
    expect((await facts('const define = 1; define(["./a"], () => {});')).imports).toEqual([]);
  });

  it("of webpack chunks come in its newest form too, and its own code asks for modules and chunks", async () => {
    const chunk = '"use strict";(Array.isArray(self.webpackChunkb)?self.webpackChunkb:self.webpackChunkb=[]).push([[480],{99(a,e,s){s.d(e,["lazy",0,()=>1])}}]);';
    expect(await partsOf(chunk)).toEqual({ modules: [["webpack", "99"]], chunks: [["480"]], requests: [] });
    const main = "(()=>{var e={1(e,t,r){}};const t={};function r(n){const o=t[n];if(void 0!==o)return o.exports;const s=t[n]={exports:{}};return e[n](s,s.exports,r),s.exports}r.m=e;(()=>{var a=r(1);r.e(480).then(r.bind(r,99))})()})();";
    expect((await partsOf(main)).requests).toEqual(["import 1", "chunk 480", "import 99"]);
  });

  it("are asked for later by the loaders of Metro, Parcel and Turbopack", async () => {
    expect((await partsOf('__d(function(g,r,i,a,m,e,d){r(d[1])(d[0],d.paths,"./lazy").then(()=>{})},0,[13,14]);__d(function(g,r,i,a,m,e,d){},13,[]);__d(function(g,r,i,a,m,e,d){},14,[]);')).requests).toEqual(["import 13", "import 14"]);
    expect((await partsOf('parcelRequire=(function(e,n,t,r){return e})({"a":[function(require,module,exports){module.exports=require("./h")("x").then(()=>module.bundle.root("b"))},{"./h":"h"}],"b":[function(require,module,exports){},{}]},["a"]);')).requests).toEqual(["import h", "import b"]);
    expect((await partsOf('(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push([document.currentScript,53,e=>{e.A(71)},71,e=>{e.v(t=>Promise.all(["static/chunks/6.js"].map(t=>e.l(t))).then(()=>t(46)))}]);')).requests).toEqual(["import 71", "import 46"]);
  });

  it("see through an external module of a bundle", async () => {
    const text = '(()=>{var e={1:e=>{"use strict";e.exports=require("electron")},2:(e,t,n)=>{const r=n(1);r.ipcMain.handle("a",()=>{})}},t={};function n(r){var o=t[r];if(o)return o.exports;var i=t[r]={exports:{}};return e[r](i,i.exports,n),i.exports}n(2)})();';
    expect((await facts(text)).electron.ipc.map(({ channel, operation, confidence }) => [channel, operation, confidence])).toEqual([["a", "handle", "observed"]]);
  });

  it("of Browserify and Parcel come with the names their dependencies have", async () => {
    const table = '({1:[function(require,module,exports){require("./b")},{"./b":2}],2:[function(require,module,exports){},{}]},{},[1]);';
    expect(await partsOf(`(function(){function r(e,n,t){return r}return r})()${table}`)).toMatchObject({ modules: [["browserify", "1"], ["browserify", "2"]], requests: ["import 2"] });
    expect(await partsOf(`(function(e,n,t){return e})${table}`)).toMatchObject({ modules: [["browserify", "1"], ["browserify", "2"]], requests: ["import 2"] });
    expect(await partsOf(`parcelRequire=(function(e,n,t,r){return e})${table}`)).toMatchObject({ modules: [["parcel", "1"], ["parcel", "2"]] });
    expect((await partsOf('var r=globalThis.parcelRequire94c2,i=r.register;i("aB3",function(e,t){});i("cD4",(e,t)=>{});')).modules).toEqual([["parcel", "aB3"], ["parcel", "cD4"]]);
  });

  it("of Metro, Turbopack, esbuild and Rolldown are read from their definitions", async () => {
    expect(await partsOf('__d(function(g,r,i,a,m,e,d){r(d[0]);i(d[1])},7,[8,9],"App.js");__d(function(g,r,i,a,m,e,d){},8,[]);')).toMatchObject({ modules: [["metro", "App.js"], ["metro", "8"]], requests: ["import 8", "import 9"] });
    expect(await partsOf('(globalThis.TURBOPACK=globalThis.TURBOPACK||[]).push([document.currentScript,101,e=>{e.i(102)},102,103,(e,t,r)=>{}]);')).toMatchObject({ modules: [["turbopack", "101"], ["turbopack", "102"], ["turbopack", "103"]], requests: ["import 102"] });
    expect(await partsOf('var __commonJS=(cb,mod)=>function(){return mod||(0,cb[Object.keys(cb)[0]])((mod={exports:{}}).exports,mod),mod.exports};var require_a=__commonJS({"src/a.js"(exports,module){module.exports=1}});var require_b=__commonJS({"src/b.js"(exports){require_a()}});require_b();')).toEqual({ modules: [["esbuild", "src/a.js"], ["esbuild", "src/b.js"]], chunks: [], requests: ["import src/a.js", "import src/b.js"] });
    expect((await partsOf("// src/a.ts\nvar a = 1;\n\n// src/b.ts\nvar b = a;\n")).modules).toEqual([["esbuild", "src/a.ts"], ["esbuild", "src/b.ts"]]);
    expect((await partsOf("//#region src/a.ts\nvar a = 1;\n//#endregion\n//#region src/b.ts\nvar b = a;\n//#endregion\n")).modules).toEqual([["rolldown", "src/a.ts"], ["rolldown", "src/b.ts"]]);
  });
});

describe("a production build by esbuild", () => {
  it("has the modules and imports that esbuild's own metafile names", async () => {
    const root = writeTree({
      "src/main.ts": "import { a } from './a'; import { c } from 'pkg/sub'; console.log(a, c); import('./lazy').then((l) => l.run());",
      "src/a.ts": "import { b } from './deep'; export const a: number = b + 1;",
      "src/deep/index.ts": "export const b = Math.random();",
      "src/lazy.ts": "import { b } from './deep'; export const run = () => fetch('/api/' + b);",
      "node_modules/pkg/package.json": JSON.stringify({ name: "pkg", version: "1.0.0", exports: { "./sub": "./lib/sub.js" } }),
      "node_modules/pkg/lib/sub.js": "import { d } from './d.js'; export const c = d();",
      "node_modules/pkg/lib/d.js": "export const d = () => Date.now();",
    });
    const { build } = createRequire(join(import.meta.dirname, "../../bench/package.json"))("esbuild");
    const { metafile } = await build({ absWorkingDir: root, entryPoints: ["src/main.ts"], bundle: true, minify: true, sourcemap: true, splitting: true, format: "esm", outdir: "out", metafile: true });
    const { graph } = await analyze(join(root, "out"));
    const names = new Map(graph.nodes.filter(({ kind }) => kind === "source-module").map(({ node_id, name }) => [node_id, name]));
    expect([...names.values()].sort()).toEqual(Object.keys(metafile.inputs).sort());
    const edges = graph.edges.filter(({ relation, from, to }) => relation === "imports" && names.has(from) && names.has(to)).map(({ from, to }) => `${names.get(from)} ${names.get(to)}`);
    const truth = Object.entries<{ imports: { path: string }[] }>(metafile.inputs).flatMap(([from, { imports }]) => imports.map(({ path }) => `${from} ${path}`));
    // `pkg/sub` is a name that only the package's manifest explains, which a build does not carry.
    expect(edges.sort()).toEqual(truth.filter((edge) => !edge.endsWith("lib/sub.js")).sort());
    expect(existsSync(join(root, "out", "main.js"))).toBe(true);
  });
});
