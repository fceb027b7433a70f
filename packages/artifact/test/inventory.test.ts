import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { canonicalDigestOfWhole, canonicalSha256, sha256Hex } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { artifactOfBytes, inventory, members, openArtifact } from "../src/index.js";
import { artifactId, edgeDigits, occurrenceDigits, quoted } from "../src/graph/ids.js";

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
    expect(occurrenceDigits({ ...place, path: quoted(place.logical_path) })).toBe(canonicalSha256(place));
    const edge = { parent_artifact_id: "a", child_artifact_id: "b", relation: "contains", occurrence_id: "c" };
    expect(edgeDigits(edge)).toBe(canonicalSha256(edge));
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

  test("whose link was replaced by a file since it was listed is read on", async () => {
    const directory = tree("replaced-link", { "a.txt": "one", "c.txt": "three" });
    symlinkSync("a.txt", join(directory, "b"));
    const artifact = openArtifact(directory);
    const seen = new Map<string, string>();
    for await (const { logicalPath, entryKind } of members(artifact)) {
      seen.set(logicalPath, entryKind);
      if (logicalPath !== "a.txt") continue;
      rmSync(join(directory, "b"));
      writeFileSync(join(directory, "b"), "no link");
    }
    artifact.close();
    expect([...seen]).toEqual([["a.txt", "file"], ["b", "symlink"], ["c.txt", "file"]]);
  });

  // Files of sysfs declare a page and give less, as a file does that is shortened meanwhile.
  test.skipIf(!existsSync("/sys/kernel/profiling"))("whose files give less than they declare is read to its end", async () => {
    const found = await take("/sys/kernel", { limits: { maxEntries: 40 } });
    expect(found.graph.occurrences.length).toBeGreaterThan(20);
    expect(found.omissions.map(({ scope }) => scope)).not.toContain("Members of a damaged container.");
    expect(found.omissions.map(({ scope }) => scope)).toContain("Contents of damaged members.");
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

describe("a container inside a container", () => {
  test("whose bytes pass a bound is cut there and not called damaged", async () => {
    // Two members of a tar, read through a pax-free ustar of 512-byte records.
    const tar = Buffer.concat([tarMember("a", 1000), tarMember("b", 1000), Buffer.alloc(1024)]);
    const artifact = artifactOfBytes(streamedGzip(tar), "x.tar.gz");
    const { graph, omissions, anomalies } = await inventory(artifact, { limits: { maxEntryBytes: 2600 } });
    const status = Object.fromEntries(graph.occurrences.map((one) => [one.logical_path, one.hash_status]));
    expect(status["x.tar!/a"]).toBe("verified");
    expect(omissions.map(({ reason }) => reason)).toEqual(["limit_entry_bytes"]);
    expect(anomalies).toEqual([]);
  });

  test("stands in the graph with what holds it, at the same content wherever it lies", async () => {
    const tar = Buffer.concat([tarMember("a", 10), Buffer.alloc(1024)]);
    const directory = tree("nested", { "x.tar": tar, "x.tar.gz": gzipSync(tar) });
    const { graph } = await take(directory);
    const byPath = new Map(graph.occurrences.map((one) => [one.logical_path, one] as const));
    expect(byPath.get("x.tar.gz!/x.tar!/a")?.artifact_id).toBe(byPath.get("x.tar!/a")?.artifact_id);
    expect(byPath.get("x.tar.gz!/x.tar")?.artifact_id).toBe(byPath.get("x.tar")?.artifact_id);
    const relations = new Set(graph.edges.map(({ relation }) => relation));
    expect([...relations].sort()).toEqual(["contains", "extracts"]);
  });
});

/** A member of a ustar archive: header and content in blocks of 512 bytes (POSIX.1-1988). */
function tarMember(name: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, Buffer.alloc(Math.ceil(size / 512) * 512, "x")]);
}

/** A gzip whose trailer claims no size, so that only reading tells how large the content is. */
function streamedGzip(content: Uint8Array): Buffer {
  const packed = gzipSync(content);
  packed.writeUInt32LE(0, packed.length - 4);
  return packed;
}

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
