import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dmgFormat } from "../../src/formats/dmg/dmg-format.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { hasProgram, mixedText, sha256 } from "../zip/programs.js";
import { buildDmg, type ChunkShape, type DmgShape } from "./build-dmg.js";

const sector = (text: string, count = 1): Buffer => Buffer.alloc(512 * count, text);
const text = mixedText(512 * 60);
const program = (name: string, plain: Uint8Array): Buffer => execFileSync(name, ["-c"], { input: plain, maxBuffer: 1 << 26 });

/** One chunk of each kind that needs no program. */
const ownKinds: readonly ChunkShape[] = [
  { kind: "raw", plain: sector("raw") },
  { kind: "zero", sectors: 3 },
  { kind: "adc", plain: text.subarray(0, 512 * 40) },
  { kind: "comment" },
  { kind: "zlib", plain: text },
  { kind: "ignore", sectors: 2 },
  { kind: "lzfse", plain: Buffer.concat([text, text]) },
];
const ownPlain = Buffer.concat([sector("raw"), Buffer.alloc(3 * 512), text.subarray(0, 512 * 40), text, Buffer.alloc(1024), text, text]);
const name = "disk image (Apple_HFS : 1)";

test("a volume is the plain form of its chunks, whatever kind each has", async () => {
  const found = await readContainer(dmgFormat, buildDmg({ tables: [{ chunks: ownKinds }] }));
  expect(statesOf(found)).toEqual([`${name}=ok`]);
  expect(found.members[0]?.bytes?.equals(ownPlain)).toBe(true);
  expect([found.anomalies, found.omissions]).toEqual([[], []]);
});

test.skipIf(!hasProgram("bzip2") || !hasProgram("xz"))("chunks that bzip2 and xz compressed are read", async () => {
  const chunks: ChunkShape[] = [
    { kind: "bzip2", plain: text, stored: program("bzip2", text) },
    { kind: "lzma", plain: text, stored: program("xz", text) },
  ];
  const found = await readContainer(dmgFormat, buildDmg({ tables: [{ chunks }] }));
  expect(found.members[0]?.bytes?.equals(Buffer.concat([text, text]))).toBe(true);
  expect([statesOf(found), found.anomalies]).toEqual([[`${name}=ok`], []]);
});

interface Quirk {
  readonly title: string;
  readonly shape: DmgShape;
  readonly states: readonly string[];
  readonly kinds?: readonly string[];
  readonly omissions?: readonly string[];
}

const two: DmgShape["tables"] = [
  { name: "a", chunks: [{ kind: "raw", plain: sector("a") }] },
  { name: "b", chunks: [{ kind: "zlib", plain: sector("b", 9) }] },
];
const one = (...chunks: ChunkShape[]): DmgShape => ({ tables: [{ name: "a", chunks }] });
const raw = (letter: string): ChunkShape => ({ kind: "raw", plain: sector(letter) });

const quirks: readonly Quirk[] = [
  { title: "trailer at the end", shape: { tables: two }, states: ["a=ok", "b=ok"] },
  { title: "trailer at the start", shape: { tables: two, trailerAt: "start" }, states: ["a=ok", "b=ok"] },
  { title: "a trailer at both ends", shape: { tables: two, trailerAt: "both" }, states: ["a=ok", "b=ok"], kinds: ["multiple_end_records"] },
  { title: "tables in a resource fork", shape: { tables: two, list: "fork" }, states: ["a=ok", "b=ok"] },
  { title: "a licence resource", shape: { tables: two, licence: true }, states: ["a=ok", "b=ok"] },
  { title: "a wrong CRC-32 of the data fork", shape: { tables: two, dataCrc: 1 }, states: ["a=ok", "b=ok"], kinds: ["crc_mismatch"] },
  { title: "a wrong master CRC-32", shape: { tables: two, masterCrc: 1 }, states: ["a=ok", "b=ok"], kinds: ["crc_mismatch"] },
  { title: "a wrong CRC-32 of a table", shape: { tables: [{ name: "a", chunks: [raw("a")], crc: 1 }] }, states: ["a=measured"] },
  { title: "a checksum of an unknown kind", shape: { tables: [{ name: "a", chunks: [raw("a")], crc: 1, checksumKind: 77 }] }, states: ["a=ok"] },
  { title: "no checksum", shape: { tables: [{ name: "a", chunks: [raw("a")], checksumKind: 0 }] }, states: ["a=ok"] },
  { title: "a chunk of an unknown kind", shape: one({ kind: 0x80000009, sectors: 1, stored: Buffer.from("x") }), states: ["a=unsupported_method"] },
  { title: "a chunk of a nonsense kind", shape: one({ kind: 0x12345678, sectors: 1 }), states: ["a=unsupported_method"] },
  { title: "a chunk that gives more than its sectors", shape: one({ kind: "zlib", plain: sector("x", 3), sectors: 1 }), states: ["a=broken"] },
  { title: "a chunk that gives less than its sectors", shape: one({ kind: "zlib", plain: sector("x", 1), sectors: 3 }), states: ["a=broken"] },
  { title: "a raw chunk shorter than its sectors", shape: one({ kind: "raw", plain: sector("x", 1), sectors: 3 }), states: ["a=broken"] },
  { title: "a chunk past the end of the data fork", shape: one({ kind: "raw", plain: sector("x"), offset: 1_000_000 }), states: ["a=broken"], kinds: ["gap"] },
  { title: "a chunk at an offset of 2⁶³", shape: one({ kind: "raw", plain: sector("x"), offset: 2 ** 63 }), states: ["a=broken"], kinds: ["gap"] },
  { title: "damaged zlib data", shape: one({ kind: "zlib", plain: sector("x"), stored: Buffer.from("no zlib data") }), states: ["a=broken"] },
  { title: "two chunks for the same sectors", shape: one(raw("a"), { ...raw("b"), sector: 0 }), states: ["a=broken"], kinds: ["overlap"] },
  { title: "chunks out of order", shape: { tables: [{ name: "a", chunks: [{ ...raw("b"), sector: 1 }, { ...raw("a"), sector: 0 }], sectors: 2, checksumKind: 0 }] }, states: ["a=ok"], kinds: ["unordered_offsets"] },
  { title: "sectors that no chunk has", shape: { tables: [{ name: "a", chunks: [raw("a"), { ...raw("b"), sector: 3 }], checksumKind: 0 }] }, states: ["a=ok"], kinds: ["gap"] },
  { title: "a table that declares more sectors than its chunks have", shape: { tables: [{ name: "a", chunks: [raw("a")], sectors: 9 }] }, states: ["a=size"] },
  { title: "a table without its last chunk", shape: { tables: [{ name: "a", chunks: [raw("a")], open: true }] }, states: ["a=ok"], kinds: ["missing_end_marker"] },
  { title: "chunks behind the last one", shape: { tables: [{ name: "a", chunks: [raw("a")], behindEnd: [raw("b")], sectors: 1, checksumKind: 0 }] }, states: ["a=ok"], kinds: ["gap", "trailing_data"] },
  { title: "a table that declares more chunks than it has", shape: { tables: [{ name: "a", chunks: [raw("a")], declaredChunks: 4_000_000_000 }] }, states: ["a=ok"], kinds: ["entry_count_mismatch"] },
  { title: "two chunks that share stored bytes", shape: { tables: [{ name: "a", chunks: [{ kind: "raw", plain: sector("a", 2) }, { kind: "raw", plain: sector("a"), offset: 512, stored: Buffer.alloc(0), length: 512, sectors: 1 }] }] }, states: ["a=ok"], kinds: ["overlap"] },
  { title: "bytes that no chunk has", shape: { tables: two, gap: Buffer.from("hidden") }, states: ["a=ok", "b=ok"], kinds: ["gap"] },
  { title: "a trailer with another number of sectors", shape: { tables: two, trailer: (trailer) => trailer.writeBigUInt64BE(5n, 492) }, states: ["a=ok", "b=ok"], kinds: ["header_size_mismatch"] },
  { title: "one segment of several", shape: { tables: two, segments: 3 }, states: ["a=ok", "b=ok"], omissions: ["missing_companion"] },
  { title: "a data fork past the end", shape: { tables: two, trailer: (trailer) => trailer.writeBigUInt64BE(1n << 40n, 32) }, states: ["a=ok", "b=ok"], omissions: ["malformed"] },
  { title: "a list past the end", shape: { tables: two, trailer: (trailer) => trailer.writeBigUInt64BE(1n << 40n, 224) }, states: [], kinds: ["crc_mismatch", "gap"], omissions: ["malformed"] },
  { title: "a list that breaks off", shape: { tables: two, xml: (xml) => xml.slice(0, -80) }, states: ["a=ok"], kinds: ["crc_mismatch", "gap", "header_size_mismatch"], omissions: ["malformed"] },
  { title: "a table without its magic", shape: { tables: [{ name: "a", chunks: [raw("a")], bytes: (table) => table.fill(0, 0, 4) }] }, states: [], kinds: ["crc_mismatch", "gap"], omissions: ["malformed"] },
  { title: "a table cut short", shape: { tables: [{ name: "a", chunks: [raw("a")], bytes: (table) => table.subarray(0, 100) }] }, states: [], kinds: ["crc_mismatch", "gap"], omissions: ["malformed"] },
  { title: "a volume without a name, and one with a slash in it", shape: { tables: [{ name: "", chunks: [raw("a")] }, { name: "a/b", chunks: [raw("a")] }] }, states: ["volume 0=ok", "a:b=ok"] },
  { title: "no tables", shape: { tables: [] }, states: [] },
];

test.each(quirks)("$title", async ({ shape, states, kinds = [], omissions = [] }) => {
  const found = await readContainer(dmgFormat, buildDmg(shape));
  expect(statesOf(found)).toEqual(states);
  expect(kindsOf(found)).toEqual(kinds);
  expect([...new Set(found.omissions.map(({ reason }) => reason))]).toEqual(omissions);
});

test.each([
  ["at the start", Buffer.concat([Buffer.from("encrcdsa"), Buffer.alloc(1000, 1)])],
  ["at the end", Buffer.concat([Buffer.alloc(1000, 1), Buffer.from("cdsaencr")])],
])("an encrypted image that says so %s is named, not opened", async (_title, bytes) => {
  const { graph, omissions } = await inventory(artifactOfBytes(bytes, "secret.dmg"));
  expect(graph.occurrences.map(({ logical_path, encrypted, hash_status }) => [logical_path, encrypted, hash_status])).toContainEqual(["encrypted image", true, "unavailable"]);
  expect(omissions.map(({ reason }) => reason)).toEqual(["encrypted"]);
});

test("a hole of terabytes is bounded by the walk, not by memory", async () => {
  const bytes = buildDmg(one({ kind: "ignore", sectors: 2 ** 33 }));
  const { omissions } = await inventory(artifactOfBytes(bytes, "huge.dmg"));
  expect(omissions.map(({ reason }) => reason)).toEqual(["limit_entry_bytes"]);
});

const sample = buildDmg({ tables: [{ name: "a", chunks: ownKinds.map((chunk) => ({ ...chunk, ...(chunk.plain === undefined ? {} : { plain: chunk.plain.subarray(0, 1024) }) })) }] });

test("an image cut at any byte is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 7) {
    const found = await readContainer(dmgFormat, sample.subarray(0, length));
    expect(found.omissions.length, `cut at ${String(length)}`).toBeGreaterThan(0);
  }
});

test("flipped bytes are read to an end, and never pass for the true volume unseen", async () => {
  const whole = await readContainer(dmgFormat, sample);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }), async (flips) => {
      const bytes = Buffer.from(sample);
      for (const [at, mask] of flips) bytes[at] = (bytes[at] ?? 0) ^ mask;
      const found = await readContainer(dmgFormat, bytes);
      const isSilent = found.anomalies.length + found.omissions.length === 0 && found.members.every(({ state, entry }) => state === "ok" && entry.limitations.length === 0 && entry.checks.length > 1);
      if (isSilent) expect(found.members[0]?.bytes?.equals(whole.members[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test.skipIf(!hasProgram("7z"))("7z finds an image of ours sound and extracts the same volume", async () => {
  const bytes = buildDmg({ tables: [{ name: "whole", chunks: ownKinds }] });
  const directory = mkdtempSync(join(tmpdir(), "rea-dmg-"));
  try {
    writeFileSync(join(directory, "made.dmg"), bytes);
    execFileSync("7z", ["t", "-tdmg", "made.dmg"], { cwd: directory, stdio: "pipe" });
    const extracted = execFileSync("7z", ["x", "-tdmg", "-so", "made.dmg"], { cwd: directory, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 });
    expect(sha256(extracted)).toBe(sha256(ownPlain));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test.skipIf(!hasProgram("dmg2img"))("dmg2img makes the same disk of an image of ours", async () => {
  // dmg2img knows no LZFSE.
  const chunks = ownKinds.filter(({ kind }) => kind !== "lzfse");
  const bytes = buildDmg({ tables: [{ name: "whole (Apple_HFS : 1)", chunks }] });
  const directory = mkdtempSync(join(tmpdir(), "rea-dmg-"));
  try {
    writeFileSync(join(directory, "made.dmg"), bytes);
    execFileSync("dmg2img", ["-s", "made.dmg", "made.img"], { cwd: directory, stdio: "pipe" });
    const [volume] = (await readContainer(dmgFormat, bytes)).members;
    expect(sha256(readFileSync(join(directory, "made.img")))).toBe(sha256(volume?.bytes ?? Buffer.alloc(0)));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
