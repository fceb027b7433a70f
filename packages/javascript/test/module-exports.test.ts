import { describe, expect, it } from "vitest";
import { readFacts } from "../src/facts/read-facts.js";
import type { ExportFacts } from "../src/facts/exports/export-fact.js";

const limits = { astNodes: 5_000_000, findings: 50_000 };
const read = (text: string) => readFacts(text, { name: "x.js", moduleType: null }, limits);

/** `name kind`, with what a re-export comes from, and what functions return where that is a literal. */
function told(facts: ExportFacts | undefined): readonly string[] {
  const list = (facts?.exports ?? []).map(({ name, kind, from, variants }) => {
    const literal = variants.map((shape) => shape.find(([pointer]) => pointer === "/kind")?.[1] ?? shape.find(([pointer]) => pointer === "")?.[1]).join(" ");
    return `${name} ${kind}${from === null ? "" : ` ${from.specifier}.${from.name}`}${literal === "" ? "" : ` ${literal}`}`;
  });
  return [...list, ...(facts?.stars ?? []).map((star) => `* ${star}`), ...(facts?.isComplete === false ? ["…"] : [])];
}

const own = async (text: string) => told((await read(text)).unit?.exports);

/** By id. */
async function modules(text: string): Promise<{ readonly [id: string]: readonly string[] }> {
  const facts = await read(text);
  return Object.fromEntries(facts.modules.map(({ id }, index) => [id, told(facts.moduleUnits[index]?.exports)]));
}

describe("exports of a file", () => {
  it("are those of the factory in AMD: by `exports`, by `module`, by what it returns", async () => {
    expect(await own('define(["exports", "./b"], function (exports, b) { exports.a = () => ({ kind: "one" }); });')).toEqual(['a function "one"']);
    expect(await own('define(function (require, exports, module) { module.exports = { a: 1 }; });')).toEqual(["a value 1", "module.exports value object"]);
    expect(await own('define([], function () { return { a: function () { return { kind: "two" }; }, b: 2 }; });')).toEqual(['a function "two"', "b value 2", "module.exports value object"]);
    expect(await modules('define("lib/x", ["exports"], function (e) { e.a = 1; }); define("lib/y", function () { return function () { return 3; }; });')).toEqual({ "lib/x": ["a value 1"], "lib/y": ["module.exports function 3"] });
  });

  it("are those of the factory in a universal wrapper, with and without minified names", async () => {
    const wrapper = '(function (global, factory) { typeof exports === "object" && typeof module !== "undefined" ? factory(exports) : typeof define === "function" && define.amd ? define(["exports"], factory) : factory(global.lib = {}); })';
    expect(await own(`${wrapper}(this, (function (exports) { "use strict"; function a() { return { kind: "one" }; } exports.a = a; }));`)).toEqual(['a function "one"']);
    expect(await own('!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?module.exports=t():"function"==typeof define&&define.amd?define(t):e.lib=t()}(this,function(){"use strict";return{a:function(){return{kind:"two"}}}});')).toEqual(expect.arrayContaining(['a function "two"']));
    // A function that is handed a function is no wrapper by itself.
    expect(await own("(function (run) { run({}); })(function (exports) { exports.a = 1; });")).toEqual([]);
  });

  it("are what SystemJS is handed by name or together", async () => {
    expect(await modules('System.register("lib", [], (function (exports) { return { execute: function () { exports("a", a); function a() { return { kind: "one" }; } exports({ b: 2, c: a }); class S { get() {} } exports("S", S); } }; }));')).toEqual({ lib: ["S class class", 'a function "one"', "b value 2", 'c function "one"'] });
  });

  it("are re-exports where they come from another module: by members, by getters, whole, and by star", async () => {
    expect(await own('const a = require("./a"); exports.x = a.y; Object.defineProperty(exports, "z", { enumerable: true, get: function () { return a.q; } });')).toEqual(["x re-export ./a.y", "z re-export ./a.q"]);
    expect(await own('module.exports = require("./a");')).toEqual(["module.exports re-export ./a.*", "* ./a"]);
    expect(await own('__exportStar(require("./a"), exports); exports.b = 1;')).toEqual(["b value 1", "* ./a"]);
    expect(await own('Object.keys(x).forEach(function (key) { Object.defineProperty(exports, key, { get: function () { return x[key]; } }); });')).toEqual(["…"]);
    const loop = 'Object.keys(n).forEach(function (o) { if (o in exports) return; Object.defineProperty(exports, o, { enumerable: true, get: function () { return n[o]; } }); });';
    expect(await own(`var n = require("./n"); ${loop}`)).toEqual(["* ./n"]);
    expect(await own('var n = require("./n"); for (var k in n) exports[k] = n[k]; for (var j in n) exports[j] = n[k];')).toEqual(["* ./n", "…"]);
    expect(await own('import * as a from "./a"; import d from "./d"; export const b = a.c; export const e = d.f;')).toEqual(["b re-export ./a.c", "e unknown"]);
    expect(await own('Object.assign(exports, { a: function () { return { kind: "one" }; } }, rest);')).toEqual(['a function "one"', "…"]);
  });

  it("have the members of classes by where they lie, and leave open what a base, a constructor or a computed name may add", async () => {
    const shapes = async (text: string) => Object.fromEntries((await read(text)).unit?.exports.exports[0]?.variants[0] ?? []);
    expect(await shapes('export class A { static version = "1"; static make() {} #secret = 1; size = 3; get area() { return 1; } draw() {} }')).toEqual({ "": "class", "/static": "object", "/static/version": '"1"', "/static/make": "function", "/prototype": "object", "/prototype/area": "unknown", "/prototype/draw": "function", "/instance": "object", "/instance/size": "3" });
    expect(await shapes("export class A extends B { constructor() { super(); } [x]() {} }")).toEqual({ "": "class", "/static": "object+", "/prototype": "object+", "/instance": "object+" });
    expect(await shapes("class A { constructor() { this.x = 1; } draw() {} } module.exports = A;")).toEqual({ "": "class", "/static": "object", "/prototype": "object", "/prototype/draw": "function", "/instance": "object+" });
  });
});

const runtime = "function r(n){const o=t[n];if(void 0!==o)return o.exports;const s=t[n]={exports:{}};return e[n](s,s.exports,r),s.exports}";

describe("exports of bundled modules", () => {
  it("of webpack stand in an object of getters or in a list with values, and lead to other modules", async () => {
    const table = '512(e,t,r){r.d(t,{T:()=>n.Q});var n=r(944)},944(e,t,r){function n(){return["again"]}r.d(t,{Q:()=>n})},856(e,t,r){r.d(t,["$1",0,"first","b",()=>x,"c",()=>{},s=>{}]);const x={kind:"one"}},536(e,t,r){t.L=function(){return{kind:"two"}}},9(e,t,r){var o=r(1);for(var k in o)r.d(t,k)},10:(e,t,r)=>{e.exports=r(536)}';
    expect(await modules(`(()=>{var e={${table}};const t={};${runtime}r(512)})();`)).toMatchObject({
      512: ["T re-export 944.Q"],
      944: ["Q function array"],
      856: ['$1 value "first"', 'b value "one"', "c unknown"],
      536: ['L function "two"'],
      9: ["…"],
      10: ["module.exports re-export 536.*", "* 536"],
    });
  });

  it("of a library that webpack wrote are those of the module it begins with", async () => {
    const facts = await read(`(()=>{var e={480(e,t,r){function n(){return{kind:"one"}}r.d(t,{T:()=>n})}};const t={};${runtime}let o={};return(()=>{r.d(o,{reduce:()=>a.T});var a=r(480);r.e(99).then(r.bind(r,7))})(),o})();`);
    const entry = facts.modules.findIndex(({ id }) => id === "entry");
    expect(told(facts.moduleUnits[entry]?.exports)).toEqual(["reduce re-export 480.T"]);
    expect(facts.requests.map(({ id, kind }) => `${kind} ${id}`)).toEqual(["import 480", "chunk 99", "import 7"]);
  });

  it("of Turbopack are set by name with getters and values, or filled as CommonJS", async () => {
    expect(await modules('(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push([document.currentScript,19,(e,t,a)=>{t.exports={value:"x"}},87,(e,t,a)=>{let i=e.r(19);a.make=function(){return{kind:"one"}};a.other=i.value},53,e=>{e.s(["default",()=>i,"n",0,3],53);var t=e.i(43),a=e.i(87);function i(){return a.make()}e.s(["again",()=>a.make])},71,e=>{e.v(t=>Promise.all([]))},72,e=>{e.j(e.i(71))}]);')).toEqual({
      19: ["module.exports value object", 'value value "x"'],
      87: ['make function "one"', "other re-export 19.value"],
      53: ["again re-export 87.make", "default function unknown", "n value 3"],
      71: [expect.stringMatching(/^module\.exports function/u)],
      72: ["…"],
    });
  });

  it("of Metro are those of the factory's last parameters, with stars written out as loops", async () => {
    const text = '__d(function(g,r,i,a,m,e,d){e.first="x";var n=r(d[0]);Object.keys(n).forEach(function(o){o in e||Object.defineProperty(e,o,{enumerable:!0,get:function(){return n[o]}})});Object.defineProperty(e,"again",{enumerable:!0,get:function(){return n.deep}})},11,[12]);__d(function(g,r,i,a,m,e,d){m.exports={value:1}},12,[]);';
    expect(await modules(text)).toEqual({ 11: ["again re-export 12.deep", 'first value "x"', "* 12"], 12: ["module.exports value object", "value value 1"] });
  });

  it("of Parcel are given by its helpers, and in registered modules by module and exports", async () => {
    const pack = 'parcelRequire=(function(e,n,t,r){return e})({"a":[function(require,module,exports){var h=require("@parcel/helpers");h.defineInteropFlag(exports);h.export(exports,"again",function(){return d.again});var d=require("./d.js");h.exportAll(d,exports)},{"./d.js":"d","@parcel/helpers":"h"}],"d":[function(require,module,exports){exports.again=()=>({kind:"one"})},{}]},["a"],"a","parcelRequire1");';
    expect(await modules(pack)).toEqual({ a: ["again re-export d.again", "* d"], d: ['again function "one"'] });
    const registered = 'var t=globalThis,a=t.parcelRequire843f;null==a&&((a=function(e){}).register=function(e,r){},t.parcelRequire843f=a);var c=a.register;c("g",function(r,t){r.exports=a("h")}),c("h",function(e,r){r.lazy=()=>({kind:"one"})});a("g");';
    expect(await modules(registered)).toEqual({ g: ["module.exports re-export h.*", "* h"], h: ['lazy function "one"'] });
    expect((await read(registered)).requests.map(({ id }) => id)).toEqual(["h", "g"]);
  });
});
