import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalDigestOfWhole, canonicalSha256, sha256Hex } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { artifactOfBytes, inventory, members, openArtifact } from "../src/index.js";
import { artifactId, edgeId, occurrenceId } from "../src/graph/ids.js";

const root = mkdtempSync(join(tmpdir(), "rea-inventory-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function tree(name: string, files: { readonly [path: string]: string | Uint8Array }): string {
  const directory = join(root, name);
  mkdirSync(directory);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

async function take(path: string, options = {}) {
  const artifact = openArtifact(path);
  try {
    return await inventory(artifact, options);
  } finally {
    artifact.close();
  }
}

describe("ids", () => {
  test("the empty content has the id of the contract's vector", () => {
    expect(artifactId(sha256Hex(""))).toBe("art_8a2f18f32bc78409b1b5b819b3624a65bcde257186468958da932f591f41ae96");
  });

  test("the written-out canonical forms are those of canonical JSON", () => {
    const place = {
      root_artifact_id: "art_1",
      parent_occurrence_id: null,
      logical_path: 'a/ü"\\u{202e}/𝒳',
      duplicate_index: 3,
      entry_kind: "file" as const,
    };
    expect(occurrenceId(place)).toBe(`occ_${canonicalSha256(place)}`);
    const edge = { parent_artifact_id: "a", child_artifact_id: "b", relation: "contains", occurrence_id: "c" };
    expect(edgeId(edge)).toBe(`edge_${canonicalSha256(edge)}`);
  });
});

describe("a directory", () => {
  test("is listed with the digest of every file, links not followed, and the same every time", async () => {
    const directory = tree("plain", { "b/two.txt": "two", "a.txt": "one", "b/c/three": "one" });
    symlinkSync("/etc/passwd", join(directory, "link"));
    const found = await take(directory);
    const byPath = new Map(found.graph.occurrences.map((one) => [one.logical_path, one] as const));
    expect([...byPath.keys()].sort()).toEqual([".", "a.txt", "b", "b/c", "b/c/three", "b/two.txt", "link"]);
    const nodeOf = (path: string) => found.graph.nodes.find(({ artifact_id }) => artifact_id === byPath.get(path)?.artifact_id);
    expect(nodeOf("a.txt")?.sha256).toBe(sha256Hex("one"));
    expect(byPath.get("a.txt")?.artifact_id).toBe(byPath.get("b/c/three")?.artifact_id);
    expect(byPath.get("link")).toMatchObject({ entry_kind: "symlink", link_target: "/etc/passwd", artifact_id: null });
    // A child without content leaves its directory without a digest.
    expect(found.manifest.root_sha256).toBeNull();
    expect(byPath.get("b")?.artifact_id).not.toBeNull();
    expect(await take(directory)).toEqual(found);
  });

  test("commits to the whole graph in canonical JSON", async () => {
    const found = await take(tree("canonical", { "x.js": "1", "x.js.map": "{}", "bell\u0007": "" }));
    expect(found.manifest.graph_sha256).toBe(canonicalDigestOfWhole(found.graph).sha256);
    expect(found.graph.edges.map(({ relation }) => relation)).toContain("maps-source");
    expect(found.graph.occurrences.some(({ logical_path }) => logical_path === "bell\\u{7}")).toBe(true);
  });

  test("behind the bound on entries is counted, not read", async () => {
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${String(index)}`, "x"] as const));
    const found = await take(tree("ten", files), { limits: { maxEntries: 3 } });
    expect(found.graph.occurrences).toHaveLength(4);
    expect(found.omissions).toMatchObject([{ reason: "limit_entries", limit: 3, count: 7 }]);
  });

  test("with a file above the bound on one member says so and reads the others", async () => {
    const found = await take(tree("large", { big: "x".repeat(100), small: "y" }), { limits: { maxEntryBytes: 99 } });
    const status = Object.fromEntries(found.graph.occurrences.map((one) => [one.logical_path, one.hash_status]));
    expect(status).toMatchObject({ big: "not-hashed-limit", small: "verified" });
    expect(found.omissions).toMatchObject([{ reason: "limit_entry_bytes", count: 1, limit: 99 }]);
  });

  test("with names in every script and of raw bytes keeps them apart", async () => {
    const directory = tree("names", { "é": "nfc", wow: "!", "wow!": "!" });
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff, 0x41])]), "raw");
    const { graph, anomalies } = await take(directory);
    const raw = graph.occurrences.find(({ raw_name }) => raw_name === "\\x{ff}A");
    expect(raw?.logical_path).toMatch(/^unsafe\/[0-9a-f]{16}$/);
    expect(graph.occurrences.map(({ logical_path }) => logical_path)).toContain("wow!!");
    expect(anomalies).toMatchObject([{ anomaly: "unsafe_name" }]);
  });

  test("can be left in the middle without leaving a handle open", async () => {
    const directory = tree("left", { "a/1": "1", "a/2": "2" });
    const handles = () => readdirSync("/proc/self/fd").length;
    const before = process.platform === "linux" ? handles() : 0;
    for await (const member of members(openArtifact(directory))) if (member.logicalPath === "a/1") break;
    if (process.platform === "linux") expect(handles()).toBe(before);
  });

  test("stops at a cancel", async () => {
    const controller = new AbortController();
    const walk = members(openArtifact(tree("cancel", { a: "1", b: "2" })), { signal: controller.signal });
    await walk.next();
    controller.abort();
    await expect(walk.next()).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("bytes", () => {
  test("that are no container are one occurrence", async () => {
    const { manifest, graph, omissions } = await inventory(artifactOfBytes(Buffer.from("hello"), "note.txt"));
    expect(manifest.root_sha256).toBe(sha256Hex("hello"));
    expect(graph.occurrences).toMatchObject([{ logical_path: ".", media_type: "text/plain", hash_status: "verified" }]);
    expect(omissions).toEqual([]);
  });

  test("limits out of range are refused by name", async () => {
    await expect(inventory(artifactOfBytes(Buffer.from("")), { limits: { maxEntries: 0 } })).rejects.toMatchObject({
      code: "invalid_request",
      message: "limits.maxEntries must be a whole number from 1 to 1000000.",
    });
  });
});
