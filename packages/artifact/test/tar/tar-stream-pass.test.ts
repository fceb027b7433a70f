import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { memorySource } from "@rea/core";
import { expect, test, vi } from "vitest";
import { inventory, openArtifact } from "../../src/index.js";
import { ReadingPool } from "../../src/pool/reading-pool.js";
import { streamedThrough } from "../../src/reading/tar/streamed-through.js";
import { TarStreamPass } from "../../src/reading/tar/tar-stream-pass.js";
import { disagreement, type TarStretch } from "../../src/reading/tar/tar-stretch.js";
import { AheadTar } from "../../src/walk/ahead-tar.js";
import { sha256 } from "../sequential/collect-entries.js";
import { archive, gnuLong, member, pax } from "./build-tar.js";

const good = member({ name: "good", data: "content" });

async function seenOf(library: TarStreamPass, ...parts: readonly Uint8Array[]) {
  const chunks: Uint8Array[] = [];
  library.begin((chunk) => void chunks.push(chunk));
  for (const part of parts) await library.write(part);
  return { ...(await library.end()), content: Buffer.concat(chunks).toString() };
}

test("a member that the library does not end leaves the next one as it is", async () => {
  const library = await TarStreamPass.load();
  const bad = { longer: member({ name: "longer", size: 5000, data: "short" }), damaged: member({ name: "x", checksum: "bad" }), nothing: Buffer.alloc(512), name: gnuLong("L", "a name without a member") };
  const ends: (readonly [string, number, boolean])[] = [];
  for (const [name, bytes] of Object.entries(bad)) {
    const seen = await seenOf(library, bytes);
    ends.push([name, seen.entries, seen.isEnded]);
    expect(await seenOf(library, good)).toMatchObject({ entries: 1, name: "good", type: "file", sizeBytes: 7, isEnded: true, content: "content" });
  }
  expect(ends).toEqual([["longer", 1, false], ["damaged", 0, false], ["nothing", 0, false], ["name", 0, false]]);
  expect(await seenOf(library, Buffer.concat([good, good]))).toMatchObject({ entries: 2 });
  library.close();
  expect(await seenOf(library, good)).toMatchObject({ isEnded: false });
});

test("members come to the library in any pieces", async () => {
  const library = await TarStreamPass.load();
  for (const size of [1, 100, 511, 512, 513, 4096]) {
    const parts = Array.from({ length: Math.ceil(good.byteLength / size) }, (_, at) => good.subarray(at * size, (at + 1) * size));
    expect(await seenOf(library, ...parts)).toMatchObject({ entries: 1, isEnded: true, content: "content" });
  }
  library.close();
});

const expected = { name: "good", linkTarget: undefined, kind: "file", bytes: 7 };

test.each([
  ["another name", { name: "other" }],
  ["a member of another kind", { kind: "symlink", linkTarget: "x" }],
  ["another size", { bytes: 8 }],
] as const)("%s is told, and the content is ours all the same", async (what, other) => {
  const library = await TarStreamPass.load();
  const told: string[] = [];
  const stretch = stretchOf({ expected: { ...expected, ...other }, disagrees: (how) => void told.push(how) });
  const content = good.subarray(512, 519);
  const pieces: Uint8Array[] = [];
  for await (const piece of streamedThrough(library, stretch, { head: [good.subarray(0, 512)], pieces: [content] })) pieces.push(piece);
  library.close();
  expect(Buffer.concat(pieces).toString()).toBe("content");
  expect(told).toEqual([`sees ${what}`]);
});

test("a library that gives other memory than the content is not believed", async () => {
  const seen = { entries: 1, name: "good", type: "file", linkTarget: null, sizeBytes: 7, isEnded: true };
  expect(disagreement(expected, seen, true)).toBeUndefined();
  expect(disagreement(expected, seen, false)).toBe("gives other bytes as the content");
  const library = await TarStreamPass.load();
  const told: string[] = [];
  const stretch = stretchOf({ disagrees: (how) => void told.push(how) });
  // The head declares more than the pieces are: what follows as padding is taken for content.
  const head = member({ name: "good", size: 9 }).subarray(0, 512);
  for await (const piece of streamedThrough(library, stretch, { head: [head], pieces: [Buffer.from("content")] })) expect(Buffer.from(piece).toString()).toBe("content");
  library.close();
  expect(told).toEqual(["sees another size"]);
});

function stretchOf(own: Partial<TarStretch>): TarStretch {
  return { source: memorySource(good), start: 0, dataStart: 512, bytes: 7, end: 1024, expected, disagrees: () => undefined, ...own };
}

test("members that touch are joined with what the library saw by their order, and one that differs is no one else's matter", async () => {
  const signal = new AbortController().signal;
  const large = member({ name: "large", data: Buffer.alloc(5 * 1024 * 1024, "z") });
  const middle = member({ name: "middle", data: "m".repeat(20_000) });
  const parts = [good, middle, good, large, good];
  const source = memorySource(Buffer.concat(parts));
  for (const threads of [0, 1]) {
    for (const streamed of [false, true]) {
      const pool = new ReadingPool({ threads, signal });
      const tar = new AheadTar({ pool, signal, streamed });
      let start = 0;
      for (const [index, part] of parts.entries()) {
        const name = ["good", "middle", "other", "large", "good"][index] ?? "";
        const bytes = { middle: 20_000, large: 5 * 1024 * 1024 }[name] ?? 7;
        tar.add(index, stretchOf({ source, start, dataStart: start + 512, bytes, end: start + part.byteLength, expected: { name, linkTarget: undefined, kind: "file", bytes } }));
        start += part.byteLength;
      }
      const found: (readonly [number, string, number])[] = [];
      await Promise.all(
        tar.start({
          agreed: (index, { sha256: digest, head, tail, content }) => void found.push([index, digest, head.byteLength + (tail?.byteLength ?? 0) + (content === undefined ? 0 : 1_000_000)]),
          disagreed: (index, how) => void found.push([index, how, 0]),
        }),
      );
      await pool.close();
      expect([...found].sort(([a], [b]) => a - b)).toEqual([
        [0, sha256("content"), 1_000_007],
        [1, sha256("m".repeat(20_000)), streamed ? 1_020_000 : 10 * 1024],
        [2, "sees another name", 0],
        [3, sha256(Buffer.alloc(5 * 1024 * 1024, "z")), 10 * 1024],
        [4, sha256("content"), 1_000_007],
      ]);
    }
  }
});

test("every ordinary member of a file goes through the library in a thread's job, and every one of a compressed stream as it passes", async () => {
  const directory = mkdtempSync(join(tmpdir(), "rea-tar-"));
  const jobs = vi.spyOn(ReadingPool.prototype, "run");
  const begun = vi.spyOn(TarStreamPass.prototype, "begin");
  try {
    const bytes = archive(...Array.from({ length: 300 }, (_, index) => member({ name: `file-${String(index)}`, data: randomBytes(20_000 + index) })), member({ name: "link", typeflag: "2", link: "file-0" }), pax([["path", "a"], ["path", "b"]]), member({ data: "own" }));
    for (const [name, content] of [["a.tar", bytes], ["a.tar.gz", gzipSync(bytes)]] as const) {
      jobs.mockClear();
      begun.mockClear();
      writeFileSync(join(directory, name), content);
      const artifact = openArtifact(join(directory, name));
      const { graph, anomalies } = await inventory(artifact, { threads: 2 });
      artifact.close();
      expect(graph.occurrences.filter(({ entry_kind, hash_status }) => entry_kind === "file" && hash_status === "verified").length).toBe(name === "a.tar" ? 302 : 303);
      expect(anomalies.map(({ anomaly, detail }) => [anomaly, detail.includes("tar-stream")])).toEqual([["ambiguous_header", false]]);
      const streamed = jobs.mock.calls.reduce((sum, [job]) => sum + (job.kind === "tar" ? job.members.length / 3 : 0), 0);
      // What a thread begins is not seen here.
      if (name === "a.tar") expect(streamed).toBe(301);
      else expect(begun).toHaveBeenCalledTimes(301);
    }
  } finally {
    vi.restoreAllMocks();
    rmSync(directory, { recursive: true });
  }
});
