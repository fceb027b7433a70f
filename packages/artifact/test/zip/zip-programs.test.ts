import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zipFormats } from "../../src/formats/zip/index.js";
import { kindsOf, readContainer } from "../read-container.js";
import { hasProgram, runIn, sha256, smallTree } from "./programs.js";

let tree: ReturnType<typeof smallTree>;

/**
 * Lists names, sizes and SHA-256 of all files of archives as JSON. zipfile reads names without the UTF-8 flag in code page
 * 437, by the letter of the specification; on Unix hosts they are UTF-8, so they are turned back.
 */
const listing = `
import hashlib, json, sys, zipfile
def name(i):
    unix = i.create_system == 3 and not i.flag_bits & 0x800
    return i.filename.encode("cp437").decode("utf-8") if unix else i.filename
def rows(path):
    archive = zipfile.ZipFile(path)
    return [[name(i), i.file_size, hashlib.sha256(archive.read(i)).hexdigest()] for i in archive.infolist() if not i.is_dir()]
print(json.dumps({path: rows(path) for path in sys.argv[1:]}))
`;

/** Writes an archive to a pipe, so that sizes stand in descriptors. */
const streaming = `
import sys, zipfile
class Pipe:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with zipfile.ZipFile(Pipe(sys.stdout.buffer), "w", zipfile.ZIP_DEFLATED) as archive:
    for name in ["empty", "short.txt", "inner/text.txt", "inner/deep/zeros.bin"]:
        with open("tree/" + name, "rb") as source, archive.open(name, "w", force_zip64=name.startswith("inner")) as target:
            target.write(source.read())
`;

interface Writer {
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The archive comes on standard output. */
  readonly piped?: boolean;
}

const writers: readonly Writer[] = [
  { title: "zip", program: "zip", args: ["-q", "-r", "-y", "made.zip", "tree"] },
  { title: "zip to a pipe", program: "zip", args: ["-q", "-r", "-", "tree"], piped: true },
  { title: "zip with zip64 everywhere", program: "zip", args: ["-q", "-r", "-y", "-fz", "made.zip", "tree"] },
  { title: "zip with bzip2", program: "zip", args: ["-q", "-r", "-y", "-Z", "bzip2", "made.zip", "tree"] },
  { title: "7z with deflate", program: "7z", args: ["a", "-tzip", "-snl", "made.zip", "tree"] },
  { title: "7z with deflate64", program: "7z", args: ["a", "-tzip", "-mm=Deflate64", "made.zip", "tree"] },
  { title: "7z with bzip2", program: "7z", args: ["a", "-tzip", "-mm=BZip2", "made.zip", "tree"] },
  { title: "7z with LZMA", program: "7z", args: ["a", "-tzip", "-mm=LZMA", "made.zip", "tree"] },
  { title: "7z without compression", program: "7z", args: ["a", "-tzip", "-mm=Copy", "made.zip", "tree"] },
  { title: "jar", program: "jar", args: ["cf", "made.zip", "tree"] },
  { title: "bsdtar", program: "bsdtar", args: ["-c", "-f", "made.zip", "--format", "zip", "tree"] },
  { title: "python3 to a pipe", program: "python3", args: ["-c", streaming], piped: true },
];

const fileOf = (writer: Writer): string => `${writer.title.replaceAll(" ", "-")}.zip`;

function make(writer: Writer): void {
  const output = runIn(tree.directory, writer.program, writer.args.map((argument) => (argument === "made.zip" ? fileOf(writer) : argument)));
  if (writer.piped === true) writeFileSync(path.join(tree.directory, fileOf(writer)), output);
}

function archiveOf(writer: Writer): Buffer {
  return readFileSync(path.join(tree.directory, fileOf(writer)));
}

/** What python3 says of every archive it can read, asked once. */
let judgements: { readonly [file: string]: unknown } = {};

beforeAll(() => {
  tree = smallTree();
  const made = writers.filter(({ program }) => hasProgram(program));
  for (const writer of made) make(writer);
  const files = made.filter(({ title }) => !title.includes("deflate64")).map(fileOf);
  if (hasProgram("python3")) judgements = JSON.parse(runIn(tree.directory, "python3", ["-c", listing, ...files]).toString());
});
afterAll(() => {
  tree.done();
});

describe("archives of other programs", () => {
  for (const writer of writers) {
    test(`${writer.title}: names, sizes and contents are those of python3's zipfile or of 7z`, async (ctx) => {
      for (const program of [writer.program, "python3", "7z"]) if (!hasProgram(program)) ctx.skip(`${program} is not installed`);
      const found = await readContainer(zipFormats[0], archiveOf(writer));
      const ours = found.members.flatMap(({ name, entry, bytes }) => {
        const content = entry.linkTarget ?? bytes;
        return content === undefined ? [] : [[name, content.byteLength, sha256(content)]];
      });
      expect(ours).toEqual(judgements[fileOf(writer)] ?? judgedBy7z(fileOf(writer)));
      expect(found.members.filter(({ state }) => state !== "ok" && state !== "none")).toEqual([]);
      expect(kindsOf(found)).toEqual([]);
      expect(found.omissions).toEqual([]);
    });
  }
});

/** Every file's content from 7z, one after another in the archive's order. */
function judgedBy7z(file: string): unknown {
  const names = runIn(tree.directory, "7z", ["l", "-slt", file]).toString().split("----------")[1] ?? "";
  return names.split("\n\n").flatMap((block) => {
    const name = /^Path = (.*)$/m.exec(block)?.[1];
    if (name === undefined || /^Folder = \+/m.test(block)) return [];
    const content = runIn(tree.directory, "7z", ["e", "-so", file, name]);
    return [[name, content.byteLength, sha256(content)]];
  });
}

describe("encryption of other programs", () => {
  const encrypting: readonly (Writer & { readonly named: string })[] = [
    { title: "encrypting zip", program: "zip", args: ["-q", "-r", "-P", "secret", "made.zip", "tree"], named: "the classic ZIP cipher" },
    { title: "7z with AES", program: "7z", args: ["a", "-tzip", "-psecret", "-mem=AES256", "made.zip", "tree"], named: "WinZip AES-256" },
    { title: "7z with the classic cipher", program: "7z", args: ["a", "-tzip", "-psecret", "-mem=ZipCrypto", "made.zip", "tree"], named: "the classic ZIP cipher" },
  ];
  for (const writer of encrypting) {
    test(`${writer.title}: every member with content is encrypted and says how`, async (ctx) => {
      if (!hasProgram(writer.program)) ctx.skip(`${writer.program} is not installed`);
      make(writer);
      const found = await readContainer(zipFormats[0], archiveOf(writer));
      const files = found.members.filter(({ entry }) => entry.kind !== "directory" && entry.declaredBytes !== 0);
      expect(files.map(({ state }) => state)).toEqual(files.map(() => "encrypted"));
      for (const { entry } of files) expect(entry.limitations.join(" ")).toContain(writer.named);
      expect(kindsOf(found)).toEqual([]);
    });
  }
});

describe("split archives of other programs", () => {
  test("zip: members of other parts are missing, not broken", async (ctx) => {
    if (!hasProgram("zip")) ctx.skip("zip is not installed");
    runIn(tree.directory, "sh", ["-c", "zip -q -r -0 -s 64k split.zip tree"]);
    const found = await readContainer(zipFormats[0], readFileSync(path.join(tree.directory, "split.zip")));
    expect(found.omissions.map(({ reason }) => reason)).toContain("missing_companion");
    expect(found.members.map(({ state }) => state)).toContain("missing_companion");
    expect(found.members.map(({ state }) => state)).not.toContain("malformed");
  });
});
