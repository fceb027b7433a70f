import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memorySource } from "@rea/core";
import { detectFormat } from "@rea/binary";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openHostFile } from "../../src/disk/host-file.js";
import { apfsFormat } from "../../src/formats/apfs/apfs-format.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { buildDecmpfs } from "../decmpfs/build-decmpfs.js";
import { buildDmg } from "../dmg/build-dmg.js";
import { kindsOf, readContainer, statesOf, type ReadContainer } from "../read-container.js";
import { hasProgram, mixedText, sha256 } from "../zip/programs.js";
import { buildApfs, type ApfsShape, type ApfsVolumeShape } from "./build-apfs.js";
import { extent, recordKey, type ApfsSample } from "./file-rows.js";

const text = mixedText(150_000);
const small = mixedText(1500);

function compressed(name: string, type: number, plain: Uint8Array): ApfsSample {
  const { attribute, fork } = buildDecmpfs(type, plain);
  return { path: [name], compression: attribute, ...(fork === undefined ? {} : { resource: fork }) };
}

const items: readonly ApfsSample[] = [
  { path: ["App"], folder: true },
  { path: ["App", "run"], data: "program", mode: 0o100755 },
  { path: ["App", "big"], data: text, extentBlocks: 3 },
  { path: ["App", "inner"], folder: true },
  { path: ["App", "inner", "Icon"], data: "icon", resource: Buffer.from("resource fork") },
  { path: ["App", "link"], link: "inner/Icon" },
  { path: ["App", "two"], same: ["App", "run"] },
  { path: ["sl/ash"], data: "slash" },
  { path: ["sparse"], data: "x".repeat(4096), hole: 9000 },
  { path: ["empty"], data: "" },
  { path: ["marked"], data: "m", attributes: ["com.apple.quarantine", "other"] },
  ...[3, 7, 11].map((type) => compressed(`inline ${String(type)}`, type, small)),
  ...[4, 8, 12].map((type) => compressed(`fork ${String(type)}`, type, text)),
];
const many: readonly ApfsSample[] = Array.from({ length: 300 }, (_, at) => ({ path: [`file ${String(at)}`], data: `content ${String(at)}` }));

const contentOf = ({ members }: ReadContainer, name: string): string | undefined => {
  const bytes = members.find((member) => member.name === name)?.bytes;
  return bytes === undefined ? undefined : sha256(bytes);
};
const one = (shape: Partial<ApfsVolumeShape> = {}): ApfsShape => ({ volumes: [{ name: "Vol", items, ...shape }] });

test.each([
  ["hashed names", one()],
  ["plain names", one({ plainNames: true })],
  ["a tree of several levels", one({ items: [...items, ...many] })],
  ["an older superblock in the first block", { ...one(), checkpoint: "stale" }],
  ["no superblock in the checkpoint area", { ...one(), checkpoint: "none" }],
] as const)("a volume with %s gives its files", async (_title, shape: ApfsShape) => {
  const bytes = buildApfs(shape);
  expect(detectFormat(memorySource(bytes)).format).toBe("apfs");
  const found = await readContainer(apfsFormat, bytes);
  expect(found.members.filter(({ state }) => state !== "ok" && state !== "none")).toEqual([]);
  expect([found.anomalies, found.omissions]).toEqual([[], []]);
  const kinds = new Map(found.members.map(({ name, entry }) => [name, entry.linkTarget === null ? entry.kind : `${entry.kind} ${Buffer.from(entry.linkTarget).toString()}`] as const));
  expect(["Vol", "Vol/App", "Vol/App/run", "Vol/App/link", "Vol/App/two", "Vol/sl:ash"].map((name) => kinds.get(name))).toEqual(["directory", "directory", "file", "symlink inner/Icon", "hardlink Vol/App/run", "file"]);
  expect(contentOf(found, "Vol/App/big")).toBe(sha256(text));
  expect(contentOf(found, "Vol/sparse")).toBe(sha256(Buffer.concat([Buffer.from("x".repeat(4096)), Buffer.alloc(9000)])));
  expect(contentOf(found, "Vol/App/inner/Icon:rsrc")).toBe(sha256(Buffer.from("resource fork")));
  for (const type of [3, 7, 11]) expect(contentOf(found, `Vol/inline ${String(type)}`)).toBe(sha256(small));
  for (const type of [4, 8, 12]) expect(contentOf(found, `Vol/fork ${String(type)}`)).toBe(sha256(text));
  if (shape.volumes[0]?.items.length !== items.length) expect(contentOf(found, "Vol/file 299")).toBe(sha256(Buffer.from("content 299")));
  expect(found.members.find(({ name }) => name === "Vol/marked")?.entry.limitations).toEqual(["2 extended attributes of the file are not read."]);
});

interface Quirk {
  readonly title: string;
  readonly shape: ApfsShape;
  readonly states: readonly string[];
  readonly kinds?: readonly string[];
  readonly omissions?: readonly string[];
}

const plain: readonly ApfsSample[] = [
  { path: ["a"], data: "a" },
  { path: ["b"], data: "b" },
];
const volume = (shape: Partial<ApfsVolumeShape> = {}, more: Partial<ApfsShape> = {}): ApfsShape => ({ volumes: [{ name: "V", items: plain, ...shape }], ...more });
const bothOk = ["V=none", "V/a=ok", "V/b=ok"];
const loop: readonly ApfsSample[] = [
  { path: ["d"], folder: true },
  { path: ["d", "x"], data: "x" },
];

const quirks: readonly Quirk[] = [
  { title: "an encrypted volume", shape: volume({ encrypted: true }), states: ["V=encrypted"] },
  { title: "a sealed volume", shape: volume({ sealed: true }), states: ["V=unsupported_method"] },
  { title: "snapshots", shape: volume({ snapshots: 3 }), states: bothOk, omissions: ["not_examined"] },
  { title: "two volumes of one name", shape: { volumes: [{ name: "V", items: plain }, { name: "V", items: plain }] }, states: [...bothOk, "V (volume 1)=none", "V (volume 1)/a=ok", "V (volume 1)/b=ok"] },
  { title: "a volume without a name", shape: volume({ name: "", items: [] }), states: ["volume 0=none"] },
  { title: "a volume whose name has a slash", shape: volume({ name: "a/b", items: [] }), states: ["a:b=none"] },
  { title: "extents under another id, as clones have them", shape: volume({ items: [{ path: ["a"], data: "cloned", isClone: true }] }), states: ["V=none", "V/a=ok"] },
  { title: "a compressed file with bytes of its own", shape: volume({ items: [{ path: ["a"], data: "hidden", compression: buildDecmpfs(3, small).attribute, both: true }] }), states: ["V=none", "V/a=ok"], kinds: ["ambiguous_header"] },
  { title: "more files than directories name", shape: volume({ declaredFiles: 9 }), states: bothOk, kinds: ["entry_count_mismatch"] },
  { title: "a superblock whose checksum does not hold", shape: volume({}, { checkpoint: "none", spoil: "superblock" }), states: bothOk, kinds: ["bad_checksum_header"] },
  { title: "a checkpoint whose checksum does not hold", shape: volume({}, { spoil: "checkpoint" }), states: bothOk },
  ...["map", "map tree", "volume", "root"].map((spoil): Quirk => ({ title: `a wrong checksum of the ${spoil}`, shape: volume({}, { spoil }), states: bothOk, kinds: ["bad_checksum_header"] })),
  { title: "an extent outside the container", shape: volume({ rows: (rows) => replace(rows, extent(16, 0, 4096, 1 << 30)) }), states: ["V=none", "V/a=malformed", "V/b=ok"] },
  { title: "an extent beyond 2⁵³", shape: volume({ rows: (rows) => replace(rows, extent(16, 0, 2 ** 54, 9)) }), states: ["V=none", "V/a=malformed", "V/b=ok"], omissions: ["malformed"] },
  { title: "a size beyond the extents", shape: volume({ items: [{ path: ["a"], data: "a", size: 99_999 }, { path: ["b"], data: "b" }] }), states: ["V=none", "V/a=malformed", "V/b=ok"] },
  { title: "an inode that is missing", shape: volume({ rows: (rows) => remove(rows, recordKey(16, 3)) }), states: ["V=none", "V/a=malformed", "V/b=ok"] },
  { title: "an inode that is cut short", shape: volume({ rows: (rows) => replace(rows, { key: recordKey(16, 3), value: Buffer.alloc(20) }) }), states: ["V=none", "V/a=malformed", "V/b=ok"], omissions: ["malformed"] },
  { title: "a directory that lies in itself", shape: volume({ items: loop, rows: (rows) => pointName(rows, "d\0", 2) }), states: ["V=none", "V/d=none"], kinds: ["entry_count_mismatch", "link_cycle"] },
  { title: "a map that leads outside", shape: volume({}, { block: (block, what) => (what === "map" ? block.writeBigUInt64LE(1n << 40n, 48) : undefined) }), states: [], omissions: ["malformed"] },
  { title: "a map that leads beyond 2⁵³", shape: volume({}, { block: (block, what) => (what === "map" ? block.writeBigUInt64LE(1n << 60n, 48) : undefined) }), states: [], omissions: ["malformed"] },
  { title: "a root with more records than room", shape: volume({}, { block: (block, what) => (what === "root" ? block.writeUInt32LE(0xffffffff, 36) : undefined) }), states: ["V=none"], kinds: ["entry_count_mismatch"], omissions: ["malformed"] },
  { title: "a root whose records lie outside", shape: volume({}, { block: (block, what) => (what === "root" ? block.writeUInt16LE(0xfff0, 42) : undefined) }), states: ["V=none"], kinds: ["entry_count_mismatch"], omissions: ["malformed"] },
  { title: "a root that says it is above the leaves", shape: volume({}, { block: (block, what) => (what === "root" ? block.writeUInt16LE(0, 32) : undefined) }), states: ["V=none"], kinds: ["entry_count_mismatch"], omissions: ["malformed"] },
  { title: "a block size that is none", shape: volume({}, { block: (block, what) => (what === "superblock" ? block.writeUInt32LE(5000, 36) : undefined) }), states: [], omissions: ["malformed"] },
  { title: "a volume that is none", shape: volume({}, { block: (block, what) => (what === "volume" ? block.write("NONE", 32) : undefined) }), states: [] },
];

type Rows = Parameters<NonNullable<ApfsVolumeShape["rows"]>>[0];

function replace(rows: Rows, row: Rows[number]): void {
  const at = rows.findIndex(({ key }) => key.equals(row.key));
  if (at >= 0) rows[at] = row;
}

function remove(rows: Rows, key: Buffer): void {
  rows.splice(rows.findIndex((row) => row.key.equals(key)), 1);
}

/** Lets a name of a directory lead to another id. */
function pointName(rows: Rows, name: string, id: number): void {
  rows.find(({ key }) => key.subarray(12).toString() === name)?.value.writeBigUInt64LE(BigInt(id), 0);
}

test.each(quirks)("$title", async ({ shape, states, kinds = [], omissions = [] }) => {
  const found = await readContainer(apfsFormat, buildApfs(shape));
  expect(statesOf(found)).toEqual(states);
  expect(kindsOf(found)).toEqual(kinds);
  expect([...new Set(found.omissions.map(({ reason }) => reason))]).toEqual(omissions);
});

test("a container in an image is opened down to its files", async () => {
  const dmg = buildDmg({ tables: [{ name: "disk image (Apple_APFS : 4)", chunks: [{ kind: "lzfse", plain: buildApfs(one({ items: items.slice(0, 4) })) }] }] });
  const { graph, anomalies, omissions } = await inventory(artifactOfBytes(dmg, "App.dmg"));
  expect(graph.occurrences.find(({ logical_path }) => logical_path === "disk image (Apple_APFS : 4)!/Vol/App/run")?.hash_status).toBe("verified");
  expect([anomalies, omissions]).toEqual([[], []]);
});

const sample = buildApfs(one({ items: [...items.filter(({ path }) => path.at(-1) !== "big" && !String(path[0]).startsWith("fork")), ...many.slice(0, 60)] }));

test("a container cut at any block is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 2048) {
    const found = await readContainer(apfsFormat, sample.subarray(0, length));
    const isTold = found.omissions.length + found.anomalies.length > 0 || found.members.some(({ state }) => state !== "ok" && state !== "none");
    expect(isTold, `cut at ${String(length)}`).toBe(true);
  }
});

test("flipped bytes of the trees are read to an end and told", async () => {
  const trees = Array.from({ length: sample.byteLength / 4096 }, (_, block) => block * 4096).filter((at) => [0x0b, 0x0e].includes(sample.readUInt32LE(at + 28)));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...trees), fc.integer({ min: 32, max: 4095 }), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }), async (flips) => {
      const bytes = Buffer.from(sample);
      for (const [block, at, mask] of flips) bytes[block + at] = (bytes[block + at] ?? 0) ^ mask;
      const found = await readContainer(apfsFormat, bytes, { maximum: 1 << 20 });
      expect(found.members.length).toBeLessThan(1000);
      if (!bytes.equals(sample)) expect(found.anomalies.length + found.omissions.length).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
});

test("bytes flipped anywhere never crash the reader", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 30 }), async (changes) => {
      const bytes = Buffer.from(sample);
      for (const [at, value] of changes) bytes[at] = value;
      await readContainer(apfsFormat, bytes, { maximum: 1 << 20 });
    }),
    { numRuns: 60 },
  );
});

async function inDirectory(work: (directory: string) => Promise<void> | void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "rea-apfs-"));
  try {
    await work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

// 7z does not decode files that LZFSE compressed.
const judged = items.filter(({ path }) => !/ 1[12]$/.test(String(path.at(-1))));

test.skipIf(!hasProgram("7z"))("7z extracts the same files from a container of ours", async () => {
  await inDirectory(async (directory) => {
    const bytes = buildApfs(one({ items: [...judged, ...many] }));
    writeFileSync(join(directory, "made.apfs"), bytes);
    execFileSync("7z", ["x", "-tapfs", "-y", "-oout", "made.apfs", "-x!App/link"], { cwd: directory, stdio: "pipe" });
    const found = await readContainer(apfsFormat, bytes);
    // 7z takes a hole for the first block of the container.
    const compared = found.members.filter(({ entry, name }) => entry.kind === "file" && !name.includes(":") && name !== "Vol/sparse");
    for (const { name, bytes: content } of compared) expect(sha256(readFileSync(join(directory, "out", name.slice(4)))), name).toBe(sha256(content ?? Buffer.alloc(0)));
    expect(compared).toHaveLength(309);
  });
});

test.skipIf(!hasProgram("fsapfsinfo"))("libfsapfs sees the same hierarchy in a container of ours", async () => {
  await inDirectory(async (directory) => {
    const bytes = buildApfs(one({ items: judged }));
    writeFileSync(join(directory, "made.apfs"), bytes);
    const lines = execFileSync("fsapfsinfo", ["-H", "made.apfs"], { cwd: directory, encoding: "utf8" }).split("\n");
    const theirs = lines.flatMap((line) => /^\/\{[^}]*\}\/(.+)$/.exec(line)?.[1] ?? []);
    const ours = (await readContainer(apfsFormat, bytes)).members.slice(1).map(({ name }) => name.slice(4));
    // It shows a slash in a name as it is, and resource forks not at all.
    expect(ours.filter((name) => !name.endsWith(":rsrc")).map((name) => name.replace("sl:ash", "sl/ash"))).toEqual(theirs);
  });
});

test.skipIf(!hasProgram("mkapfs"))("an empty container that mkapfs made is one volume without files", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "made.apfs");
    writeFileSync(path, "");
    truncateSync(path, 600 * 1024 * 1024);
    const made = spawnSync("mkapfs", ["-L", "Made", path], { encoding: "utf8" });
    expect(made.status, made.stderr).toBe(0);
    const file = openHostFile(path);
    try {
      const found = await readContainer(apfsFormat, file);
      expect(statesOf(found)).toEqual(["Made=none"]);
      expect([found.anomalies, found.omissions]).toEqual([[], []]);
    } finally {
      file.close();
    }
  });
});
