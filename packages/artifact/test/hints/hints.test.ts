import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { operations } from "@rea/core";
import { afterAll, expect, test } from "vitest";
import { artifactOfBytes, inspection, inventory, type Inventory } from "../../src/index.js";
import { buildSquashfs } from "../squashfs/build-squashfs.js";
import { tarArchive } from "./small-tar.js";
import { buildZip } from "../zip/build-zip.js";
import { hasProgram } from "../zip/programs.js";

const directory = mkdtempSync(join(tmpdir(), "rea-hints-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** An ELF header and nothing else; everything behind is overlay. */
function program(): Buffer {
  const bytes = Buffer.alloc(64 + 56);
  bytes.write("\u007fELF\u0002\u0001\u0001", 0, "latin1");
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(62, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(64, 52);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt16LE(64, 58);
  bytes.writeUInt32LE(1, 64);
  bytes.writeBigUInt64LE(BigInt(bytes.byteLength), 64 + 32);
  return bytes;
}

const image = buildSquashfs([{ name: "AppRun", data: "#!/bin/sh\n" }]);
const zip = Buffer.from(buildZip([{ name: "a.txt", content: "alpha" }]));
const shown = ({ hints }: Inventory): readonly unknown[] => hints.flatMap(({ logical_path, hints: found }) => found.map(({ format, offset, length }) => [logical_path, format, offset, length]));
const start = program().byteLength;

test("a program with an image behind it is a leaf that says what it holds", async () => {
  const bytes = Buffer.concat([program(), image]);
  const found = await inventory(artifactOfBytes(bytes, "app"));
  expect(shown(found)).toEqual([[".", "squashfs", start, image.byteLength]]);
  expect(found.graph.occurrences).toHaveLength(1);
  expect(found.unexplored.map(({ reason }) => reason)).toEqual(["format_specific_analysis_required"]);
  expect(found.omissions).toEqual([]);
});

test("hints stand with the row, among the observations and in the probes of an inspection", async () => {
  const found = await inventory(artifactOfBytes(Buffer.concat([program(), image]), "app"));
  const page = await inspection(found, { offset: 0, limit: 25, integrity_policy: "fail" });
  expect(operations.inspect_artifact.result.safeParse(page).error).toBeUndefined();
  expect(page.occurrences.items[0]?.container_hints).toEqual([{ format: "squashfs", offset: start, length: image.byteLength, basis: "signature at the start of the overlay" }]);
  expect(page.observations.items.filter(({ observation }) => observation === "container_hint")).toHaveLength(1);
  expect(page.next_probes.filter(({ input }) => "facets" in input).map(({ operation }) => operation)).toEqual(["inspect_binary"]);
});

test("programs are searched wherever they stand, compressed members too", async () => {
  const bytes = Buffer.concat([program(), image]);
  const inner = buildZip([{ name: "dir/app", content: bytes, method: 8 }, { name: "plain", content: bytes }, { name: "other", content: program() }]);
  const found = await inventory(artifactOfBytes(gzipSync(inner), "all.zip.gz"));
  expect(shown(found).map((row) => JSON.stringify(row))).toEqual(["dir/app", "plain"].map((name) => JSON.stringify([`all.zip!/${name}`, "squashfs", start, image.byteLength])));
});

test("data behind a program that nobody knows is told; zeros are padding", async () => {
  expect(shown(await inventory(artifactOfBytes(Buffer.concat([program(), Buffer.from("something of one's own")]))))).toEqual([[".", "unknown", start, 22]]);
  expect(shown(await inventory(artifactOfBytes(Buffer.concat([program(), Buffer.alloc(100)]))))).toEqual([]);
});

test("a script that carries an archive behind one of its lines is told", async () => {
  const script = Buffer.from("#!/bin/sh\n# made by makeself\ntail -n +4 $0 | tar xz\nexit 0\n");
  const archives = [gzipSync("content"), tarArchive("a", "content"), Buffer.from("fd377a585a000004", "hex")];
  for (const [index, archive] of archives.entries()) {
    const found = await inventory(artifactOfBytes(Buffer.concat([script, archive]), "setup.run"));
    expect(shown(found)).toEqual([[".", ["gzip", "tar", "xz"][index], script.byteLength, archive.byteLength]]);
  }
  const nothing = Buffer.concat([Buffer.from("#!/bin/sh\necho "), gzipSync("inside a line"), Buffer.from("\n")]);
  expect(shown(await inventory(artifactOfBytes(nothing, "plain.sh")))).toEqual([]);
});

test("a ZIP archive behind a program is told from its first member", async () => {
  const found = await inventory(artifactOfBytes(Buffer.concat([program(), zip]), "setup"));
  expect(shown(found)).toEqual([[".", "zip", start, zip.byteLength]]);
});

test("an AppImage made of a program of the host and mksquashfs shows where its image starts", async (context) => {
  if (!hasProgram("mksquashfs") || !existsSync("/bin/true")) context.skip("mksquashfs or /bin/true is not there");
  const tree = join(directory, "tree");
  mkdirSync(tree);
  writeFileSync(join(tree, "AppRun"), "#!/bin/sh\n");
  const file = join(directory, "image");
  execFileSync("mksquashfs", [tree, file, "-quiet", "-no-progress", "-noappend"], { stdio: "ignore" });
  const host = readFileSync("/bin/true");
  host.write("AI\u0002", 8, "latin1");
  const squash = readFileSync(file);
  const found = await inventory(artifactOfBytes(Buffer.concat([host, squash]), "x.AppImage"));
  expect(shown(found)).toEqual([
    [".", "squashfs", host.byteLength, Number(squash.readBigUInt64LE(40))],
    [".", "appimage", 8, 3],
  ]);
});
