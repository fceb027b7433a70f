import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compare, inventory, openArtifact } from "../src/index.js";

const root = mkdtempSync(join(tmpdir(), "rea-compare-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

async function inventoryOf(files: { readonly [path: string]: string }, options = {}, links: { readonly [path: string]: string } = {}) {
  count += 1;
  const directory = join(root, String(count));
  mkdirSync(directory);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(directory, path));
  return inventory(openArtifact(directory), options);
}

test("equal trees are unchanged", async () => {
  const found = compare(await inventoryOf({ "a/b": "1" }), await inventoryOf({ "a/b": "1" }));
  expect(found).toMatchObject({ status: "unchanged", changes: [], summary: { unchanged: 3, changed: 0 } });
});

test("a changed file is changed in content, and so are the directories above it; size only when it differs", async () => {
  const found = compare(await inventoryOf({ "a/b": "1", c: "x" }), await inventoryOf({ "a/b": "2", c: "xy" }));
  const dimensions = Object.fromEntries(found.changes.map((change) => [change.logical_path, change.dimensions]));
  expect(found.status).toBe("changed");
  expect(dimensions["a/b"]).toEqual(["content"]);
  expect(dimensions["c"]).toEqual(["content", "bytes"]);
  expect(Object.keys(dimensions)).toEqual([".", "a", "a/b", "c"]);
  expect(found.summary).toEqual({ unchanged: 0, added: 0, removed: 0, changed: 4, unknown: 0, contradiction: 0 });
});

test("a moved file is removed, added and a move", async () => {
  const found = compare(await inventoryOf({ "old/f": "content", same: "s" }), await inventoryOf({ "new/f": "content", same: "s" }));
  expect(found.moves).toEqual(expect.arrayContaining([expect.objectContaining({ from: "old/f", to: "new/f" })]));
  expect(found.summary).toMatchObject({ added: 2, removed: 2, unchanged: 1 });
});

test("a content that stands at several places is no move", async () => {
  const found = compare(await inventoryOf({ a: "c", b: "c" }), await inventoryOf({ b: "c", d: "c" }));
  expect(found.moves).toEqual([]);
});

test("nothing is added or removed when one side was not read to its end", async () => {
  const found = compare(await inventoryOf({ a: "1", b: "2" }, { limits: { maxEntries: 1 } }), await inventoryOf({ a: "1", b: "2" }));
  expect(found.status).toBe("truncated");
  expect(found.changes.filter(({ logical_path }) => logical_path === "b")).toMatchObject([{ state: "unknown", left: null }]);
});

test("links are compared by where they lead", async () => {
  const left = await inventoryOf({ a: "1" }, {}, { link: "a" });
  expect(compare(left, await inventoryOf({ a: "1" }, {}, { link: "a" })).status).toBe("unchanged");
  expect(compare(left, await inventoryOf({ a: "1" }, {}, { link: "b" })).changes).toMatchObject([
    { logical_path: "link", state: "changed", dimensions: ["metadata"] },
  ]);
});
