import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isoFormat } from "../../src/formats/iso/iso-format.js";
import { kindsOf, readContainer, type ReadContainer } from "../read-container.js";
import { hasProgram, mixedText, sha256 } from "../zip/programs.js";

let directory: string;
const noise = Buffer.concat(Array.from({ length: 3000 }, (_, n) => createHash("sha256").update(String(n)).digest()));

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "rea-iso-"));
  const tree = join(directory, "tree");
  mkdirSync(join(tree, "1/2/3/4/5/6/7/8/9/10"), { recursive: true });
  mkdirSync(join(tree, "many"));
  writeFileSync(join(tree, "1/2/3/4/5/6/7/8/9/10/deep.txt"), "deep");
  writeFileSync(join(tree, "hello.txt"), "hello\n");
  writeFileSync(join(tree, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(tree, "empty"), "");
  writeFileSync(join(tree, "grüße €.txt"), "words");
  writeFileSync(join(tree, "noise.bin"), noise);
  writeFileSync(join(tree, "text"), mixedText(300_000));
  writeFileSync(join(tree, "boot.img"), noise.subarray(0, 4096));
  writeFileSync(join(tree, "n".repeat(200)), "a long name");
  linkSync(join(tree, "noise.bin"), join(tree, "noise2.bin"));
  symlinkSync("1/2/3", join(tree, "link"));
  symlinkSync(`${"x/".repeat(70)}y`, join(tree, "longlink"));
  symlinkSync("/usr/share/../lib", join(tree, "absolute"));
  for (let index = 0; index < 120; index += 1) writeFileSync(join(tree, "many", `a rather long name of file ${String(index)}.text`), `content ${String(index)}`);
  writeFileSync(join(directory, "efi.img"), noise.subarray(0, 65_536));
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** `name sha256` of files and `name -> target` of links. */
function members({ members: found }: ReadContainer): readonly string[] {
  return found
    .flatMap(({ name, entry, bytes }) => (entry.kind === "directory" ? [] : [entry.linkTarget === null ? `${name} ${bytes === undefined ? "" : sha256(bytes)}` : `${name} -> ${Buffer.from(entry.linkTarget).toString()}`]))
    .sort();
}

function onDisk(root: string): readonly string[] {
  const names = execFileSync("find", [root, "-mindepth", "1", "-not", "-type", "d", "-printf", "%y%P\\t%l\\n"], { encoding: "utf8" }).trim().split("\n");
  return names
    .map((line) => {
      const [name = "", target = ""] = line.slice(1).split("\t");
      return line.startsWith("l") ? `${name} -> ${target}` : `${name} ${sha256(readFileSync(join(root, name)))}`;
    })
    .sort();
}

function made(program: "genisoimage" | "xorriso", args: readonly string[]): Buffer {
  const image = join(directory, "image.iso");
  rmSync(image, { force: true });
  const all = program === "xorriso" && args[0] !== "-map" ? ["-as", "mkisofs", "-o", image, ...args, "tree"] : program === "xorriso" ? ["-outdev", image, ...args] : ["-o", image, ...args, "tree"];
  spawnSync(program, all, { cwd: directory, stdio: "ignore", timeout: 30_000 });
  if (!existsSync(image)) throw new Error(`${program} wrote no image.`);
  return readFileSync(image);
}

type Layout = readonly ["genisoimage" | "xorriso", readonly string[], string];

const rocky: readonly Layout[] = [
  ["genisoimage", ["-quiet", "-R"], ""],
  ["genisoimage", ["-quiet", "-R", "-J", "-joliet-long", "-b", "boot.img", "-no-emul-boot", "-c", "boot.cat"], "boot"],
  ["xorriso", ["-R", "-J", "-joliet-long"], ""],
  ["xorriso", ["-R", "-J", "-joliet-long", "-append_partition", "2", "0xef", "efi.img", "-appended_part_as_gpt", "-e", "--interval:appended_partition_2:all::", "-no-emul-boot"], "boot"],
  ["xorriso", ["-R", "--md5"], "md5"],
  ["xorriso", ["-map", "tree", "/", "-set_filter_r", "--zisofs", "/", "--", "-commit"], "session"],
  ["xorriso", ["-map", "tree", "/", "-compliance", "deep_paths_off", "-commit"], "session"],
];

test.for(rocky)("an image of %s %j holds the tree it was made of", async ([program, args, kind], context) => {
  if (!hasProgram(program)) context.skip(`${program} is not installed`);
  const found = await readContainer(isoFormat, made(program, args));
  expect(members(found).filter((line) => !line.startsWith("boot.cat"))).toEqual(onDisk(join(directory, "tree")));
  expect([kindsOf(found), found.omissions]).toEqual([[], []]);
  expect(found.members.find(({ name }) => name === "run.sh")?.entry.executable).toBe(true);
  const parts = found.parts.map(({ part }) => part).join();
  expect(parts).toContain({ boot: "El Torito boot image", md5: "MD5 tag", session: "another session", "": "" }[kind] ?? "?");
});

test.for([["-quiet", "-J", "-joliet-long"], ["-quiet"], ["-quiet", "-iso-level", "4"]])("an image of genisoimage %j without Rock Ridge holds what bsdtar takes out of it", async (args, context) => {
  if (!hasProgram("genisoimage") || !hasProgram("bsdtar")) context.skip("genisoimage or bsdtar is not installed");
  const image = made("genisoimage", args);
  const out = join(directory, "out");
  mkdirSync(out);
  try {
    execFileSync("bsdtar", ["-xf", join(directory, "image.iso"), "-C", out], { env: { ...process.env, LC_ALL: "C.UTF-8" } });
    const found = await readContainer(isoFormat, image);
    expect(members(found)).toEqual(onDisk(out));
    expect([kindsOf(found), found.omissions]).toEqual([[], []]);
  } finally {
    execFileSync("chmod", ["-R", "u+w", out]);
    rmSync(out, { recursive: true, force: true });
  }
});

test("a file hidden from Joliet by its writer is told, and only that", async (context) => {
  if (!hasProgram("genisoimage")) context.skip("genisoimage is not installed");
  const found = await readContainer(isoFormat, made("genisoimage", ["-quiet", "-R", "-J", "-joliet-long", "-hide-joliet", "hello.txt"]));
  expect(found.anomalies.map(({ anomaly, name }) => [anomaly, name?.text])).toEqual([["tree_mismatch", "hello.txt"]]);
});

test("UDF and HFS+ volumes in the same image are omissions", async (context) => {
  if (!hasProgram("genisoimage") || !hasProgram("xorriso")) context.skip("genisoimage or xorriso is not installed");
  for (const image of [made("genisoimage", ["-quiet", "-R", "-udf"]), made("xorriso", ["-R", "-hfsplus"])]) {
    const found = await readContainer(isoFormat, image);
    expect([kindsOf(found), found.omissions.map(({ reason }) => reason)]).toEqual([[], ["unsupported_format"]]);
  }
});

test("a changed byte under the writer's MD5 is told", async (context) => {
  if (!hasProgram("xorriso")) context.skip("xorriso is not installed");
  const image = made("xorriso", ["-R", "--md5"]);
  const at = image.indexOf(noise.subarray(0, 64));
  image[at + 9] = (image[at + 9] ?? 0) ^ 1;
  expect(kindsOf(await readContainer(isoFormat, image))).toEqual(["digest_mismatch"]);
});

test("files of an earlier session that were removed are listed and told", async (context) => {
  if (!hasProgram("xorriso")) context.skip("xorriso is not installed");
  made("xorriso", ["-map", "tree", "/", "-commit"]);
  const image = join(directory, "image.iso");
  spawnSync("xorriso", ["-dev", image, "-rm", "/hello.txt", "--", "-commit"], { stdio: "ignore", timeout: 30_000 });
  const found = await readContainer(isoFormat, readFileSync(image));
  expect(found.members.at(-1)).toMatchObject({ name: "hello.txt", state: "ok" });
  expect(found.anomalies.map(({ anomaly, name }) => [anomaly, name?.text])).toEqual([["tree_mismatch", "hello.txt"]]);
});
