import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { sha256Hex } from "@rea/core";
import { expect, test } from "vitest";
import { discardExtraction, extract, inventory, openArtifact, type Manifest } from "../src/index.js";

const numRuns = Number(process.env["REA_FUZZ_RUNS"] ?? "25");

interface Seen {
  readonly inventory: Manifest;
  readonly extraction: Manifest;
  readonly paths: readonly string[];
  readonly anomalies: readonly string[];
}

/** What is seen of a tree where small files may be taken together, and where each is handed over by itself. */
async function bothWays(files: Readonly<Record<string, string>>): Promise<Seen> {
  const home = mkdtempSync(join(tmpdir(), "rea-runs-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(home, name);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, content);
    }
    const artifact = openArtifact(home);
    const found = await inventory(artifact, { integrityPolicy: "record-and-continue" });
    const extraction = await extract(artifact, { integrityPolicy: "record-and-continue" });
    await discardExtraction(extraction);
    return {
      inventory: found.manifest,
      extraction: extraction.manifest,
      paths: found.graph.occurrences.map(({ logical_path, duplicate_index }) => `${logical_path} ${String(duplicate_index)}`).sort(),
      anomalies: found.anomalies.map(({ anomaly, logical_path }) => `${anomaly} ${logical_path}`),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

test("names that differ in letter case only are told, whether they are in one directory or in two that so differ", async () => {
  const seen = await bothWays({ "a/one.txt": "1", "a/ONE.txt": "2", "b/two.txt": "3", "B/two.txt": "4", "c/three.txt": "5" });
  expect(seen.anomalies).toEqual(["name_collision a/one.txt", "name_collision b", "name_collision b/two.txt"]);
  expect(seen.extraction).toEqual(seen.inventory);
});

test("a file stands beside an unsafe name that is placed where it is", async () => {
  const name = "back\\slash";
  const placed = `unsafe/${sha256Hex(name).slice(0, 16)}`;
  const seen = await bothWays({ [name]: "1", [placed]: "2", "unsafe/other": "3" });
  expect(seen.paths).toContain(`${placed} 0`);
  expect(seen.paths).toContain(`${placed} 1`);
  expect(seen.anomalies).toContain(`duplicate_name ${placed}`);
  expect(seen.extraction).toEqual(seen.inventory);
});

test("files that are taken together come to the same as those that are taken one by one", async () => {
  const name = fc.oneof(fc.constantFrom("a", "A", "b.txt", "B.TXT", "x.js", "x.js.map", "end!", "c:d", "ü", "u\u0308", "unsafe", "package.json", "README.md"), fc.stringMatching(/^[a-cA-C.!]{1,3}$/u).filter((text) => !/^\.+$/u.test(text)));
  const content = fc.constantFrom("", "text", "#!/bin/sh\n", "{}", "PK\u0003\u0004", "<plist/>", "BZh9");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((segments) => segments.join("/"));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(path, content), { maxLength: 12 }), async (files) => {
      const { inventory: one, extraction: other } = await bothWays(withoutConflicts(files));
      expect(other).toEqual(one);
    }),
    { numRuns },
  );
});

/** No file where another one needs a directory. */
function withoutConflicts(files: readonly (readonly [path: string, content: string])[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [path, content] of files) {
    const conflicts = Object.keys(kept).some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
    if (!conflicts) kept[path] = content;
  }
  return kept;
}
