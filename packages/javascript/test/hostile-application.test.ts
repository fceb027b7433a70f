import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brokenGraphRule } from "@rea/core";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readFacts } from "../src/facts/read-facts.js";
import { readMap } from "../src/maps/read-map.js";
import { analyze, clean, emptyDirectory, packAsar, writeTree } from "./support/written-tree.js";

afterAll(clean);

const limits = { astNodes: 5_000_000, findings: 50_000 };
const facts = (text: string, name = "x.js") => readFacts(text, { name, moduleType: null }, limits);

describe("what cannot be read", () => {
  it("costs only itself: a directory named like a script, a manifest that is a list, a file cut in half", async () => {
    const root = writeTree({
      "package.json": "[]",
      "zip.js/inner.js": "fetch('https://a.example/')",
      "cut.js": "function a() { return {",
      "good.js": "require('./zip.js/inner'); require('./absent'); require(name)",
      "deep.js": `x=${"[".repeat(100_000)}`,
      "pollute/package.json": '{"__proto__": {"main": "evil.js"}, "name": "p", "version": "1.0.0", "constructor": {"prototype": {"x": 1}}}',
    });
    const { reply, unknowns, graph } = await analyze(root);
    expect(reply.summary.endpoints.items[0]?.host).toBe("a.example");
    expect(reply.statistics).toMatchObject({ unreadable_files: 2, unresolved_imports: 1, dynamic_imports: 1 });
    expect(reply.coverage.state).toBe("partial");
    expect(unknowns.map(({ unknown, path }) => `${unknown} ${path ?? ""}`).sort()).toEqual([
      "dynamic-import good.js",
      "unreadable-file cut.js",
      "unreadable-file deep.js",
      "unreadable-file package.json",
      "unresolved-import good.js",
    ]);
    expect(brokenGraphRule(graph)).toBeUndefined();
    expect(Reflect.get({}, "main")).toBeUndefined();
  });

  it("leaves the rest standing when a file's permissions forbid it", async (context) => {
    if (process.getuid?.() === 0) return context.skip("permissions do not bind this user");
    const root = writeTree({ "a.js": "fetch('https://a.example/')", "b.js": "1" });
    chmodSync(join(root, "b.js"), 0);
    const { reply } = await analyze(root);
    expect(reply.summary.endpoints.total).toBe(1);
    expect(reply.coverage.state).toBe("partial");
  });

  it("says which bound left what out", async () => {
    const tree = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${String(index).padStart(2, "0")}.js`, `fetch("/api/${String(index)}")`]));
    const { reply, unknowns } = await analyze(writeTree(tree), { limits: { textFiles: 5 } });
    expect(reply.statistics.parsed_files).toBe(5);
    expect(reply.coverage.omissions[0]).toMatchObject({ reason: "limit_entries", count: 15, limit: 5 });
    expect(unknowns[0]).toMatchObject({ unknown: "limit", path: "f05.js" });
  });

  it("holds a module of a hundred thousand properties", async () => {
    const text = `module.exports = {${Array.from({ length: 100_000 }, (_, index) => `k${String(index)}: "v"`).join(",")}}`;
    const { reply } = await analyze(writeTree({ "big.js": text, "small.js": "fetch('https://a.example/')" }));
    expect(reply.statistics).toMatchObject({ parsed_files: 2, unreadable_files: 0 });
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(32 * 1024);
  });
});

describe("an archive whose file was changed after packing", () => {
  const source = { "package.json": JSON.stringify({ name: "a", version: "1.0.0", main: "main.js" }), "main.js": "fetch('https://main.example/');", "evil.js": "fetch('https://evil.example/AAAA');" };

  async function tampered(): Promise<string> {
    const archive = await packAsar(writeTree(source));
    const bytes = readFileSync(archive);
    const at = bytes.indexOf("evil.example/AAAA");
    bytes.write("evil.example/BBBB", at, "latin1");
    writeFileSync(archive, bytes);
    return archive;
  }

  it("ends the call under policy fail", async () => {
    await expect(analyze(await tampered())).rejects.toMatchObject({ code: "artifact_integrity_mismatch", details: { logical_path: "evil.js" } });
  });

  it("is read without the contradicted bytes under record-and-continue", async () => {
    const { reply, unknowns, graph } = await analyze(await tampered(), { integrityPolicy: "record-and-continue" });
    expect(reply.summary.endpoints.items.map(({ host }) => host)).toEqual(["main.example"]);
    expect(unknowns.map(({ unknown, path }) => [unknown, path])).toContainEqual(["contradicted-file", "evil.js"]);
    expect(graph.nodes.find(({ kind }) => kind === "asar-entry")?.name).toBe("evil.js");
    expect(reply.summary.electron?.asar_integrity ?? [{ verdict: "contradicted" }]).toEqual([expect.objectContaining({ verdict: "contradicted" })]);
  });
});

describe("names that lead elsewhere", () => {
  it("are recorded and bounded, never followed", async () => {
    const map = { version: 3, sources: ["/etc/passwd", "../../../../etc/shadow", "__proto__", "file:///root/.ssh/id", ""], sourcesContent: ["a", "b", "c", null, "e"], names: [], mappings: "AAAA,CCAA,CCAA" };
    const root = writeTree({
      "self.js": "import './self.js'; import '../../../outside.js';",
      "a.js": "require('./b')",
      "b.js": "require('./a')",
      "mapped.js": "a;b;c;\n//# sourceMappingURL=mapped.js.map",
      "mapped.js.map": JSON.stringify(map),
      "wrong.js": "a\n//# sourceMappingURL=wrong.js.map",
      "wrong.js.map": JSON.stringify({ version: 3, sources: ["a"], names: [], mappings: "ggggggggggggggE,AAgB" }),
      "far.js": "a\n//# sourceMappingURL=../../../../etc/passwd",
    });
    const { graph, unknowns, reply } = await analyze(root);
    expect(brokenGraphRule(graph)).toBeUndefined();
    expect(graph.nodes.filter(({ kind }) => kind === "source-module").map(({ name }) => name).sort()).toEqual(["__proto__", "a", "etc/passwd", "etc/shadow", "root/.ssh/id"]);
    expect(unknowns.filter(({ unknown }) => unknown === "self-import").map(({ path }) => path)).toEqual(["self.js"]);
    expect(reply.summary.source_maps).toMatchObject({ contradicting: 1, partial: 1, missing: 1 });
    expect(graph.edges.some(({ from, to }) => from === to)).toBe(false);
  });

  it("of modules may be those of every object", async () => {
    const text = `(()=>{var e={"__proto__":(e,t,n)=>{n("constructor")},"constructor":(e,t,n)=>{n("constructor");n("__proto__")}},t={};function n(r){var o=t[r];if(o)return o.exports;var i=t[r]={exports:{}};return e[r](i,i.exports,n),i.exports}n("constructor")})();`;
    const { graph } = await analyze(writeTree({ "bundle.js": text }));
    expect(graph.nodes.filter(({ kind }) => kind === "javascript-module").map(({ name }) => name).sort()).toEqual(["__proto__", "constructor", "entry"]);
    expect(brokenGraphRule(graph)).toBeUndefined();
  });
});

describe("dialects", () => {
  it.each([
    ["a.js", "#!/usr/bin/env node\nfetch('/api/x')"],
    ["a.js", "\uFEFFfetch('/api/x')"],
    ["a.js", "var a = 1\rfetch('/api/x')\r"],
    ["a.mjs", "await fetch('/api/x'); export {}"],
    ["a.jsx", "const a = <b c={fetch('/api/x')} />"],
    ["a.js", "const a = <b>{fetch('/api/x')}</b>"],
    ["a.ts", "enum A { B = 'b' } abstract class C<T extends object> { private constructor(readonly x: T) { super(); } @d() m?(): void } fetch('/api/x' as const satisfies string)"],
    ["a.tsx", "const a = <T,>(x: T) => <b c={fetch('/api/x')!} />"],
    ["a.ts", "@dec class A { @dec accessor x = 1 } fetch('/api/x')"],
    ["a.cts", "import x = require('y'); export = x; fetch('/api/x')"],
    ["a.js", "using x = y(); class A { static { fetch('/api/x') } #p; has(o) { return #p in o } }"],
    ["a.js", "import a from './a.json' with { type: 'json' }; fetch('/api/x')"],
    ["a.js", "a ??= b?.c?.[d] ** 2n; label: for (;;) break label; fetch('/api/x'); /(?<year>\\d{4})/v.exec(s)"],
    ["a.js", "with (o) { fetch('/api/x') } var yield_ = 010"],
  ])("of %s are read: %j", async (name, text) => {
    const found = await facts(text.replace(/^\uFEFF/u, ""), name);
    expect(found.problems).toEqual([]);
    expect(found.endpoints.map(({ value }) => value)).toEqual(["/api/x"]);
  });

  it("that no parser takes are an unknown with a place, and any text whatever is an answer", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 300 }).map((text) => `import x from "y"; ${text}`)), fc.constantFrom("a.js", "a.ts", "a.tsx", "a.mjs"), async (text, name) => {
        const found = await facts(text, name);
        expect(found.dialect === "unreadable" ? found.problems.length > 0 : true).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("in one line of many megabytes are read", async () => {
    const found = await facts(`${"a=[1,2,3,'x'];".repeat(200_000)}fetch('/api/x')`);
    expect(found.endpoints).toHaveLength(1);
  });

  it.each(["(", "[", "{", "a(", "!", "a=>", "`${", "x?y:", "a??", "1+", "if(a)", "<a>"])("that nest %j a hundred thousand levels never end the process", async (unit) => {
    const found = await facts(unit.repeat(100_000), "a.tsx");
    expect(["unreadable", "script", "module"]).toContain(found.dialect);
  });

  it.each([["(", ")", 249], ["[", "]", 249], ["f(", ")", 499]])("that nest %j too deep say so, with the place where they become deep", async (open, close, place) => {
    for (const name of ["a.js", "a.ts"]) {
      const { dialect, problems } = await facts(`${open.repeat(100_000)}1${close.repeat(100_000)}`, name);
      expect([dialect, problems.length, problems[0]?.what, problems[0]?.at?.start]).toEqual(["unreadable", 1, "The text nests deeper than it can be read.", place]);
    }
  });
});

describe("source maps", () => {
  it("are read whatever they hold", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 200 }), fc.json({ maxDepth: 4 }), fc.record({ version: fc.constant(3), sources: fc.array(fc.anything()), sourcesContent: fc.anything(), names: fc.anything(), mappings: fc.string(), sections: fc.anything() }).map((value) => JSON.stringify(value))), (text) => {
        const found = readMap(text, { sources: 100, mappings: 1000 }, { lines: [10, 20] });
        expect(["complete", "partial", "contradicting", "unreadable"]).toContain(found.verdict);
      }),
      { numRuns: 500 },
    );
  });
});

describe("nothing of the target", () => {
  it("is run: files that would leave a mark leave none", async () => {
    const mark = join(emptyDirectory(), "mark");
    const write = `require("fs").writeFileSync(${JSON.stringify(mark)}, "run")`;
    const root = writeTree({
      "package.json": JSON.stringify({ name: "m", version: "1.0.0", main: "main.js", scripts: { preinstall: "node main.js", postinstall: "node main.js" }, exports: { ".": "./main.js" } }),
      "main.js": `${write}; eval(${JSON.stringify(write)}); new Function(${JSON.stringify(write)})(); module.exports = { get a() { ${write} } };`,
      "page.html": `<script>${write}</script><img src=x onerror="${write}"><script src="main.js"></script>`,
      "map.js": `${write}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify({ version: 3, sources: ["a.js"], sourcesContent: [write], names: [], mappings: "AAAA" })).toString("base64")}`,
      "tagged.mjs": `import ${JSON.stringify(`data:text/javascript,${write}`)}; export default await (async () => { ${write.replace("require", "(await import('module')).createRequire('/')")} })();`,
    });
    mkdirSync(join(root, "node_modules"));
    await analyze(root);
    expect(existsSync(mark)).toBe(false);
  });
});
