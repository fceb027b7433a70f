import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { filesystemEffects } from "./effects.js";
import { takeSnapshot, type Snapshot } from "./snapshot.js";

const place = mkdtempSync(join(tmpdir(), "rea-effects-test-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function look(root: string, limits: { readonly files?: number; readonly filesystem_depth?: number }): Promise<Snapshot> {
  const all = { files: 1_000, file_bytes: 1_000, filesystem_depth: 16, ...limits };
  return takeSnapshot({ roots: [root], own: "/", limits: all, previous: null, signal: new AbortController().signal });
}

async function effectsIn(name: string, limits: { readonly files?: number; readonly filesystem_depth?: number }, after = limits): Promise<[string, string][]> {
  const root = join(place, name);
  mkdirSync(join(root, "a", "deep"), { recursive: true });
  for (const path of ["a/deep/one", "a/deep/two", "b", "c"]) writeFileSync(join(root, path), "x");
  const before = await look(root, limits);
  rmSync(join(root, "a/deep/one"));
  rmSync(join(root, "b"));
  for (const path of ["a/deep/new", "a/near", "d"]) writeFileSync(join(root, path), "x");
  const { effects } = filesystemEffects(before, await look(root, after), (path) => path);
  return effects.map(({ path, effect }) => [path, effect]);
}

it("a spot that was not looked at leaves the rest of its root certain", async () => {
  expect(await effectsIn("deep", { filesystem_depth: 2 }, {})).toEqual([
    ["a/deep/new", "unknown"],
    ["a/deep/two", "unknown"],
    ["a/near", "created"],
    ["b", "deleted"],
    ["d", "created"],
  ]);
});

it("where names in a directory were left out, nothing in and below it is called created or deleted", async () => {
  const found = await effectsIn("many", { files: 3 });
  expect(found.filter(([, effect]) => effect !== "unknown")).toEqual([]);
});

it("a root that appears has everything in it created", async () => {
  const root = join(place, "later");
  const before = await look(root, {});
  mkdirSync(root);
  writeFileSync(join(root, "file"), "x");
  const { effects } = filesystemEffects(before, await look(root, {}), (path) => path);
  expect(effects.map(({ path, effect }) => [path, effect])).toEqual([[".", "created"], ["file", "created"]]);
});
