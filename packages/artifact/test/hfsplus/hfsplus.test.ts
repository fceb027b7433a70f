import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hfsPlusFormat } from "../../src/formats/hfsplus/hfsplus-format.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { buildDecmpfs } from "../decmpfs/build-decmpfs.js";
import { buildDmg } from "../dmg/build-dmg.js";
import { kindsOf, readContainer, statesOf, type ReadContainer } from "../read-container.js";
import { hasProgram, mixedText, runIn, sha256, smallTree } from "../zip/programs.js";
import { buildHfsPlus, type HfsSample, type HfsShape } from "./build-hfsplus.js";

const text = mixedText(150_000);
const small = mixedText(3000);

function compressed(name: string, type: number, plain: Uint8Array): HfsSample {
  const { attribute, fork } = buildDecmpfs(type, plain);
  return { path: [name], compression: attribute, ...(fork === undefined ? {} : { resource: fork }) };
}

const items: readonly HfsSample[] = [
  { path: ["App"], folder: true },
  { path: ["App", "run"], data: "program", mode: 0o100755 },
  { path: ["App", "scattered"], data: text, fragments: 30 },
  { path: ["App", "inner"], folder: true },
  { path: ["App", "inner", "Icon"], data: "", resource: Buffer.from("resource fork") },
  { path: ["App", "link"], link: "inner/Icon" },
  { path: ["App", "one"], data: "shared", inode: 99 },
  { path: ["App", "two"], inode: 99 },
  { path: ["sl/ash"], data: "slash" },
  { path: ["u\u0308"], data: "umlaut", attributes: ["com.apple.quarantine", "other"] },
  ...[3, 7, 11].map((type) => compressed(`inline ${String(type)}`, type, small)),
  ...[4, 8, 12].map((type) => compressed(`fork ${String(type)}`, type, text)),
];

const contentOf = ({ members }: ReadContainer, name: string): string | undefined => {
  const bytes = members.find((member) => member.name === name)?.bytes;
  return bytes === undefined ? undefined : sha256(bytes);
};

test.each([
  ["an HFS+ volume", { items }],
  ["a case-sensitive volume", { items, signature: "HX" }],
  ["a volume in an HFS wrapper", { items, wrapped: true }],
  ["a volume of small nodes", { items, nodeBytes: 1024 }],
] as const)("%s gives its files in the catalog's order", async (_title, shape: HfsShape) => {
  const small512 = shape.nodeBytes === 1024 ? items.filter(({ compression }) => compression === undefined || compression.byteLength < 300) : items;
  const found = await readContainer(hfsPlusFormat, buildHfsPlus({ ...shape, items: small512 }));
  expect(found.members.filter(({ state }) => state !== "ok" && state !== "none")).toEqual([]);
  expect([found.anomalies, found.omissions]).toEqual([[], []]);
  const kinds = new Map(found.members.map(({ name, entry }) => [name, entry.linkTarget === null ? entry.kind : `${entry.kind} ${Buffer.from(entry.linkTarget).toString()}`] as const));
  expect([kinds.get("App"), kinds.get("App/link"), kinds.get("App/one"), kinds.get("App/two"), kinds.get("sl:ash")]).toEqual(["directory", "symlink inner/Icon", "file", "hardlink App/one", "file"]);
  expect(contentOf(found, "App/scattered")).toBe(sha256(text));
  expect(contentOf(found, "App/one")).toBe(sha256(Buffer.from("shared")));
  expect(contentOf(found, "App/inner/Icon:rsrc")).toBe(sha256(Buffer.from("resource fork")));
  expect(found.members.find(({ name }) => name === "u\u0308")?.entry.limitations).toEqual(["2 extended attributes of the file are not read."]);
});

test.each([3, 4, 7, 8, 11, 12])("a file compressed by type %i gives its plain content", async (type) => {
  const plain = type % 2 === 0 ? text : small;
  const found = await readContainer(hfsPlusFormat, buildHfsPlus({ items: [compressed("a", type, plain)] }));
  expect(statesOf(found)).toEqual(["a=ok"]);
  expect(contentOf(found, "a")).toBe(sha256(plain));
});

test("blocks that did not get smaller are stored", async () => {
  const noise = Buffer.from(Array.from({ length: 2000 }, (_, at) => ((at * at * 2654435761) >>> 11) & 0xff));
  for (const type of [3, 4, 7, 8]) {
    const found = await readContainer(hfsPlusFormat, buildHfsPlus({ items: [compressed("a", type, noise)] }));
    expect([statesOf(found), contentOf(found, "a")]).toEqual([["a=ok"], sha256(noise)]);
  }
});

interface Quirk {
  readonly title: string;
  readonly shape: HfsShape;
  readonly states: readonly string[];
  readonly kinds?: readonly string[];
  readonly omissions?: readonly string[];
}

const plain: readonly HfsSample[] = [
  { path: ["a"], data: "a" },
  { path: ["b"], data: "b" },
];
const damaged = (record: (bytes: Buffer) => void): HfsShape => ({ items: [{ path: ["a"], data: "a", record }, { path: ["b"], data: "b" }] });
const wrongDecmpfs = (change: (attribute: Buffer) => void, type = 3, size?: number): HfsShape => {
  const { attribute, fork } = buildDecmpfs(type, small, size === undefined ? {} : { size });
  change(attribute);
  return { items: [{ path: ["a"], compression: attribute, ...(fork === undefined ? {} : { resource: fork }) }] };
};

const quirks: readonly Quirk[] = [
  { title: "a fork outside the volume", shape: damaged((record) => record.writeUInt32BE(0x7fffffff, 104)), states: ["a=malformed", "b=ok"] },
  { title: "a size beyond the extents", shape: damaged((record) => record.writeBigUInt64BE(1n << 40n, 88)), states: ["a=malformed", "b=ok"] },
  { title: "a size beyond 2⁵³", shape: damaged((record) => record.writeBigUInt64BE(1n << 60n, 88)), states: ["a=malformed", "b=ok"] },
  { title: "two files in the same blocks", shape: damaged((record) => record.writeUInt32BE(4, 104)), states: ["a=ok", "b=ok"], kinds: ["overlap"] },
  { title: "a device", shape: damaged((record) => record.writeUInt16BE(0o020644, 42)), states: ["a=none", "b=ok"] },
  { title: "a file that is marked as compressed and is not", shape: damaged((record) => record.writeUInt8(0x20, 41)), states: ["a=ok", "b=ok"] },
  { title: "a hard link to nothing", shape: damaged((record) => record.write("hlnkhfs+", 48, "latin1")), states: ["a=malformed", "b=ok"] },
  { title: "a hard link to a folder", shape: damaged((record) => record.write("fdrpMACS", 48, "latin1")), states: ["a=none", "b=ok"] },
  { title: "compression of an unknown type", shape: wrongDecmpfs((attribute) => attribute.writeUInt32LE(14, 4)), states: ["a=unsupported_method"] },
  { title: "compression without its magic", shape: wrongDecmpfs((attribute) => attribute.write("none")), states: ["a=ok"] },
  { title: "compression with another size", shape: wrongDecmpfs(() => undefined, 3, 2999), states: ["a=broken"] },
  { title: "compression that gives less", shape: wrongDecmpfs(() => undefined, 3, 4000), states: ["a=size"] },
  { title: "a compressed fork that is too short", shape: wrongDecmpfs(() => undefined, 4, 1 << 20), states: ["a=broken"] },
  { title: "LZVN that gives more than its size", shape: wrongDecmpfs(() => undefined, 7, 100), states: ["a=broken"] },
  { title: "compression and a data fork as well", shape: { items: [{ path: ["a"], data: "hidden", compression: buildDecmpfs(3, small).attribute }] }, states: ["a=ok"], kinds: ["ambiguous_header"] },
  { title: "compression by a fork that is missing", shape: wrongDecmpfs((attribute) => attribute.writeUInt32LE(8, 4)), states: ["a=malformed"] },
  { title: "another number of files in the header", shape: { items: plain, header: (header) => header.writeUInt32BE(9, 32) }, states: ["a=ok", "b=ok"], kinds: ["entry_count_mismatch"] },
  { title: "a block size that is none", shape: { items: plain, header: (header) => header.writeUInt32BE(1000, 40) }, states: [], omissions: ["malformed"] },
  { title: "a catalog outside the volume", shape: { items: plain, header: (header) => header.writeUInt32BE(0x7fffffff, 288) }, states: [], omissions: ["malformed"] },
  { title: "a catalog without its header", shape: { items: plain, catalog: (catalog) => void catalog.fill(0, 0, 20) }, states: [], omissions: ["malformed"] },
  { title: "leaves that come back", shape: { items: plain, catalog: (catalog, nodeBytes) => catalog.writeUInt32BE(1, nodeBytes) }, states: ["a=ok", "b=ok"], omissions: ["malformed"] },
  { title: "leaves that lead outside", shape: { items: plain, catalog: (catalog, nodeBytes) => catalog.writeUInt32BE(0x7fffffff, nodeBytes) }, states: ["a=ok", "b=ok"], omissions: ["malformed"] },
  { title: "a node with more records than room", shape: { items: plain, catalog: (catalog, nodeBytes) => catalog.writeUInt16BE(0xffff, nodeBytes + 10) }, states: [], kinds: ["entry_count_mismatch"], omissions: ["malformed"] },
  { title: "a folder that lies in itself", shape: { items: [{ path: ["f"], folder: true }, { path: ["f", "a"], data: "a" }], catalog: (catalog) => moveFolder(catalog, 18) }, states: [], kinds: ["link_cycle"] },
  { title: "a deleted file that was open", shape: { items: [{ path: ["x"], data: "kept", inode: 5, record: () => undefined }, ...plain], catalog: (catalog) => unlink(catalog) }, states: ["a=ok", "b=ok", "x=malformed", "HFS+ Private Data/iNode5=ok"] },
];

/** Gives the folder of id 18 another parent. */
function moveFolder(catalog: Buffer, parent: number): void {
  const at = catalog.indexOf(Buffer.from([0, 1, 0, 0x66]));
  catalog.writeUInt32BE(parent, at - 4);
}

/** Lets the one hard link name another inode. */
function unlink(catalog: Buffer): void {
  const at = catalog.indexOf("hlnkhfs+", 0, "latin1");
  catalog.writeUInt32BE(6, at - 4);
}

test.each(quirks)("$title", async ({ shape, states, kinds = [], omissions = [] }) => {
  const found = await readContainer(hfsPlusFormat, buildHfsPlus(shape));
  expect(statesOf(found)).toEqual(states);
  expect(kindsOf(found)).toEqual(kinds);
  expect([...new Set(found.omissions.map(({ reason }) => reason))]).toEqual(omissions);
});

test("what lies in a folder that does not exist is kept apart", async () => {
  const found = await readContainer(hfsPlusFormat, buildHfsPlus({ items: [{ path: ["f"], folder: true }, { path: ["f", "a"], data: "a" }], catalog: (catalog) => moveFolder(catalog, 77) }));
  expect([...statesOf(found)].sort()).toEqual(["folder 18 (missing)/a=ok", "folder 77 (missing)/f=none"]);
});

test("a journal with changes that are not applied is told", async () => {
  const volume = buildHfsPlus({ items: [{ path: ["info"], data: journalInfo() }] });
  const at = volume.indexOf("journal info");
  volume.writeUInt32BE(0x2100, 1028);
  volume.writeUInt32BE(at / 512, 1036);
  const block = at;
  volume.writeBigUInt64BE(BigInt(block + 100), block + 36);
  volume.writeUInt32BE(0x4a4e4c78, block + 100);
  volume.writeBigUInt64BE(512n, block + 108);
  expect((await readContainer(hfsPlusFormat, volume)).omissions.map(({ reason }) => reason)).toEqual(["not_examined"]);
  volume.writeBigUInt64BE(512n, block + 116);
  expect((await readContainer(hfsPlusFormat, volume)).omissions).toEqual([]);
});

function journalInfo(): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write("journal info");
  return bytes;
}

test("a volume in an image is opened down to its files", async () => {
  const volume = buildHfsPlus({ items });
  const { graph, anomalies, omissions } = await inventory(artifactOfBytes(buildDmg({ tables: [{ name: "disk image (Apple_HFS : 1)", chunks: [{ kind: "zlib", plain: Buffer.concat([volume, Buffer.alloc((512 - (volume.byteLength % 512)) % 512)]) }] }] }), "App.dmg"));
  const run = graph.occurrences.find(({ logical_path }) => logical_path === "disk image (Apple_HFS : 1)!/App/run");
  expect([run?.hash_status, run?.executable]).toEqual(["verified", true]);
  expect([anomalies, omissions]).toEqual([[], []]);
});

const sample = buildHfsPlus({ items: items.filter(({ path }) => path.at(-1) !== "scattered" && !String(path[0]).startsWith("fork")) });

test("a volume cut anywhere is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 331) {
    const found = await readContainer(hfsPlusFormat, sample.subarray(0, length));
    const isTold = found.omissions.length + found.anomalies.length > 0 || found.members.some(({ state }) => state !== "ok" && state !== "none");
    // Behind the last fork there is only the copy of the header.
    if (length < sample.byteLength - 2048) expect(isTold, `cut at ${String(length)}`).toBe(true);
  }
});

test("flipped bytes are read to an end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 }), async (flips) => {
      const bytes = Buffer.from(sample);
      for (const [at, mask] of flips) bytes[at] = (bytes[at] ?? 0) ^ mask;
      const found = await readContainer(hfsPlusFormat, bytes, { maximum: 1 << 20 });
      expect(found.members.length).toBeLessThan(500);
    }),
    { numRuns: 200 },
  );
});

test.skipIf(!hasProgram("7z"))("7z extracts the same files, compressed ones included, from a volume of ours", async () => {
  // 7z does not decode files that LZFSE compressed.
  const volume = buildHfsPlus({ items: items.filter(({ path }) => !/ 1[12]$/.test(String(path.at(-1)))) });
  const directory = mkdtempSync(join(tmpdir(), "rea-hfs-"));
  try {
    writeFileSync(join(directory, "made.hfs"), volume);
    execFileSync("7z", ["x", "-thfs", "-y", "-oout", "made.hfs", "-x!Volume/App/link"], { cwd: directory, stdio: "pipe" });
    const found = await readContainer(hfsPlusFormat, volume);
    // 7z writes the slash in a name in its own way, and shows an inode instead of its links.
    const compared = found.members.filter(({ entry, name }) => entry.kind === "file" && !name.includes(":") && name !== "App/one");
    for (const { name, bytes } of compared) expect(sha256(readFileSync(join(directory, "out/Volume", name))), name).toBe(sha256(bytes ?? Buffer.alloc(0)));
    expect(compared.length).toBe(8);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test.skipIf(!hasProgram("xorriso"))("a volume that xorriso wrote has the files of its directory", async () => {
  const tree = smallTree();
  try {
    runIn(tree.directory, "xorriso", ["-as", "mkisofs", "-quiet", "-hfsplus", "-V", "TEST", "-o", "made.iso", "tree"]);
    const iso = readFileSync(join(tree.directory, "made.iso"));
    const at = iso.indexOf(Buffer.from("H+\0\u0004")) - 1024;
    const found = await readContainer(hfsPlusFormat, iso.subarray(at, at + iso.readUInt32BE(at + 1064) * iso.readUInt32BE(at + 1068)));
    const files = found.members.filter(({ entry }) => entry.kind === "file");
    expect(files.map(({ state }) => state)).toEqual(files.map(() => "ok"));
    for (const { name, bytes } of files) expect(existsSync(join(tree.directory, "tree", name.normalize("NFC"))) && readFileSync(join(tree.directory, "tree", name.normalize("NFC"))).equals(bytes ?? Buffer.alloc(0)), name).toBe(true);
    expect(files).toHaveLength(6);
    expect([found.anomalies, found.omissions]).toEqual([[], []]);
  } finally {
    tree.done();
  }
});

test.skipIf(!hasProgram("hformat"))("a volume of classic HFS is named as one that is not opened", async () => {
  const directory = mkdtempSync(join(tmpdir(), "rea-hfs-"));
  try {
    const path = join(directory, "classic.img");
    writeFileSync(path, Buffer.alloc(800 * 1024));
    execFileSync("hformat", ["-l", "Classic", path], { stdio: "pipe", env: { ...process.env, HOME: directory } });
    const { graph, omissions } = await inventory(artifactOfBytes(readFileSync(path), "classic.img"));
    expect([graph.occurrences.map(({ artifact_format }) => artifact_format), omissions.map(({ reason }) => reason)]).toEqual([["hfs"], ["unsupported_format"]]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
