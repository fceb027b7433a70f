import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { squashfsFormat } from "../../src/formats/squashfs/squashfs-format.js";
import { readContainer } from "../read-container.js";
import { hasProgram, mixedText, sha256 } from "../zip/programs.js";

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "rea-squash-"));
  const tree = join(directory, "tree");
  mkdirSync(join(tree, "many"), { recursive: true });
  mkdirSync(join(tree, "a/b/c"), { recursive: true });
  writeFileSync(join(tree, "a/b/c/grüße €"), "deep");
  writeFileSync(join(tree, "empty"), "");
  writeFileSync(join(tree, "text"), mixedText(400_000));
  writeFileSync(join(tree, "noise"), Buffer.concat(Array.from({ length: 9000 }, (_, n) => createHash("sha256").update(String(n)).digest())));
  writeFileSync(join(tree, "sparse"), "start");
  truncateSync(join(tree, "sparse"), 700_001);
  writeFileSync(join(tree, "run"), "#!/bin/sh\n", { mode: 0o755 });
  linkSync(join(tree, "text"), join(tree, "text2"));
  symlinkSync("a/b/c", join(tree, "link"));
  execFileSync("mkfifo", [join(tree, "pipe")]);
  // More than one header of a directory, and more metadata than one block.
  for (let index = 0; index < 700; index += 1) writeFileSync(join(tree, "many", `file-with-a-rather-long-name-${String(index)}`), `content ${String(index)}`);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const layouts: readonly (readonly string[])[] = [
  ["-comp", "gzip"],
  ["-comp", "xz"],
  ["-comp", "lzma"],
  ["-comp", "zstd"],
  ["-comp", "lz4", "-Xhc"],
  ["-comp", "gzip", "-b", "4096"],
  ["-comp", "xz", "-b", "1M", "-Xbcj", "x86"],
  ["-comp", "gzip", "-noI", "-noD", "-noF"],
  ["-comp", "zstd", "-no-fragments", "-no-exports", "-no-xattrs"],
  ["-comp", "gzip", "-always-use-fragments", "-nopad"],
];

test.for(layouts)("an image of mksquashfs %j holds what unsquashfs takes out of it", async (layout, context) => {
  if (!hasProgram("mksquashfs") || !hasProgram("unsquashfs")) context.skip("squashfs-tools are not installed");
  const image = join(directory, "image");
  const out = join(directory, "out");
  execFileSync("mksquashfs", [join(directory, "tree"), image, "-noappend", "-quiet", "-no-progress", ...layout], { stdio: "ignore" });
  execFileSync("unsquashfs", ["-no-progress", "-quiet", "-f", "-d", out, image], { stdio: "ignore" });
  try {
    const found = await readContainer(squashfsFormat, readFileSync(image));
    expect([found.anomalies, found.omissions]).toEqual([[], []]);
    const theirs = execFileSync("find", [out, "-mindepth", "1", "-printf", "%y %P\\n"], { encoding: "utf8" }).trim().split("\n").sort();
    const kinds: { readonly [kind: string]: string | undefined } = { directory: "d", symlink: "l", special: "p" };
    expect(found.members.map(({ name, entry }) => `${kinds[entry.kind] ?? "f"} ${name}`).sort()).toEqual(theirs);
    for (const { name, entry, bytes, state } of found.members) {
      if (entry.kind === "file") expect([name, state, bytes === undefined ? "" : sha256(bytes)]).toEqual([name, "ok", sha256(readFileSync(join(out, name)))]);
    }
    expect(found.members.filter(({ entry }) => entry.kind === "hardlink").map(({ name, entry }) => [name, Buffer.from(entry.linkTarget ?? "").toString()])).toEqual([["text2", "text"]]);
    expect(found.members.find(({ name }) => name === "run")?.entry.executable).toBe(true);
  } finally {
    rmSync(out, { recursive: true, force: true });
    rmSync(image, { force: true });
  }
});
