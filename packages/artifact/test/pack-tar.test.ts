import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { artifactOfBytes, discardExtraction, extract, inventory, openArtifact, packTar, type Extraction } from "../src/index.js";

const place = mkdtempSync(join(tmpdir(), "rea-pack-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

async function packed(found: Extraction, signal?: AbortSignal): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of packTar(found, signal === undefined ? {} : { signal })) pieces.push(piece);
  return Buffer.concat(pieces);
}

function tree(name: string, files: { readonly [path: string]: string | Uint8Array }): string {
  const root = join(place, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const python = spawnSync("python3", ["--version"]);
const long = `${"directory-of-a-long-name/".repeat(8)}${"n".repeat(120)}`;
const noise = Buffer.from(Array.from({ length: 700_001 }, (_, index) => (index * index + 7 * index) & 0xff));
const contents = { "empty": "", "b/one": "1\n", "a": "text", "ü/größe": "umlaut", [long]: "deep", "large": noise };

async function extraction(root: string): Promise<Extraction> {
  const artifact = openArtifact(root);
  try {
    return await extract(artifact);
  } finally {
    artifact.close();
  }
}

describe("an extraction packed as a tar", () => {
  test("holds each file, as our reader sees it", async () => {
    const found = await extraction(tree("all", contents));
    try {
      const bytes = await packed(found);
      const { graph, anomalies, omissions } = await inventory(artifactOfBytes(bytes, "all.tar"));
      expect([anomalies, omissions]).toEqual([[], []]);
      const names = graph.occurrences.filter(({ entry_kind, logical_path }) => entry_kind === "file" && logical_path !== ".").map(({ logical_path }) => logical_path);
      expect(names.sort()).toEqual(Object.keys(contents).sort());
    } finally {
      await discardExtraction(found);
    }
  });

  test.skipIf(python.error !== undefined)(`holds each file with its bytes, as python's tarfile sees it${python.error === undefined ? "" : " (python3 is not installed)"}`, async () => {
    const found = await extraction(tree("judged", contents));
    try {
      const file = join(place, "judged.tar");
      writeFileSync(file, await packed(found));
      const script = "import tarfile,hashlib,sys,json\nt=tarfile.open(sys.argv[1])\nprint(json.dumps({m.name:[hashlib.sha256(t.extractfile(m).read()).hexdigest(),m.mode,m.mtime,m.uid] for m in t}))";
      const { stdout } = spawnSync("python3", ["-c", script, file], { encoding: "utf8" });
      const expected = Object.entries(contents).map(([name, content]) => [name, [createHash("sha256").update(content).digest("hex"), 0o644, 0, 0]]);
      expect(JSON.parse(stdout)).toEqual(Object.fromEntries(expected));
    } finally {
      await discardExtraction(found);
    }
  });

  test("is the same for the same files, wherever they were", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}(\/[a-z]{7})?$/u), { minLength: 1, maxLength: 6, selector: (path) => path.split("/")[0] }), async (paths) => {
        const files = Object.fromEntries(paths.map((path) => [path, `content of ${path}`]));
        const once = mkdtempSync(join(place, "one-"));
        const again = mkdtempSync(join(place, "other-"));
        for (const [path, content] of Object.entries(files)) tree(once.slice(place.length + 1), { [path]: content });
        for (const [path, content] of Object.entries(files).reverse()) tree(again.slice(place.length + 1), { [path]: content });
        const [left, right] = [await extraction(once), await extraction(again)];
        expect((await packed(left)).equals(await packed(right))).toBe(true);
        await Promise.all([discardExtraction(left), discardExtraction(right)]);
      }),
      { numRuns: 10 },
    );
  });

  test.each([
    ["of the same size", "other"],
    ["that became shorter", "a"],
  ])("ends with an error at a file %s but another content", async (_what, content) => {
    const found = await extraction(tree("changed", { first: "12345", second: "67890" }));
    try {
      writeFileSync(join(found.output_root, "second"), content);
      await expect(packed(found)).rejects.toMatchObject({ code: "artifact_integrity_mismatch", details: { logical_path: "second" } });
    } finally {
      await discardExtraction(found);
    }
  });

  test("stops when it is cancelled, and when nobody takes the rest", async () => {
    const found = await extraction(tree("stopped", { one: noise, two: noise }));
    try {
      const controller = new AbortController();
      controller.abort();
      await expect(packed(found, controller.signal)).rejects.toMatchObject({ code: "cancelled" });
      for await (const piece of packTar(found)) {
        expect(piece.byteLength).toBeGreaterThan(0);
        break;
      }
    } finally {
      await discardExtraction(found);
    }
  });
});
