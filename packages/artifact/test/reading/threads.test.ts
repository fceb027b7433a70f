import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { isReaError, type ProgressUpdate } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { artifactOfBytes, discardExtraction, extract, inventory, members, openArtifact, type Inventory, type InventoryOptions } from "../../src/index.js";
import { buildAsar, fileNode } from "../asar/build-asar.js";
import { archiveSamples } from "../soak/archive-samples.js";
import { archive, member } from "../tar/build-tar.js";
import { buildZip } from "../zip/build-zip.js";

const numRuns = Number(process.env["REA_FUZZ_RUNS"] ?? "15");
const inventories = Number(process.env["REA_INVENTORIES"] ?? "20");
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "rea-threads-"));
  const tree = join(home, "tree");
  mkdirSync(tree);
  for (let directory = 0; directory < 6; directory += 1) {
    mkdirSync(join(tree, `d${String(directory)}`));
    for (let file = 0; file < 70; file += 1) writeFileSync(join(tree, `d${String(directory)}`, `f${String(file)}.txt`), contentOf(directory * 70 + file));
  }
  // Beyond what is read whole, and a container among the files.
  writeFileSync(join(tree, "large.bin"), Buffer.alloc(3_000_000, "large "));
  writeFileSync(join(tree, "inner.zip"), buildZip([{ name: "a.txt", content: contentOf(5) }]));
});

afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** 0 to 40 KB, different in every file. */
function contentOf(seed: number): Buffer {
  return Buffer.alloc((seed * 911) % 40_000, `content ${String(seed)} `);
}

function written(name: string, bytes: Uint8Array): string {
  const path = join(home, name);
  writeFileSync(path, bytes);
  return path;
}

async function look(path: string, options: InventoryOptions = {}): Promise<Inventory> {
  const artifact = openArtifact(path);
  try {
    return await inventory(artifact, { integrityPolicy: "record-and-continue", ...options });
  } finally {
    artifact.close();
  }
}

function zipOfMany(): Buffer {
  return buildZip(many.map(({ name, data }, index) => ({ name, content: data, method: index % 3 === 0 ? 0 : 8 })));
}

function asarOfMany(): Buffer {
  let at = 0;
  const files = many.map(({ name, data }) => {
    at += data.byteLength;
    return [name, fileNode(data.toString(), at - data.byteLength)] as const;
  });
  return buildAsar({ files: Object.fromEntries(files) }, Buffer.concat(many.map(({ data }) => data)));
}

const many = Array.from({ length: 300 }, (_, index) => ({ name: `m${String(index)}.txt`, data: contentOf(index) }));

/** Archives large enough for threads to be started. */
const archives: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ["of.tar", () => archive(...many.map(({ name, data }) => member({ name, data })))],
  ["cut.tar", () => archive(...many.map(({ name, data }) => member({ name, data }))).subarray(0, 4_500_000)],
  ["of.zip", () => zipOfMany()],
  ["wrong.zip", () => withWrongBytes(zipOfMany())],
  ["of.asar", asarOfMany],
];

function withWrongBytes(bytes: Buffer): Buffer {
  for (let at = 50_000; at < bytes.byteLength; at += 900_000) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
  return bytes;
}

const bounds: readonly InventoryOptions[] = [
  {},
  { limits: { maxEntries: 77 } },
  { limits: { maxTotalBytes: 1_000_000 } },
  { limits: { maxEntryBytes: 20_000 } },
];

describe("any number of threads finds the same", () => {
  test.each([["tree"], ...archives.map(([name]) => [name])])("in %s", async (name) => {
    const make = archives.find(([one]) => one === name)?.[1];
    const path = make === undefined ? join(home, name) : written(name, make());
    for (const options of bounds) {
      const alone = await look(path, { ...options, threads: 0 });
      for (const threads of [1, 4]) expect(await look(path, { ...options, threads })).toEqual(alone);
    }
  });

  test.each(archiveSamples())("in $title, read ahead from a file or not, whole and damaged", async ({ bytes, format }) => {
    const same = async (sample: Uint8Array): Promise<void> => {
      const path = written(`damaged.${format}`, sample);
      const ofFile = await look(path);
      expect(ofFile).toEqual(await inventory(artifactOfBytes(sample, `damaged.${format}`), { integrityPolicy: "record-and-continue" }));
    };
    await same(bytes);
    const place = fc.nat({ max: bytes.byteLength - 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(place, fc.integer({ min: 1, max: 255 })), { maxLength: 3 }), fc.option(place), async (changes, length) => {
        const changed = Buffer.from(bytes);
        for (const [at, flip] of changes) changed[at] = (changed[at] ?? 0) ^ flip;
        await same(length === null ? changed : changed.subarray(0, length));
      }),
      { numRuns },
    );
  });

  test("and extraction writes the same", async () => {
    const path = written("extracted.zip", zipOfMany());
    const found = await Promise.all(
      [0, 3].map(async (threads) => {
        const artifact = openArtifact(path);
        const extraction = await extract(artifact, { threads });
        artifact.close();
        await discardExtraction(extraction);
        return [extraction.extraction, extraction.artifacts, extraction.skipped];
      }),
    );
    expect(found[0]).toEqual(found[1]);
  });

  test("and members come in the same order", async () => {
    const order = async (threads: number): Promise<readonly string[]> => {
      const artifact = openArtifact(join(home, "tree"));
      const paths: string[] = [];
      for await (const { logicalPath } of members(artifact, { threads })) paths.push(logicalPath);
      return paths;
    };
    const alone = await order(0);
    expect(alone).toHaveLength(6 * 70 + 6 + 3);
    expect(await order(2)).toEqual(alone);
  });
});

describe("while a large file is hashed", () => {
  /** A hole, so that the disk does not matter. */
  function hole(bytes: number): string {
    const path = written("hole.bin", new Uint8Array(0));
    truncateSync(path, bytes);
    return path;
  }

  test("progress is told and others get their turn", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    const told: ProgressUpdate[] = [];
    const { manifest } = await look(hole(2_000_000_000), { progress: { report: (update) => told.push(update) } });
    clearInterval(timer);
    expect(manifest.root_sha256).toMatch(/^[0-9a-f]{64}$/u);
    expect(turns).toBeGreaterThan(3);
    expect(told.length).toBeGreaterThan(0);
    const completed = told.map((one) => one.completed);
    expect(completed).toEqual([...completed].sort((a, b) => a - b));
    expect(completed.some((bytes) => bytes > 0 && bytes < 2_000_000_000)).toBe(true);
  });

  test("a cancel is heard, and neither threads nor files stay open", async () => {
    const path = hole(4_000_000_000);
    const before = openThings();
    const stop = new AbortController();
    const error: unknown = await look(path, { signal: stop.signal, progress: { report: () => stop.abort() } }).catch((failure: unknown) => failure);
    expect(isReaError(error) && error.code).toBe("cancelled");
    expect(openThings()).toEqual(before);
  });
});

test("a cancel amid a tree that is read ahead leaves nothing open", async () => {
  const before = openThings();
  for (let after = 0; after < 60; after += 7) {
    const stop = new AbortController();
    const artifact = openArtifact(join(home, "tree"));
    let seen = 0;
    const going = async (): Promise<void> => {
      for await (const _ of members(artifact, { signal: stop.signal, threads: 2 })) {
        seen += 1;
        if (seen > after) stop.abort();
      }
    };
    const error: unknown = await going().catch((failure: unknown) => failure);
    expect(isReaError(error) && error.code).toBe("cancelled");
  }
  expect(openThings()).toEqual(before);
});

test("who takes only some of the members ends the walk", async () => {
  const before = openThings();
  const artifact = openArtifact(join(home, "tree"));
  for await (const { logicalPath } of members(artifact, { threads: 2 })) if (logicalPath === "d2") break;
  artifact.close();
  expect(openThings()).toEqual(before);
});

test("inventories one after another leave nothing behind", async () => {
  await look(join(home, "tree"), { threads: 2 });
  const before = openThings();
  const first = process.memoryUsage.rss();
  for (let count = 0; count < inventories; count += 1) await look(join(home, "tree"), { threads: 2 });
  expect(openThings()).toEqual(before);
  // Two hundred that each kept what they read would need two gigabytes.
  expect(process.memoryUsage.rss() - first).toBeLessThan(250_000_000);
});

/** Files of these tests that are open, and the number of threads; nothing where the host does not tell. */
function openThings(): { readonly files: readonly string[]; readonly threads: number } {
  if (process.platform !== "linux") return { files: [], threads: 0 };
  const files = readdirSync("/proc/self/fd").flatMap((handle) => {
    try {
      return [readlinkSync(`/proc/self/fd/${handle}`)];
    } catch {
      // The handle of the listing itself is closed by now.
      return [];
    }
  });
  return { files: files.filter((path) => path.startsWith(home)), threads: readdirSync("/proc/self/task").length };
}
