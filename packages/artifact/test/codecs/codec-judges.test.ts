import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { expect, test } from "vitest";
import { codecs, decode } from "./run-codec.js";
import type { SampleName } from "./compressed-samples.js";

const maxBuffer = 1 << 28;
const runs = Buffer.concat([Buffer.alloc(300_000), Buffer.from("abc".repeat(3000)), Buffer.alloc(259, 0x61)]);
const noise = Buffer.concat(Array.from({ length: 3000 }, (_, n) => createHash("sha256").update(String(n)).digest()));
const program = machineCode();
const inputs = { empty: Buffer.alloc(0), one: Buffer.from("x"), runs, noise, program, branches: branches() };

/** Code from the middle of the running program. */
function machineCode(): Buffer {
  const file = openSync(process.execPath, "r");
  const bytes = Buffer.alloc(200_000);
  readSync(file, bytes, 0, bytes.byteLength, Math.floor(fstatSync(file).size / 2));
  closeSync(file);
  return bytes;
}

/** Noise full of what looks like branches of each instruction set that xz has a filter for. */
function branches(): Buffer {
  const bytes = Buffer.from(noise.subarray(0, 60_000));
  const marks = ["e8....00", "e9....ff", "......eb", "48.....1", "94......", "......94", "..f0..f8", "40......", "7fc.....", "......90", "......b0", "10", "12", "16"];
  for (let at = 0; at + 16 <= bytes.byteLength; at += 8) {
    const mark = marks[(at / 8) % marks.length] ?? "";
    const hex = bytes.toString("hex", at, at + mark.length / 2);
    bytes.write(Array.from(mark, (digit, index) => (digit === "." ? (hex[index] ?? "0") : digit)).join(""), at + ((at / 8) % 3 === 0 ? 0 : 4), "hex");
  }
  return bytes;
}

const commands: readonly (readonly [SampleName, string, readonly string[]])[] = [
  ["gzip", "gzip", ["-9c"]],
  ["bzip2", "bzip2", ["-1c"]],
  ["bzip2", "bzip2", ["-9c"]],
  ["xz", "xz", ["-0c"]],
  ["xz", "xz", ["-c", "--check=sha256", "--block-size=100000"]],
  ["xz", "xz", ["-c", "--check=crc32"]],
  ["xz", "xz", ["-c", "--check=none", "--delta=dist=3", "--lzma2=lc=1,lp=3,pb=0,dict=64KiB"]],
  ["xz", "xz", ["-c", "--x86", "--lzma2"]],
  ["xz", "xz", ["-c", "--x86=start=4096", "--delta=dist=1", "--lzma2"]],
  ["xz", "xz", ["-c", "--arm", "--lzma2"]],
  ["xz", "xz", ["-c", "--armthumb", "--lzma2"]],
  ["xz", "xz", ["-c", "--arm64", "--lzma2"]],
  ["xz", "xz", ["-c", "--powerpc", "--lzma2"]],
  ["xz", "xz", ["-c", "--ia64", "--lzma2"]],
  ["xz", "xz", ["-c", "--sparc", "--lzma2"]],
  ["lzma", "xz", ["--format=lzma", "-c"]],
  ["lzma", "xz", ["--format=lzma", "-c", "--lzma1=lc=4,lp=0,pb=4,dict=4KiB"]],
  ["zstd", "zstd", ["-qc", "-1"]],
  ["zstd", "zstd", ["-qc", "-19", "--no-check"]],
  ["zstd", "zstd", ["-qc", "-9", "--long=24"]],
  ["lz4", "lz4", ["-qc", "-1"]],
  ["lz4", "lz4", ["-qc", "-9", "-BD", "-B4", "-BX", "--no-frame-crc"]],
  ["lz4", "lz4", ["-qc", "-l"]],
  ["lz4", "lz4", ["-qc", "--content-size"]],
];

function compressWith(command: string, args: readonly string[], input: Buffer): Buffer {
  return execFileSync(command, [...args], { input, maxBuffer, stdio: ["pipe", "pipe", "ignore"] });
}

test.for(commands)("%s reads what %s %j writes", async ([name, command, args], context) => {
  if (spawnSync(command, ["--version"]).error !== undefined) context.skip(`${command} is not installed`);
  for (const [title, input] of Object.entries(inputs)) {
    const compressed = compressWith(command, args, input);
    const { bytes, used, error } = await decode(codecs[name], compressed, 65_536);
    expect(error, title).toBeUndefined();
    expect(bytes.equals(input), title).toBe(true);
    expect(used, title).toBe(compressed.byteLength);
  }
});
