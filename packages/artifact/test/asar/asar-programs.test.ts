import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { extractFile, getRawHeader, listPackage, statFile } from "@electron/asar";
import { memorySource } from "@rea/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenedSource } from "../../src/format.js";
import { asar, asarHeaderSha256 } from "../../src/formats/asar/index.js";
import { kindsOf, readContainer, type ReadContainer } from "../read-container.js";
import { sha256 } from "./build-asar.js";
import { packAsar } from "./pack-asar.js";

let directory: string;
let archive: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "rea-asar-test-"));
  const source = path.join(directory, "source");
  mkdirSync(path.join(source, "lib/deep"), { recursive: true });
  mkdirSync(path.join(source, "lib-native"), { recursive: true });
  writeFileSync(path.join(source, "package.json"), '{"name":"sample"}');
  writeFileSync(path.join(source, "empty"), "");
  writeFileSync(path.join(source, "lib/1"), "one");
  writeFileSync(path.join(source, "lib/deep/grüße €.js"), "module.exports = 1;\n");
  writeFileSync(path.join(source, "lib/run.sh"), "#!/bin/sh\n");
  chmodSync(path.join(source, "lib/run.sh"), 0o755);
  // Fills two blocks exactly, and the last block in part.
  writeFileSync(path.join(source, "lib/full.bin"), Buffer.alloc(8 * 1024 * 1024, 3));
  writeFileSync(path.join(source, "lib/part.bin"), Buffer.alloc(5 * 1024 * 1024, 4));
  writeFileSync(path.join(source, "lib-native/addon.node"), "native code");
  symlinkSync("1", path.join(source, "lib/link"));
  archive = path.join(directory, "app.asar");
  packAsar(source, archive, "--unpack", "*.node");
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

function beside(name: string): OpenedSource | undefined {
  try {
    return { ...memorySource(readFileSync(path.join(directory, name))), close: () => undefined };
  } catch {
    return undefined;
  }
}

function readArchive(bytes: Uint8Array): Promise<ReadContainer> {
  return readContainer(asar, bytes, { containerName: "app.asar", openBeside: beside });
}

test("members, sizes and contents are those of @electron/asar", async () => {
  const found = await readArchive(readFileSync(archive));
  const theirs = listPackage(archive, { isPack: false }).map((name) => name.slice(1));
  expect(found.members.map(({ name }) => name).sort()).toEqual(theirs.sort());
  for (const { name, entry, bytes, state } of found.members) {
    const stat = statFile(archive, name, false);
    expect([name, state]).toEqual([name, entry.kind === "file" ? "ok" : "none"]);
    if (entry.kind === "file" && bytes !== undefined) expect(sha256(bytes)).toBe(sha256(extractFile(archive, name)));
    if ("link" in stat) expect(Buffer.from(entry.linkTarget ?? "").toString()).toBe(stat.link);
    if ("executable" in stat && entry.kind === "file") expect(entry.executable).toBe(stat.executable === true);
  }
  expect(found.members.filter(({ entry }) => entry.checks.some(({ kind }) => kind === "blocks")).length).toBe(8);
  expect(found.omissions).toEqual([]);
  // `lib-native` sorts before `lib/…`, so the packer wrote its neighbours' data in another order than the header's.
  expect(kindsOf(found).filter((kind) => kind !== "unordered_offsets")).toEqual([]);
});

test("the header's hash is that of the string that @electron/asar reads", () => {
  expect(asarHeaderSha256(memorySource(readFileSync(archive)))).toBe(sha256(Buffer.from(getRawHeader(archive).headerString)));
});

test("a changed byte that @electron/asar does not notice breaks the file's digest", async () => {
  const bytes = readFileSync(archive);
  const at = bytes.indexOf("module.exports");
  bytes[at] = 0x4d;
  const found = await readArchive(bytes);
  expect(found.members.filter(({ state }) => state !== "ok" && state !== "none").map(({ name, state }) => [name, state])).toEqual([
    ["lib/deep/grüße €.js", "digest"],
  ]);
});

test("a missing unpacked file leaves the others as they are", async () => {
  unlinkSync(path.join(directory, "app.asar.unpacked/lib-native/addon.node"));
  const found = await readArchive(readFileSync(archive));
  expect(found.members.filter(({ state }) => state !== "ok" && state !== "none").map(({ name, state }) => [name, state])).toEqual([
    ["lib-native/addon.node", "missing_companion"],
  ]);
});
