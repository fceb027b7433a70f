import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { readManifest, type PackageManifest } from "../src/resolve/manifest.js";
import { ModuleTree } from "../src/resolve/module-tree.js";
import { ModuleResolver } from "../src/resolve/resolve-module.js";

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** Packages of this workspace's store, laid out without links. */
function packagesTree(): { readonly root: string; readonly packages: readonly string[] } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rea-resolution-")));
  made.push(root);
  const store = join(import.meta.dirname, "../../../node_modules/.pnpm");
  const wanted = 160;
  const packages: string[] = [];
  for (const entry of readdirSync(store).sort()) {
    if (packages.length >= wanted) break;
    const modules = join(store, entry, "node_modules");
    const name = entry.replace(/@[^@]*$/u, "").replace(/_.*$/u, "").replace("+", "/").replace(/(.)@\d.*$/u, "$1");
    const source = join(modules, name);
    if (!existsSync(join(source, "package.json")) || packages.includes(name) || statSync(source).isSymbolicLink()) continue;
    cpSync(source, join(root, "node_modules", name), { recursive: true, filter: (path) => !/\.(?:node|wasm|map)$/u.test(path), dereference: true });
    packages.push(name);
  }
  return { root, packages };
}

function treeOf(root: string): { readonly tree: ModuleTree; readonly files: readonly string[] } {
  const files: string[] = [];
  const manifests: PackageManifest[] = [];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else files.push(path);
      if (entry.name !== "package.json") continue;
      const manifest = readManifest(directory, readFileSync(join(root, path)));
      if (manifest !== undefined) manifests.push(manifest);
    }
  };
  visit("");
  return { tree: new ModuleTree(files, manifests), files };
}

/** Specifiers worth asking: packages, their subpaths by exports and by path, relatives with and without endings. */
function questions(packages: readonly string[], files: readonly string[]): readonly { readonly from: string; readonly specifier: string }[] {
  const scripts = files.filter((path) => /\.[cm]?js$/u.test(path));
  const asked = packages.flatMap((name) => [
    { from: "main.js", specifier: name },
    { from: "main.js", specifier: `${name}/package.json` },
    { from: `node_modules/${name}/inner.js`, specifier: name },
  ]);
  for (const [index, path] of scripts.entries()) {
    if (index % Math.max(1, Math.floor(scripts.length / 400)) !== 0) continue;
    const inner = path.slice("node_modules/".length);
    asked.push({ from: "main.js", specifier: inner }, { from: "main.js", specifier: inner.replace(/\.[cm]?js$/u, "") });
    asked.push({ from: "main.js", specifier: `./${path.replace(/\/index\.js$/u, "")}` });
  }
  for (const name of packages) {
    const manifest = JSON.parse(readFileSync(join(rootOf.path, "node_modules", name, "package.json"), "utf8"));
    for (const key of Object.keys(typeof manifest.exports === "object" && manifest.exports !== null ? manifest.exports : {}).slice(0, 6)) {
      if (key.startsWith("./")) asked.push({ from: "main.js", specifier: `${name}/${key.slice(2).replace("*", "index")}` });
    }
    for (const key of Object.keys(manifest.imports ?? {}).slice(0, 6)) asked.push({ from: `node_modules/${name}/inner.js`, specifier: key.replace("*", "index") });
  }
  return asked;
}

const rootOf = { path: "" };

describe("resolution", () => {
  it("equals Node's for hundreds of specifiers in real packages, by require and by import", () => {
    const { root, packages } = packagesTree();
    rootOf.path = root;
    const { tree, files } = treeOf(root);
    const resolver = new ModuleResolver(tree);
    const asked = questions(packages, files);
    expect(asked.length).toBeGreaterThan(500);
    const node = askNode(root, asked);
    expect(node.filter(({ require, import: imported }) => require !== null || imported !== null).length).toBeGreaterThan(500);
    const differences = asked.flatMap(({ from, specifier }, index) =>
      (["require", "import"] as const).flatMap((mode) => {
        const found = resolver.resolve(specifier, from, mode);
        const ours = found.kind === "file" && found.by === "node" ? found.path : found.kind === "builtin" ? `node:${found.name}` : null;
        const theirs = node[index]?.[mode] ?? null;
        return ours === theirs ? [] : [{ mode, from, specifier, ours, theirs }];
      }),
    );
    expect(differences).toEqual([]);
  });
});

/** Node's own answers, from a process that resolves and loads nothing. */
function askNode(root: string, asked: readonly { readonly from: string; readonly specifier: string }[]): readonly { readonly require: string | null; readonly import: string | null }[] {
  const script = join(root, "ask.mjs");
  writeFileSync(join(root, "asked.json"), JSON.stringify(asked));
  writeFileSync(
    script,
    `import { readFileSync } from "node:fs"; import { createRequire } from "node:module"; import { fileURLToPath, pathToFileURL } from "node:url"; import { existsSync, statSync } from "node:fs";
const root = ${JSON.stringify(root)};
const inside = (path) => path.startsWith("node:") ? path : path.startsWith("/") ? path.slice(root.length + 1) : "node:" + path;
const tell = (ask) => { try { const path = ask(); return path.startsWith("/") && !(existsSync(path) && statSync(path).isFile()) ? null : inside(path); } catch { return null; } };
const asked = JSON.parse(readFileSync(root + "/asked.json", "utf8"));
const answers = asked.map(({ from, specifier }) => ({
  require: tell(() => createRequire(root + "/" + from).resolve(specifier)),
  import: tell(() => { const url = import.meta.resolve(specifier, pathToFileURL(root + "/" + from).href); return url.startsWith("file:") ? fileURLToPath(url) : url; }),
}));
process.stdout.write(JSON.stringify(answers));`,
  );
  const output = execFileSync(process.execPath, ["--experimental-import-meta-resolve", script], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(output);
}
