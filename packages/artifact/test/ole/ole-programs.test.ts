import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ole } from "../../src/formats/ole/index.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { kindsOf, readContainer } from "../read-container.js";
import { hasProgram, mixedText, runIn, sha256, smallTree } from "../zip/programs.js";
import { buildOle } from "./build-ole.js";

const product = `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Name="Sample" Id="*" UpgradeCode="12345678-1234-1234-1234-123456789012" Language="1033" Version="1.2.3" Manufacturer="Nobody">
    <Package InstallerVersion="200" Compressed="yes"/>
    <Media Id="1" Cabinet="sample.cab" EmbedCab="yes"/>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Component Id="c1" Guid="87654321-1234-1234-1234-123456789012"><File Id="f1" Source="tree/short.txt"/><File Id="f2" Source="tree/inner/text.txt"/></Component>
    </Directory>
    <Feature Id="F" Level="1"><ComponentRef Id="c1"/></Feature>
  </Product>
</Wix>`;

let tree: ReturnType<typeof smallTree>;
beforeAll(() => {
  tree = smallTree();
  writeFileSync(path.join(tree.directory, "sample.wxs"), product);
});
afterAll(() => {
  tree.done();
});

function makeInstaller(): Buffer {
  runIn(tree.directory, "wixl", ["-o", "sample.msi", "sample.wxs"]);
  return readFileSync(path.join(tree.directory, "sample.msi"));
}

/** Control characters as 7z writes them into names of files. */
function visible(name: string): string {
  return Array.from(name, (letter) => (letter < " " ? `[${String(letter.charCodeAt(0))}]` : letter)).join("");
}

/** Names and contents by 7z, which writes control characters its own way. */
function judgedBy7z(file: string): ReadonlyMap<string, string> {
  runIn(tree.directory, "rm", ["-rf", "out"]);
  runIn(tree.directory, "7z", ["x", "-tcompound", "-oout", file]);
  const lines = runIn(tree.directory, "sh", ["-c", "cd out && find . -type f -exec sha256sum {} +"]).toString().trim().split("\n");
  return new Map(lines.map((line) => [line.slice(66).replace(/^\.\//, ""), line.slice(0, 64)]));
}

describe("installers of wixl", () => {
  test("streams are those that 7z and msiinfo show, their names unpacked", async (ctx) => {
    for (const program of ["wixl", "msiinfo", "7z"]) if (!hasProgram(program)) ctx.skip(`${program} is not installed`);
    const found = await readContainer(ole, makeInstaller());
    const ours = new Map(found.members.map(({ name, bytes }) => [visible(name), sha256(bytes ?? Buffer.alloc(0))]));
    expect([...ours].sort()).toEqual([...judgedBy7z("sample.msi")].sort());
    const streams = runIn(tree.directory, "msiinfo", ["streams", "sample.msi"]).toString().trim().split("\n");
    for (const name of streams) expect([...ours.keys()]).toContain(visible(name));
    const cabinet = runIn(tree.directory, "msiinfo", ["extract", "sample.msi", "sample.cab"]);
    expect(ours.get("sample.cab")).toBe(sha256(cabinet));
    expect(found.members.filter(({ entry }) => entry.name.stored !== undefined).length).toBeGreaterThan(5);
    expect([kindsOf(found), found.omissions]).toEqual([[], []]);
  });

  test("the cabinet inside is opened, and its files are those that were packed", async (ctx) => {
    if (!hasProgram("wixl")) ctx.skip("wixl is not installed");
    const { graph } = await inventory(artifactOfBytes(makeInstaller(), "sample.msi"));
    const bytes = new Map(graph.nodes.map(({ artifact_id, sha256: digest }) => [artifact_id, digest]));
    const inside = graph.occurrences.filter(({ logical_path }) => logical_path.startsWith("sample.cab!/"));
    expect(inside.map(({ logical_path, hash_status, artifact_id }) => [logical_path, hash_status, bytes.get(artifact_id ?? "")]).sort()).toEqual([
      ["sample.cab!/f1", "verified", sha256(readFileSync(path.join(tree.directory, "tree/short.txt")))],
      ["sample.cab!/f2", "verified", sha256(readFileSync(path.join(tree.directory, "tree/inner/text.txt")))],
    ]);
    const table = graph.occurrences.find(({ logical_path }) => logical_path === "!Property");
    expect(table?.raw_name).toMatch(/\u4840/);
  });
});

test("compound files of our own making are read alike by 7z", async (ctx) => {
  if (!hasProgram("7z")) ctx.skip("7z is not installed");
  for (const version of [3, 4] as const) {
    const members = [
      { name: "small", content: Buffer.from("hello") },
      { name: "large", content: mixedText(70_000) },
      { name: "storage", members: [{ name: "inner", content: mixedText(5000) }, { name: "tiny", content: Buffer.from("x") }] },
    ];
    const bytes = buildOle({ members, version });
    writeFileSync(path.join(tree.directory, "own.ole"), bytes);
    const found = await readContainer(ole, bytes);
    const files = found.members.filter(({ entry }) => entry.kind === "file");
    expect(files.map(({ name, bytes: content }) => [name, sha256(content ?? Buffer.alloc(0))]).sort()).toEqual([...judgedBy7z("own.ole")].sort());
  }
});
