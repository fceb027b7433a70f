// A rule that cannot fail is worth nothing: every boundary rule meets a small tree that breaks it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boundaryRules } from "./boundary-rules.mjs";
import { development, homes, layers } from "./layers.mjs";
import { root } from "./workspace.mjs";

const product = layers.flat();
const violations = [...upward(), ...sideways(), ...libraries(), ...single()];
let broken;
let clean;

beforeAll(() => {
  broken = makeTree(Object.fromEntries(violations.map(({ file, text }) => [file, text])));
  clean = makeTree({
    "packages/tool/src/uses-core.ts": 'import "@rea/core";\nimport "node:fs";\n',
    "packages/core/src/uses-home.ts": 'import "zod";\nimport "node:crypto";\n',
    "packages/engine/src/engine.test.ts": 'import "@rea/testkit";\nimport "vitest";\nimport "node:child_process";\n',
    "packages/lineage/src/start.ts": 'import "node:child_process";\n',
    "apps/cli/src/main.ts": 'import "@rea/runtime";\nimport "yargs";\n',
  });
});

afterAll(() => {
  for (const tree of [broken, clean]) rmSync(tree, { recursive: true, force: true });
});

test("a tree that keeps the rules has no violation", () => {
  expect(cruise(clean)).toEqual([]);
});

test("every boundary rule fires on a file that breaks it, and every rule has such a file", () => {
  const found = new Set(cruise(broken).map(({ rule, from }) => `${rule.name} ${from}`));
  const missed = violations.filter(({ rule, file }) => !found.has(`${rule} ${file}`));
  expect(missed).toEqual([]);
  expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(boundaryRules().map(({ name }) => name)));
});

function upward() {
  return layers.slice(0, -1).map((layer, depth) => ({
    rule: `upward-from-layer-${depth}`,
    file: `${layer[0]}/src/upward.ts`,
    text: layers[depth + 1][0].startsWith("apps/")
      ? 'import "../../../apps/cli/src/main.js";\n'
      : `import "${packageName(layers[depth + 1][0])}";\n`,
  }));
}

function sideways() {
  return layers.flatMap((layer, depth) => {
    if (layer.length === 1) return [];
    const [first, second] = layer;
    const target = first.startsWith("apps/") ? "../../mcp-server/src/main.js" : packageName(second);
    return [{ rule: `sideways-in-layer-${depth}`, file: `${first}/src/sideways.ts`, text: `import "${target}";\n` }];
  });
}

function libraries() {
  return product.map((directory) => {
    const foreign = homes[directory]?.includes("zod") ? "pino" : "zod";
    return {
      rule: `foreign-library-${directory.replace(/^.*\//, "")}`,
      file: `${directory}/src/foreign.ts`,
      text: `import "${foreign}";\n`,
    };
  });
}

function single() {
  return [
    { rule: "narrow-tools", file: "packages/tools/src/narrow.ts", text: 'import "@rea/binary";\n' },
    { rule: "narrow-mcp", file: "packages/mcp/src/narrow.ts", text: 'import "@rea/provider";\n' },
    {
      rule: "development-package-in-product",
      file: "packages/engine/src/development.ts",
      text: 'import type { A } from "@rea/testkit";\nexport type B = A;\n',
    },
    { rule: "package-without-layer", file: "packages/stranger/src/index.ts", text: 'import "@rea/core";\n' },
    { rule: "file-cycle", file: "packages/binary/src/egg.ts", text: 'import "./hen.js";\nexport const egg = 1;\n' },
    { rule: "unresolvable", file: "packages/binary/src/missing.ts", text: 'import "@rea/core/src/inner.js";\n' },
    { rule: "deep-import", file: "packages/binary/src/deep.ts", text: 'import "../../core/src/inner.js";\n' },
    { rule: "test-code-in-product", file: "packages/tool/src/tested.ts", text: 'import "./some.test.js";\n' },
    { rule: "core-io", file: "packages/core/src/io.ts", text: 'import { readFileSync } from "node:fs";\nreadFileSync("a");\n' },
    { rule: "process-start", file: "packages/binary/src/start.ts", text: 'import "node:child_process";\n' },
  ];
}

function makeTree(files) {
  const tree = mkdtempSync(join(tmpdir(), "rea-boundaries-"));
  const write = (file, text) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  };
  write("tsconfig.base.json", JSON.stringify({ compilerOptions: { module: "NodeNext", target: "ES2022" } }));
  for (const library of ["vitest", ...Object.values(homes).flat()]) {
    write(`node_modules/${library}/package.json`, JSON.stringify({ name: library, main: "index.js" }));
    write(`node_modules/${library}/index.js`, "");
  }
  mkdirSync(join(tree, "node_modules", "@rea"));
  for (const directory of [...product, ...development]) {
    const isApp = directory.startsWith("apps/");
    write(`${directory}/src/${isApp ? "main" : "index"}.ts`, "export type A = string;\n");
    write(`${directory}/package.json`, JSON.stringify({ name: packageName(directory), exports: { ".": "./src/index.ts" } }));
    if (!isApp) symlinkSync(join(tree, directory), join(tree, "node_modules", packageName(directory)));
  }
  write("packages/core/src/inner.ts", "export const inner = 1;\n");
  write("packages/tool/src/some.test.ts", "export const tested = 1;\n");
  write("packages/binary/src/hen.ts", 'import "./egg.js";\nexport const hen = 1;\n');
  write("packages/binary/src/egg.ts", "export const egg = 1;\n");
  for (const [file, text] of Object.entries(files)) write(file, text);
  return tree;
}

function packageName(directory) {
  return `@rea/${directory.replace(/^.*\//, "")}`;
}

function cruise(tree) {
  const program = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const config = join(root, ".dependency-cruiser.mjs");
  const result = spawnSync(process.execPath, [program, "--config", config, "--output-type", "json", "packages", "apps"], {
    cwd: tree,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!result.stdout.startsWith("{")) throw new Error(result.stderr);
  return JSON.parse(result.stdout).summary.violations;
}
