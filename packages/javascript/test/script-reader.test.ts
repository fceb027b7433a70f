import { afterAll, describe, expect, it } from "vitest";
import { createScriptReader } from "../src/index.js";

const reader = createScriptReader();
afterAll(() => reader.close());
const limits = { astNodes: 1_000_000, findings: 1000 };
const read = (text: string) => reader.readScript(text, limits);

describe("a script", () => {
  it("tells what it connects to, by calls and by addresses written out", async () => {
    const { endpoints, dialect } = await read('fetch("/api/items", {method: "post"}); new WebSocket(`wss://a.example/${room}`); const docs = "https://b.example/docs";');
    expect(dialect).toBe("script");
    expect(endpoints.map(({ value, basis, confidence }) => [value, basis, confidence])).toEqual([
      ["/api/items", "fetch-call", "observed"],
      ["wss://a.example/{}", "web-socket", "inferred"],
      ["https://b.example/docs", "url-literal", "observed"],
    ]);
  });

  it("tells its routes from tables, servers and components", async () => {
    const { routes } = await read('const r = [{path: "/a", component: A}]; app.get("/b", (q, s) => s.end()); jsx(Route, {path: "/c"}); map.get("/d");');
    expect(routes.map(({ value }) => value)).toEqual(["/a", "/b", "/c"]);
  });

  it("shows the modules of a webpack bundle by the runtime that calls them", async () => {
    const text = '(()=>{var e={12:(e,t,n)=>{n(34)},34:e=>{e.exports=1}},t={};function n(r){var o=t[r];if(o)return o.exports;var i=t[r]={exports:{}};return e[r](i,i.exports,n),i.exports}n(12)})();';
    const { parts, hints } = await read(text);
    expect(parts.map(({ kind, value, range }) => [kind, value, text.slice(range.start, range.end)])).toEqual([
      ["module", "12", "12:(e,t,n)=>{n(34)}"],
      ["module", "34", "34:e=>{e.exports=1}"],
      ["module", "entry", "n(12)})();"],
    ]);
    expect(hints).toContainEqual({ kind: "bundler", name: "webpack", version: null, basis: "webpack-modules" });
  });

  it("does not take a table of functions for modules when no runtime calls it", async () => {
    expect((await read("const table = {12: (e, t, n) => n(34), 34: (e) => e};")).parts).toEqual([]);
  });

  it("gives the last source map link, and none from inside a string", async () => {
    expect((await read("a();\n//# sourceMappingURL=a.js.map\n")).sourceMapUrl).toBe("a.js.map");
    expect((await read('const s = "sourceMappingURL=b.js.map";')).sourceMapUrl).toBeNull();
  });

  it("that nests a hundred thousand levels deep is unreadable, and the next one is read", async () => {
    const deep = await read("(".repeat(100_000));
    expect(deep.dialect).toBe("unreadable");
    expect(deep.problems).toHaveLength(1);
    expect((await read(`x=${"[".repeat(100_000)}${"]".repeat(100_000)}`)).dialect).toBe("unreadable");
    expect((await read(`x=a${".b".repeat(100_000)}`)).dialect).not.toBe("unreadable");
    expect((await read("fetch('https://a.example/')")).endpoints).toHaveLength(1);
  });

  it("that is cut in half is unreadable with the place of the fault", async () => {
    const { dialect, problems } = await read("function a() { return fetch(");
    expect([dialect, problems[0]?.offset]).toEqual(["unreadable", 28]);
  });

  it("leaves out what goes beyond the limit, and counts it", async () => {
    const text = Array.from({ length: 50 }, (_, index) => `fetch("/a/${String(index)}");`).join("");
    const { endpoints, omitted } = await reader.readScript(text, { astNodes: 1_000_000, findings: 10 });
    expect([endpoints.length, omitted]).toEqual([10, 40]);
  });
});

describe("a source map", () => {
  const map = (parts: object) => JSON.stringify({ version: 3, sources: ["a.ts"], sourcesContent: ["let a"], names: [], mappings: "AAAA", ...parts });
  const verdict = async (text: string) => (await reader.readSourceMap(text, { sources: 100, mappings: 1000 })).verdict;

  it("is complete, partial, contradicting or unreadable", async () => {
    expect(await verdict(map({}))).toBe("complete");
    expect(await verdict(map({ sourcesContent: [null] }))).toBe("partial");
    expect(await verdict(map({ mappings: "ACAA" }))).toBe("contradicting");
    expect(await verdict(map({ mappings: "!!!" }))).toBe("contradicting");
    expect(await verdict("{")).toBe("unreadable");
    expect(await verdict("[]")).toBe("unreadable");
  });
});
