import { createRequire } from "node:module";
import { join } from "node:path";
import { silentProgress } from "@rea/core";
import { afterAll, describe, expect, it } from "vitest";
import { importReference } from "../src/reference/import-reference.js";
import { compareSources } from "../src/workflows/sources/compare-sources.js";
import { analyze, clean, writeTree, type Tree } from "./support/written-tree.js";

afterAll(clean);

/** A function whose members and texts are its own. */
function functionText(name: string): string {
  const words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"].map((word) => `${name}_${word}`);
  return `export function ${name}Main(input) {\n${words.map((word, index) => `  input.${word} = input.${word}Source("${word} text ${String(index)}");`).join("\n")}\n  return { ${words.map((word) => `${word}Result: input.${word}`).join(", ")} };\n}\n`;
}

const names = ["one", "two", "three", "four"] as const;
const four: Tree = Object.fromEntries(names.map((name) => [`src/${name}.js`, functionText(name)]));

/** What became of each source in an application. */
async function becameOf(sources: Tree, applicationPath: string) {
  const reference = await importReference({ path: writeTree(sources), secretPatterns: [], limits: {}, threads: 1 }, { signal: new AbortController().signal, progress: silentProgress });
  const { graph, reply } = await analyze(applicationPath);
  const { files, comparison } = compareSources({ reference, application: { graph, graphSha256: reply.graph_sha256, rootSha256: reply.root_artifact_sha256 } }, { max_source_files: 1000, max_targets: 5 });
  return { status: comparison.status, files: Object.fromEntries(files.map(({ path, status, confidence, reason }) => [path, { status, confidence, reason }])) };
}

function entryOf(tree: Tree): string {
  return Object.keys(tree).map((path) => `export * from "./${path}";`).join("\n");
}

async function bundled(tree: Tree, options: { readonly sourcemap?: boolean } = {}): Promise<string> {
  const root = writeTree({ ...tree, "index.js": entryOf(tree) });
  const { build } = createRequire(join(import.meta.dirname, "../../bench/package.json"))("esbuild");
  await build({ absWorkingDir: root, entryPoints: ["index.js"], bundle: true, minify: true, format: "esm", outfile: "out/app.js", ...options });
  return join(root, "out");
}

describe("sources against an application without source maps", () => {
  it("are merged where a bundler put several into one file and left no trace of them", async () => {
    const { files, status } = await becameOf(four, await bundled(four));
    for (const name of names) expect(files[`src/${name}.js`]).toEqual({ status: "merged", confidence: "low", reason: "Its words are in a larger piece, together with those of other files." });
    expect(status).toBe("unknown");
  });

  it("are split where several files have parts of one", async () => {
    const { files } = await becameOf({ "src/all.js": functionText("one") + functionText("two") }, writeTree({ "x1.js": functionText("one").replace("oneMain", "a"), "x2.js": functionText("two").replace("twoMain", "b"), "x3.js": functionText("three") }));
    expect(files["src/all.js"]).toMatchObject({ status: "split", confidence: "low" });
  });

  it("are removed only where their words would have been seen", async () => {
    const { files, status } = await becameOf({ ...four, "src/gone.js": functionText("gone"), "src/small.js": "export const x = 1;" }, await bundled(four));
    expect(files["src/gone.js"]).toMatchObject({ status: "removed", confidence: "medium" });
    expect(files["src/small.js"]).toMatchObject({ status: "unknown" });
    expect(status).toBe("changed");
  });
});

describe("sources against an application with source maps", () => {
  it("are unchanged, modified or removed by what the maps hold", async () => {
    const built = { ...four, "src/two.js": functionText("two").replace("text 3", "another text") };
    const { files } = await becameOf({ ...four, "src/gone.js": functionText("gone") }, await bundled(built, { sourcemap: true }));
    expect(Object.fromEntries(Object.entries(files).map(([path, { status, confidence }]) => [path, `${status} ${confidence}`]))).toEqual({
      "src/one.js": "unchanged high",
      "src/two.js": "modified high",
      "src/three.js": "unchanged high",
      "src/four.js": "unchanged high",
      "src/gone.js": "removed high",
    });
  });
});
