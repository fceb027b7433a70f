import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { xarFormat } from "../../src/formats/xar/xar-format.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { compressedSample, plainSample } from "../codecs/compressed-samples.js";
import { cpioArchive } from "../cpio/build-cpio.js";
import { buildXar, type XarShape } from "./build-xar.js";
import { buildPbzx } from "./build-pbzx.js";
import { hasProgram, runIn, sha256, smallTree } from "../zip/programs.js";

const files: XarShape["files"] = [
  { name: "Distribution", data: "<installer/>" },
  {
    name: "base.pkg",
    children: [
      { name: "Payload", data: "payload ".repeat(500), mode: "0755" },
      { name: "Bom", data: "bom", stored: { bytes: Buffer.from("bom"), encoding: "application/octet-stream" } },
      { name: "empty" },
    ],
  },
  { name: "link", type: "symlink", link: "Distribution" },
  { name: "same", type: "hardlink", linkId: "1" },
  { name: "pipe", type: "fifo" },
];

test("members come in the order of the table, which is a member itself", async () => {
  const found = await readContainer(xarFormat, buildXar({ files }));
  expect(statesOf(found)).toEqual(["[TOC].xml=ok", "Distribution=ok", "base.pkg=none", "base.pkg/Payload=ok", "base.pkg/Bom=ok", "base.pkg/empty=ok", "link=none", "same=none", "pipe=none"]);
  expect(found.members.map(({ entry }) => entry.kind).slice(1)).toEqual(["file", "directory", "file", "file", "file", "symlink", "hardlink", "special"]);
  expect(found.members.filter(({ entry }) => entry.linkTarget !== null).map(({ entry }) => Buffer.from(entry.linkTarget ?? []).toString())).toEqual(["Distribution", "Distribution"]);
  expect(found.members[3]?.bytes?.toString()).toBe("payload ".repeat(500));
  expect(found.members[3]?.entry.executable).toBe(true);
  expect([found.anomalies, found.omissions]).toEqual([[], []]);
});

test.each(["md5", "sha1", "sha256", "sha512"] as const)("the table's %s checksum is compared", async (algorithm) => {
  const whole = buildXar({ files, algorithm });
  expect(statesOf(await readContainer(xarFormat, whole))[0]).toBe("[TOC].xml=ok");
  const changed = buildXar({ files, algorithm, checksum: Buffer.alloc(algorithm === "md5" ? 16 : algorithm === "sha1" ? 20 : algorithm === "sha256" ? 32 : 64) });
  expect(statesOf(await readContainer(xarFormat, changed))[0]).toBe("[TOC].xml=measured");
});

test.each([
  ["application/x-bzip2", "bzip2"],
  ["application/x-lzma", "lzma"],
  ["application/x-lzma", "xz"],
  ["application/x-xz", "xz"],
  ["application/x-gzip", "gzip"],
] as const)("data of encoding %s that is %s is decoded", async (encoding, sample) => {
  const found = await readContainer(xarFormat, buildXar({ files: [{ name: "a", data: plainSample, stored: { bytes: compressedSample(sample), encoding } }] }));
  expect(statesOf(found)).toEqual(["[TOC].xml=ok", "a=ok"]);
  expect(kindsOf(found)).toEqual([]);
});

interface Quirk {
  readonly title: string;
  readonly shape: XarShape;
  readonly states: readonly string[];
  readonly kinds?: readonly string[];
  readonly omissions?: number;
}

const one = (fields: { readonly [field: string]: string }): XarShape => ({ files: [{ name: "a", data: "content of a", fields }] });

const quirks: readonly Quirk[] = [
  { title: "a wrong checksum of the content", shape: one({ extracted: "0".repeat(40) }), states: ["a=digest"] },
  { title: "a wrong checksum of the compressed form", shape: one({ archived: "0".repeat(40) }), states: ["a=measured"] },
  { title: "a checksum that is no hexadecimal text", shape: one({ archived: "xyz" }), states: ["a=ok"] },
  { title: "a wrong size", shape: one({ size: "11" }), states: ["a=size"] },
  { title: "an offset past the end", shape: one({ offset: "99999" }), states: ["a=malformed"], kinds: ["trailing_data"] },
  { title: "an offset of 2⁶⁴", shape: one({ offset: "18446744073709551616" }), states: ["a=malformed"], kinds: ["trailing_data"] },
  { title: "a negative length", shape: one({ length: "-1" }), states: ["a=malformed"], kinds: ["trailing_data"] },
  { title: "a length that cuts the data", shape: one({ length: "5" }), states: ["a=broken"], kinds: ["trailing_data"] },
  { title: "data that ends before its length", shape: { files: [{ name: "a", data: "x", stored: { bytes: Buffer.concat([compressedSample("bzip2"), Buffer.from("hidden")]), encoding: "application/x-bzip2" } }] }, states: ["a=size"], kinds: ["gap"] },
  { title: "an unknown encoding", shape: { files: [{ name: "a", data: "x", stored: { bytes: Buffer.from("x"), encoding: "application/x-other" } }] }, states: ["a=unsupported_method"] },
  { title: "bytes between members", shape: { files: [{ name: "a", data: "x" }], gap: 5 }, states: ["a=ok"], kinds: ["gap"] },
  { title: "bytes behind the heap", shape: { files: [{ name: "a", data: "x" }], tail: Buffer.from("tail") }, states: ["a=ok"], kinds: ["trailing_data"] },
  {
    title: "data that reaches into that of another",
    shape: { files: [{ name: "a", data: "x".repeat(50), stored: { bytes: Buffer.from("x".repeat(50)), encoding: "" } }, { name: "b", data: "y", stored: { bytes: Buffer.from("y"), encoding: "" }, fields: { offset: "40" } }] },
    states: ["a=ok", "b=digest"],
    kinds: ["overlap", "trailing_data"],
  },
  {
    title: "one stored content for two names",
    shape: { files: [{ name: "a", data: "x", stored: { bytes: Buffer.from("x"), encoding: "" } }, { name: "b", data: "x", stored: { bytes: Buffer.alloc(0), encoding: "" }, fields: { offset: "20", length: "1", archived: createHash("sha1").update("x").digest("hex") } }] },
    states: ["a=ok", "b=ok"],
  },
  { title: "a header that names another algorithm than the table", shape: { files: [{ name: "a", data: "x" }], headerAlgorithm: 2 }, states: ["a=ok"], kinds: ["ambiguous_header"] },
  { title: "a header that names an algorithm and a table without checksum", shape: { files: [{ name: "a", data: "x" }], algorithm: "none", headerAlgorithm: 1 }, states: ["a=ok"], kinds: ["missing_integrity"] },
  { title: "a header with another size of the table", shape: { files: [{ name: "a", data: "x" }], plainBytes: 77 }, states: ["a=ok"], kinds: ["header_size_mismatch"] },
  { title: "a file without a name", shape: { files: [{ name: "a", data: "x" }], toc: (xml) => xml.replace("<name>a</name>", "") }, states: [], omissions: 1 },
  { title: "a name in base64", shape: { files: [{ name: "YcO8", data: "x" }], toc: (xml) => xml.replace("<name>", '<name enctype="base64">') }, states: ["aü=ok"] },
  { title: "a name that leads out", shape: { files: [{ name: "..", children: [{ name: "a", data: "x" }] }] }, states: ["..=none", "../a=ok"] },
  { title: "a name with a slash", shape: { files: [{ name: "d/a", data: "x" }] }, states: ["d/a=ok"], kinds: ["unsafe_name"] },
  { title: "a table that breaks off", shape: { files: [{ name: "a", data: "x" }], toc: (xml) => xml.slice(0, -20) }, states: ["a=ok"], omissions: 1 },
  { title: "a table that defines entities", shape: { files: [{ name: "a", data: "x" }], toc: (xml) => xml.replace("<xar>", '<!DOCTYPE xar [<!ENTITY a "b">]><xar>') }, states: [], kinds: ["missing_integrity", "trailing_data"], omissions: 1 },
  { title: "a hard link to nothing", shape: { files: [{ name: "a", type: "hardlink", linkId: "99" }] }, states: ["a=none"] },
  { title: "extended attributes", shape: { files: [{ name: "a", data: "x", extra: "<ea><name>n</name><length>0</length><offset>0</offset></ea>" }] }, states: ["a=ok"] },
  { title: "a signature", shape: { files: [], toc: (xml) => xml.replace("</checksum>", '</checksum><signature style="RSA"><offset>20</offset><size>4</size></signature>'), tail: Buffer.from("sign") }, states: [] },
  { title: "a signature outside the archive", shape: { files: [], toc: (xml) => xml.replace("</checksum>", '</checksum><signature style="RSA"><offset>20</offset><size>4</size></signature>') }, states: [], omissions: 1 },
];

test.each(quirks)("$title", async ({ shape, states, kinds = [], omissions = 0 }) => {
  const found = await readContainer(xarFormat, buildXar(shape));
  expect(statesOf(found).filter((state) => !state.startsWith("[TOC]"))).toEqual(states);
  expect(kindsOf(found)).toEqual(kinds);
  expect(found.omissions).toHaveLength(omissions);
});

test("a file nested beyond every usable path is named, not followed", async () => {
  let deep: XarShape["files"][number] = { name: "leaf", data: "x" };
  for (let depth = 0; depth < 300; depth += 1) deep = { name: "d", children: [deep] };
  const found = await readContainer(xarFormat, buildXar({ files: [deep] }));
  expect(found.omissions.length).toBeGreaterThan(0);
});

test("the payload of a package is opened down to its files, whatever compresses it", async () => {
  const payload = cpioArchive("odc", { name: "./Applications/a", data: "program", mode: 0o100755 });
  const bytes = buildXar({
    files: [
      { name: "Payload", data: gzipSync(payload), stored: { bytes: gzipSync(payload), encoding: "application/octet-stream" } },
      { name: "Other", data: buildPbzx(payload), stored: { bytes: buildPbzx(payload), encoding: "application/octet-stream" } },
    ],
  });
  const { graph, anomalies, omissions } = await inventory(artifactOfBytes(bytes, "Some.pkg"));
  const paths = graph.occurrences.map(({ logical_path }) => logical_path);
  expect(paths).toContain("Payload!/Payload!/Applications/a");
  expect(paths).toContain("Other!/Other!/Applications/a");
  expect([anomalies.filter(({ anomaly }) => anomaly !== "unsafe_name"), omissions]).toEqual([[], []]);
});

test("a changed table ends the walk under the default policy and is recorded under the other", async () => {
  const bytes = buildXar({ files, checksum: Buffer.alloc(20) });
  await expect(inventory(artifactOfBytes(bytes, "a.pkg"))).rejects.toMatchObject({ code: "artifact_integrity_mismatch" });
  const { graph, anomalies } = await inventory(artifactOfBytes(bytes, "a.pkg"), { integrityPolicy: "record-and-continue" });
  expect(graph.integrity_contradictions).toHaveLength(1);
  expect(anomalies.map(({ anomaly }) => anomaly)).toContain("digest_mismatch");
});

test("members that are inflated at once are held to the same checksums", async () => {
  const hidden = { bytes: Buffer.concat([deflateSync("text"), Buffer.from("hidden")]), encoding: "application/x-gzip" };
  const bytes = buildXar({ files: [{ name: "good", data: "good" }, { name: "stored", data: "s", fields: { archived: "0".repeat(40) } }, { name: "plain", data: "p", fields: { extracted: "0".repeat(40) } }, { name: "long", data: "text", stored: hidden }] });
  const { graph, anomalies } = await inventory(artifactOfBytes(bytes, "a.pkg"), { integrityPolicy: "record-and-continue" });
  const status = (path: string): string | undefined => graph.occurrences.find(({ logical_path }) => logical_path === path)?.hash_status;
  expect(["good", "stored", "plain", "long"].map(status)).toEqual(["verified", "mismatched", "mismatched", "verified"]);
  expect(anomalies.map(({ anomaly, logical_path }) => `${anomaly} ${logical_path}`).sort()).toEqual(["digest_mismatch plain", "digest_mismatch stored", "gap long"]);
});

const sample = buildXar({ files });

test("an archive cut at any byte is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 1) {
    const found = await readContainer(xarFormat, sample.subarray(0, length));
    const said = found.omissions.length > 0 || found.members.some(({ state }) => state !== "ok" && state !== "none");
    expect(said, `cut at ${String(length)}`).toBe(true);
  }
});

test("flipped bytes are read to an end, and never pass for the true content unseen", async () => {
  const contents = new Map((await readContainer(xarFormat, sample)).members.map(({ name, bytes }) => [name, bytes] as const));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 }), async (flips) => {
      const bytes = Buffer.from(sample);
      for (const [at, mask] of flips) bytes[at] = (bytes[at] ?? 0) ^ mask;
      const found = await readContainer(xarFormat, bytes);
      const toc = found.members.find(({ name }) => name === "[TOC].xml");
      if (toc?.state !== "ok" || toc.bytes?.equals(contents.get("[TOC].xml") ?? Buffer.alloc(0)) !== true) return;
      for (const { name, state, bytes: content } of found.members) if (state === "ok" && content !== undefined) expect(contents.get(name)?.equals(content)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test.skipIf(!hasProgram("bsdtar"))("bsdtar reads the same members from an archive of ours", async () => {
  const names = execFileSync("bsdtar", ["-tf", "-"], { input: sample }).toString().trim().split("\n");
  expect(names.map((name) => name.replace(/\/$/, ""))).toEqual((await readContainer(xarFormat, sample)).members.slice(1).map(({ name }) => name));
  expect(execFileSync("bsdtar", ["-xOf", "-", "base.pkg/Payload"], { input: sample }).toString()).toBe("payload ".repeat(500));
});

const compressions = ["gzip", "bzip2", "lzma", "xz", "none"];

test.skipIf(!hasProgram("bsdtar")).each(compressions)("archives that bsdtar writes with %s give the files it packed", async (compression) => {
  const tree = smallTree();
  try {
    linkSync(join(tree.directory, "tree/short.txt"), join(tree.directory, "tree/twin.txt"));
    runIn(tree.directory, "bsdtar", ["-c", "--format", "xar", "--options", `compression=${compression}`, "-f", "made.xar", "tree"]);
    const found = await readContainer(xarFormat, readFileSync(join(tree.directory, "made.xar")));
    const files = found.members.filter(({ entry }) => entry.kind === "file");
    expect(files.map(({ state }) => state)).toEqual(files.map(() => "ok"));
    expect(files.length).toBe(7);
    for (const { name, bytes } of files.slice(1)) expect(bytes?.equals(readFileSync(join(tree.directory, name))), name).toBe(true);
    const links = found.members.flatMap(({ name, entry }) => (entry.linkTarget === null ? [] : [`${entry.kind} ${name}`]));
    expect(links).toHaveLength(2);
    expect(links).toContain("symlink tree/inner/link");
    // libarchive's writer leaves as many bytes as a checksum has behind the last piece.
    expect([kindsOf(found), found.omissions]).toEqual([["trailing_data"], []]);
  } finally {
    tree.done();
  }
});

test.skipIf(!hasProgram("7z"))("7z extracts what we read from an archive of ours", async () => {
  const directory = mkdtempSync(join(tmpdir(), "rea-xar-"));
  try {
    writeFileSync(join(directory, "made.xar"), sample);
    runIn(directory, "7z", ["x", "-y", "-oout", "made.xar"]);
    for (const { name, bytes, entry } of (await readContainer(xarFormat, sample)).members) {
      if (entry.kind === "file" && bytes !== undefined) expect(sha256(bytes), name).toBe(sha256(readFileSync(join(directory, "out", name))));
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
