import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sevenZip } from "../../src/formats/sevenzip/index.js";
import { kindsOf, readContainer } from "../read-container.js";
import { hasProgram, mixedText, runIn, sha256, smallTree } from "../zip/programs.js";

let tree: ReturnType<typeof smallTree>;

interface Writer {
  readonly title: string;
  readonly program?: string;
  readonly args: readonly string[];
}

const writers: readonly Writer[] = [
  { title: "LZMA, solid", args: ["-m0=LZMA"] },
  { title: "LZMA2, solid", args: ["-m0=LZMA2"] },
  { title: "LZMA2, a folder each", args: ["-m0=LZMA2", "-ms=off"] },
  { title: "LZMA with a plain list of members", args: ["-m0=LZMA", "-mhc=off"] },
  { title: "LZMA with other literal bits", args: ["-m0=LZMA:lc=0:lp=4:pb=0"] },
  { title: "PPMd", args: ["-m0=PPMd"] },
  { title: "PPMd of order 32 with little memory", args: ["-m0=PPMd:o=32:mem=64k"] },
  { title: "PPMd of order 2 with little memory", args: ["-m0=PPMd:o=2:mem=64k"] },
  { title: "BZip2", args: ["-m0=BZip2"] },
  { title: "Deflate", args: ["-m0=Deflate"] },
  { title: "Deflate64", args: ["-m0=Deflate64"] },
  { title: "Copy", args: ["-m0=Copy"] },
  { title: "Delta before LZMA2", args: ["-m0=Delta:4", "-m1=LZMA2"] },
  { title: "BCJ before LZMA", args: ["-m0=BCJ", "-m1=LZMA"] },
  { title: "BCJ2 with three LZMA", args: ["-m0=BCJ2", "-m1=LZMA:d20", "-m2=LZMA:d18", "-m3=LZMA:d18", "-mb0:1", "-mb0s1:2", "-mb0s2:3"] },
  { title: "BCJ2 before plain streams", args: ["-m0=BCJ2", "-m1=Copy", "-m2=Copy", "-m3=Copy", "-mb0:1", "-mb0s1:2", "-mb0s2:3"] },
  { title: "ARM64 before LZMA2", args: ["-m0=ARM64", "-m1=LZMA2"] },
  { title: "ARM before LZMA2", args: ["-m0=ARM", "-m1=LZMA2"] },
  { title: "ARM Thumb before LZMA2", args: ["-m0=ARMT", "-m1=LZMA2"] },
  { title: "PPC before PPMd", args: ["-m0=PPC", "-m1=PPMd"] },
  { title: "SPARC before BZip2", args: ["-m0=SPARC", "-m1=BZip2"] },
  { title: "IA64 before Deflate", args: ["-m0=IA64", "-m1=Deflate"] },
];

const fileOf = ({ title }: Writer): string => `${title.replace(/[ ,]+/g, "-")}.7z`;

/** Code of all kinds of branches: a program of this machine, and bytes that look like calls everywhere. */
function branchyCode(): Buffer {
  const calls = Buffer.alloc(60_000);
  for (let at = 0; at < calls.byteLength; at += 1) calls[at] = [0xe8, 0x0f, 0x84, 0xe9, 0, 0xff, 0xeb, 0x94, 0x48, 0xf0, 0xf8, 0x40, (at * 7) & 0xff][(at * at + (at >> 3)) % 13] ?? 0;
  return Buffer.concat([readFileSync(process.execPath).subarray(0x100000, 0x140000), calls]);
}

interface Judged {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly bytes: number;
  readonly crc: string | undefined;
}

/** What 7z says of an archive. */
function judgedBy7z(file: string): readonly Judged[] {
  const text = runIn(tree.directory, "7z", ["l", "-slt", file]).toString().split("----------\n")[1] ?? "";
  return text.split("\n\n").flatMap((block) => {
    const field = (name: string): string | undefined => new RegExp(`^${name} = (.*)$`, "m").exec(block)?.[1];
    const name = field("Path");
    if (name === undefined) return [];
    return [{ name, isDirectory: field("Attributes")?.startsWith("D") === true, bytes: Number(field("Size")), crc: field("CRC") || undefined }];
  });
}

beforeAll(() => {
  tree = smallTree();
  writeFileSync(path.join(tree.directory, "tree/inner/code"), branchyCode());
});
afterAll(() => {
  tree.done();
});

/** Contents by 7z, one run for the whole archive. */
function contentsBy7z(file: string): ReadonlyMap<string, string> {
  runIn(tree.directory, "rm", ["-rf", "out"]);
  runIn(tree.directory, "7z", ["x", "-snl", "-snld", "-oout", file]);
  const lines = runIn(tree.directory, "sh", ["-c", "cd out && find . -type f -exec sha256sum {} +"]).toString().trim().split("\n");
  return new Map(lines.map((line) => [line.slice(66).replace(/^\.\//, ""), line.slice(0, 64)]));
}

describe("archives of 7z", () => {
  for (const writer of writers) {
    test(`${writer.title}: names, sizes, contents and links are those that 7z shows`, async (ctx) => {
      if (!hasProgram("7z")) ctx.skip("7z is not installed");
      const file = fileOf(writer);
      runIn(tree.directory, "7z", ["a", "-snl", ...writer.args, file, "tree"]);
      const found = await readContainer(sevenZip, readFileSync(path.join(tree.directory, file)));
      const judged = judgedBy7z(file);
      expect(found.members.map(({ name, entry }) => [name, entry.kind === "directory", entry.linkTarget?.byteLength ?? entry.declaredBytes ?? 0])).toEqual(
        judged.map(({ name, isDirectory, bytes }) => [name, isDirectory, bytes]),
      );
      expect(found.members.filter(({ state }) => state !== "ok" && state !== "none").map(({ name, state }) => [name, state])).toEqual([]);
      const contents = contentsBy7z(file);
      const files = found.members.filter(({ entry }) => entry.kind === "file");
      expect(files.map(({ name, bytes }) => [name, sha256(bytes ?? Buffer.alloc(0))])).toEqual(files.map(({ name }) => [name, contents.get(name)]));
      expect(files.length).toBe(contents.size);
      expect(found.members.filter(({ entry }) => entry.kind === "symlink").map(({ entry }) => Buffer.from(entry.linkTarget ?? "").toString())).toEqual(["../short.txt"]);
      expect([kindsOf(found), found.omissions]).toEqual([[], []]);
    });
  }

  test("a PPMd model that starts anew many times gives the same bytes", async (ctx) => {
    if (!hasProgram("7z")) ctx.skip("7z is not installed");
    const text = Buffer.concat([mixedText(400_000), branchyCode(), mixedText(200_000), Buffer.alloc(100_000, "ab")]);
    writeFileSync(path.join(tree.directory, "text"), text);
    for (const settings of ["o=32:mem=64k", "o=16:mem=300k", "o=8:mem=1m", "o=3:mem=64k"]) {
      runIn(tree.directory, "7z", ["a", `-m0=PPMd:${settings}`, `${settings.replaceAll(":", "-")}.7z`, "text"]);
      const found = await readContainer(sevenZip, readFileSync(path.join(tree.directory, `${settings.replaceAll(":", "-")}.7z`)));
      expect([settings, found.members.map(({ state, bytes }) => [state, bytes?.equals(text)])]).toEqual([settings, [["ok", true]]]);
    }
  });

  test("bsdtar's archives are read as it reads them", async (ctx) => {
    if (!hasProgram("bsdtar")) ctx.skip("bsdtar is not installed");
    for (const compression of ["lzma1", "lzma2", "ppmd", "bzip2", "deflate", "store"]) {
      const file = `bsd-${compression}.7z`;
      runIn(tree.directory, "bsdtar", ["-c", "-f", file, "--format", "7zip", "--options", `7zip:compression=${compression}`, "tree"]);
      const found = await readContainer(sevenZip, readFileSync(path.join(tree.directory, file)));
      expect(found.members.filter(({ state }) => state !== "ok" && state !== "none")).toEqual([]);
      const theirs = runIn(tree.directory, "bsdtar", ["-tf", file]).toString().trim().split("\n");
      expect(found.members.map(({ name }) => name.replace(/\/$/, "")).sort()).toEqual(theirs.map((name) => name.replace(/\/$/, "")).sort());
      const short = found.members.find(({ name }) => name === "tree/inner/code");
      expect(short?.bytes?.equals(branchyCode())).toBe(true);
      expect([kindsOf(found), found.omissions]).toEqual([[], []]);
    }
  });

  test("encrypted members are named and keep their names; encrypted lists are named", async (ctx) => {
    if (!hasProgram("7z")) ctx.skip("7z is not installed");
    runIn(tree.directory, "7z", ["a", "-psecret", "members.7z", "tree"]);
    runIn(tree.directory, "7z", ["a", "-psecret", "-mhe=on", "list.7z", "tree"]);
    const members = await readContainer(sevenZip, readFileSync(path.join(tree.directory, "members.7z")));
    const files = members.members.filter(({ entry }) => entry.kind === "file" && entry.declaredBytes !== 0);
    expect(files.length).toBeGreaterThan(4);
    expect(files.map(({ state, entry }) => [state, entry.encrypted])).toEqual(files.map(() => ["encrypted", true]));
    const list = await readContainer(sevenZip, readFileSync(path.join(tree.directory, "list.7z")));
    expect([list.members, list.omissions.map(({ reason }) => reason)]).toEqual([[], ["encrypted"]]);
  });

  test("an archive behind a program is found, and so is what stands behind it", async (ctx) => {
    if (!hasProgram("7z")) ctx.skip("7z is not installed");
    runIn(tree.directory, "7z", ["a", "plain.7z", "tree"]);
    const archive = readFileSync(path.join(tree.directory, "plain.7z"));
    const found = await readContainer(sevenZip, Buffer.concat([branchyCode(), archive, Buffer.from("tail")]));
    expect(kindsOf(found)).toEqual(["prefix_data", "trailing_data"]);
    expect(found.members.every(({ state }) => state === "ok" || state === "none")).toBe(true);
    expect(found.members.length).toBe(judgedBy7z("plain.7z").length);
  });
});
