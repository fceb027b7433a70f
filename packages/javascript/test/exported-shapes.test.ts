import { describe, expect, it } from "vitest";
import { readFacts } from "../src/facts/read-facts.js";

const limits = { astNodes: 1_000_000, findings: 1000 };
const read = (text: string, name = "a.js") => readFacts(text, { name, moduleType: null }, limits);
const exportsOf = async (text: string) => Object.fromEntries(((await read(text)).unit?.exports.exports ?? []).map(({ name, ...fact }) => [name, fact]));
const shape = (fact: { variants: readonly (readonly (readonly [string, string])[])[] } | undefined) => fact?.variants.map((variant) => Object.fromEntries(variant));

describe("what a module exports", () => {
  it("has one shape for each return, with literals as they stand", async () => {
    const found = await exportsOf(`export function f(x) { if (x) return { type: "a", n: 1, on: !0 }; switch (x) { case 1: return { ...more, type: "b", list: [1, "x"] }; default: return g(); } }
export const k = Object.freeze({ A: "one", B: { c: null } }); export default async () => ({ ok: true, f() {} }); export { k as again, nothing };
export const spread = { type: "a", deep: { x: 1 }, ...more }; export class C {} ; export { x as y } from "./other.js"; import z from "./z.js"; export { z };`);
    expect(shape(found["f"])).toEqual([{ "": "object", "/n": "1", "/on": "true", "/type": '"a"' }, { "": "object+", "/list": "array", "/list/0": "1", "/list/1": '"x"', "/type": '"b"' }, { "": "unknown" }]);
    expect(found["f"]).toMatchObject({ kind: "function", isComplete: true });
    expect(shape(found["k"])).toEqual([{ "": "object", "/A": '"one"', "/B": "object", "/B/c": "null" }]);
    expect(found["again"]).toEqual(found["k"]);
    expect(shape(found["default"])).toEqual([{ "": "object", "/f": "function", "/ok": "true" }]);
    expect(shape(found["spread"])).toEqual([{ "": "object+", "/deep": "unknown", "/type": "unknown" }]);
    expect(found["C"]).toMatchObject({ kind: "class" });
    expect(found["y"]).toMatchObject({ kind: "re-export", from: { specifier: "./other.js", name: "x" } });
    expect(found["z"]).toMatchObject({ kind: "re-export", from: { specifier: "./z.js", name: "default" } });
    expect(found["nothing"]).toMatchObject({ kind: "unknown" });
  });

  it("is found in CommonJS, and never guessed where a name is given twice or put together", async () => {
    const { unit } = await read(`"use strict"; exports.a = void 0; exports.a = function () { return 1; }; exports.b = 1; exports.b = 2; exports[name] = 3; module.exports.c = () => {}; Object.defineProperty(exports, "d", { enumerable: true, get: function () { return inner; } }); function inner() { return { deep: { er: "x" } }; }`);
    const found = Object.fromEntries((unit?.exports.exports ?? []).map(({ name, ...fact }) => [name, fact]));
    expect(shape(found["a"])).toEqual([{ "": "1" }]);
    expect(found["b"]).toMatchObject({ kind: "unknown" });
    expect(shape(found["c"])).toEqual([{ "": "undefined" }]);
    expect(shape(found["d"])).toEqual([{ "": "object", "/deep": "object", "/deep/er": '"x"' }]);
    expect(unit?.exports.isComplete).toBe(false);
  });

  it("is found in modules that a bundler wrote, by the parameters of their factories", async () => {
    const bundle = `(()=>{var m={7:(e,t,n)=>{"use strict";n.d(t,{go:()=>r});function r(e){return e?{kind:"yes"}:{kind:"no",why:e+""}}},8:(e)=>{e.exports={one:1,__proto__:null,constructor:()=>"c"}}},c={};function r(i){var o=c[i];if(o)return o.exports;var s=c[i]={exports:{}};return m[i](s,s.exports,r),s.exports}r(7)})();`;
    const { moduleUnits, modules } = await read(bundle);
    const named = new Map(modules.map(({ id }, index) => [id, Object.fromEntries((moduleUnits[index]?.exports.exports ?? []).map(({ name, ...fact }) => [name, fact]))]));
    expect(shape(named.get("7")?.["go"])).toEqual([{ "": "object", "/kind": '"no"', "/why": "string" }, { "": "object", "/kind": '"yes"' }]);
    expect(Object.keys(named.get("8") ?? {}).sort()).toEqual(["__proto__", "constructor", "module.exports", "one"]);
  });

  it("ends at bounds: a function with too many returns, an object with too many members, a value that contains itself", async () => {
    const returns = Array.from({ length: 500 }, (_, at) => `case ${String(at)}: return { at: ${String(at)} };`).join("");
    const members = Array.from({ length: 5000 }, (_, at) => `k${String(at)}: 1`).join(",");
    const found = await exportsOf(`const self = { self }; export { self }; export function many(x) { switch (x) { ${returns} } } export const wide = { ${members} };`);
    expect(found["many"]).toMatchObject({ isComplete: false });
    expect(shape(found["wide"])?.[0]?.[""]).toBe("object+");
    expect(shape(found["self"])?.[0]?.[""]).toBe("object");
  });
});

describe("the marks of a unit", () => {
  const marks = async (text: string) => (await read(text)).unit?.marks;

  it("stay the same when local names and layout change, and differ when a literal, an operator or a member does", async () => {
    const base = await marks(`function add(first, second) { return first.total + second["x"] + 12; }`);
    expect((await marks(`function a(b,c){return b.total+c["x"]+12}`))?.code).toBe(base?.code);
    const literal = await marks(`function a(b,c){return b.total+c["x"]+13}`);
    expect([literal?.structure === base?.structure, literal?.code === base?.code]).toEqual([true, false]);
    expect((await marks(`function a(b,c){return b.total-c["x"]-12}`))?.structure).not.toBe(base?.structure);
    expect((await marks(`function a(b,c){return b.sum+c["x"]+12}`))?.structure).not.toBe(base?.structure);
  });

  it("sample words below a bound that depends on the words alone", async () => {
    const words = Array.from({ length: 4000 }, (_, at) => `word${String(at)}`);
    const text = (list: readonly string[]): string => list.map((word) => `use("${word}");`).join("\n");
    const [one, other] = [await marks(text(words)), await marks(text([...words].reverse()))];
    expect(one?.words).toEqual(other?.words);
    expect(one?.words.hashes.length).toBeLessThanOrEqual(128);
    expect(one?.words.hashes.length).toBeGreaterThan(32);
  });
});
