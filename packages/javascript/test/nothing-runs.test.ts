import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { clean, emptyDirectory, packAsar, writeTree } from "./support/written-tree.js";

afterAll(clean);

const probe = spawnSync("strace", ["-f", "-o", "/dev/null", "-e", "trace=execve", "true"]);
const missing = process.platform !== "linux" || probe.status !== 0 ? " (skipped: strace cannot trace a process here)" : "";

const analyzer = new URL("../dist/index.js", import.meta.url);

/** Every way in which a file of an application could be made to run, each of which would leave a mark. */
function corpus(mark: string): string {
  const run = `require("fs").writeFileSync(${JSON.stringify(mark)}, "ran"); require("child_process").execSync("touch ${mark}");`;
  const root = writeTree({
    "package.json": JSON.stringify({ name: "trap", version: "1.0.0", main: "main.js", type: "commonjs", bin: { trap: "cli" }, scripts: { preinstall: `touch ${mark}`, install: `touch ${mark}`, prepare: `touch ${mark}` }, exports: { ".": { node: "./main.js", default: "./module.mjs" }, "./*": "./lib/*.js" }, imports: { "#x": "./lib/x.js" } }),
    "main.js": `${run}\nrequire("./lib/x"); require("./addon.node"); module.exports = { f() { return { type: "a" }; } };`,
    "module.mjs": `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "ran"); await import("./lib/y.mjs"); export default await (async () => { writeFileSync(${JSON.stringify(mark)}, "ran"); })();`,
    "lib/x.js": `eval(${JSON.stringify(run)}); new Function(${JSON.stringify(run)})(); (${"(0, eval)"})(${JSON.stringify(run)}); setTimeout(${JSON.stringify(run)});`,
    "lib/y.mjs": `import "data:text/javascript,${encodeURIComponent(run)}";`,
    "lib/getter.js": `module.exports = { get toString() { ${run} }, get [Symbol.toPrimitive]() { ${run} }, __proto__: new Proxy({}, { get() { ${run} } }) };`,
    "lib/typed.ts": `enum E { A = (() => { ${run} return 1; })() } @dec class C { static { ${run} } } function dec(c: unknown) { ${run} }`,
    "lib/view.jsx": `export default () => <div>{(() => { ${run} })()}</div>;`,
    "page.html": `<script>${run}</script><img src=x onerror='${run}'><script src="main.js"></script><iframe src="javascript:${encodeURIComponent(run)}"></iframe>`,
    "bundle.js": `(()=>{var m={1:(e)=>{${run} e.exports=1}},c={};function r(i){var o=c[i];if(o)return o.exports;var s=c[i]={exports:{}};return m[i](s,s.exports,r),s.exports}r(1)})();\n//# sourceMappingURL=bundle.js.map`,
    "bundle.js.map": JSON.stringify({ version: 3, sources: ["webpack:///../../../../../../../../etc/passwd", "file:///etc/shadow", `../../${"../".repeat(20)}etc/hostname`], sourcesContent: [run, run, null], mappings: "AAAA" }),
    "cli": `#!/usr/bin/env node\n${run}`,
    "hook.sh": `#!/bin/sh\ntouch ${mark}\n`,
    "addon.node": "\x7fELF not really",
    "node_modules/.bin/tool": `#!/bin/sh\ntouch ${mark}\n`,
    "node_modules/dep/package.json": JSON.stringify({ name: "dep", version: "1.0.0", main: "index.js", scripts: { postinstall: `touch ${mark}` }, gypfile: true }),
    "node_modules/dep/index.js": run,
    "binding.gyp": `{ "targets": [{ "target_name": "x", "sources": ["<!(touch ${mark})"] }] }`,
    ".babelrc.js": run,
    "webpack.config.js": run,
    "vite.config.mjs": `import { writeFileSync } from "fs"; writeFileSync(${JSON.stringify(mark)}, "");`,
    "electron.js": `const { app, BrowserWindow } = require("electron"); ${run} new BrowserWindow({ webPreferences: { preload: __dirname + "/lib/x.js" } });`,
  });
  for (const path of ["cli", "hook.sh", "node_modules/.bin/tool"]) chmodSync(join(root, path), 0o755);
  return root;
}

/** Analyses, searches, recovers and compares in a process of its own whose system calls are written down. */
const work = `
const { analyzeApplication, searchInApplication, recoverApplicationSources, workInThread } = await import(process.argv[1]);
const context = { signal: new AbortController().signal, progress: { report() {} } };
const request = { format: "auto", innerPath: null, integrityPolicy: "record-and-continue", cache: null, threads: 2, timeMs: null, limits: {} };
const [, , root, archive, out] = process.argv;
for (const path of [root, archive]) {
  const { reply, graph } = await analyzeApplication({ ...request, path }, context);
  if (reply.statistics.parsed_files < 10) throw new Error("too little was analysed: " + reply.statistics.parsed_files);
  await searchInApplication({ path, innerPath: null, text: "ran", caseSensitive: true, offset: 0, limit: 10 }, context);
  const given = { graph: '{"content":' + Buffer.from(graph.text).toString("utf8") + "}", graphSha256: reply.graph_sha256, rootSha256: reply.root_artifact_sha256, evidenceId: "ev_" + "0".repeat(64), name: "app" };
  const reference = { kind: "directory", request: { path: root, secretPatterns: [], limits: {}, threads: 1 } };
  await workInThread({ workflow: "sources", request: { reference, application: given, limits: { max_source_files: 100, max_targets: 4 }, offset: 0, limit: 10 } }, context);
}
await recoverApplicationSources({ path: root, innerPath: null, output: out }, context);
console.log("done");
`;

describe.skipIf(missing !== "")(`an application that is analysed${missing}`, () => {
  it("runs nothing of itself, starts no program, talks to nobody, and changes no file", async () => {
    const place = emptyDirectory();
    const mark = join(place, "mark");
    const root = corpus(mark);
    const archive = await packAsar(root);
    mkdirSync(join(place, "home"));
    const log = join(place, "trace");
    const before = readdirSync(root, { recursive: true }).sort();
    const traced = spawnSync(
      "strace",
      ["-f", "-qq", "-s", "4096", "-e", "trace=execve,execveat,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,connect,sendto,mkdir,mkdirat", "-o", log, process.execPath, "--input-type=module", "-e", work, analyzer.href, root, archive, join(place, "recovered")],
      { env: { PATH: process.env["PATH"], HOME: join(place, "home") }, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
    );
    expect([traced.status, traced.stdout, traced.stderr]).toEqual([0, "done\n", ""]);
    expect(existsSync(mark)).toBe(false);
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
    const calls = readFileSync(log, "utf8").split("\n");
    const started = calls.filter((call) => /\bexecve(?:at)?\(/u.test(call));
    expect(started).toHaveLength(1);
    expect(started[0]).toContain(process.execPath);
    expect(calls.filter((call) => /\b(?:connect|sendto)\(/u.test(call) && /AF_INET/u.test(call))).toEqual([]);
    const writes = calls.filter((call) => /O_WRONLY|O_RDWR|O_CREAT|\b(?:creat|unlink|unlinkat|rename|renameat2?|mkdir|mkdirat)\(/u.test(call));
    const outside = writes.filter((call) => !call.includes(join(place, "recovered")) && !/"\/dev\/(?:null|tty|pts)/u.test(call) && !/"\/proc\//u.test(call));
    expect(outside).toEqual([]);
    // What maps name outside of the application is never opened.
    for (const path of ["/etc/passwd", "/etc/shadow", "/etc/hostname"]) expect(calls.filter((call) => call.includes(`"${path}"`))).toEqual([]);
    expect(readdirSync(join(place, "recovered"), { recursive: true }).length).toBeGreaterThan(0);
    // The trap was armed: run as it is meant to be, the application does leave its mark.
    spawnSync(process.execPath, [join(root, "main.js")]);
    expect(existsSync(mark)).toBe(true);
  }, 180_000);
});
