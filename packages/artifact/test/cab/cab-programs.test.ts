import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cab } from "../../src/formats/cab/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { hasProgram, mixedText, runIn, sha256, smallTree } from "../zip/programs.js";
import { buildCab, type BuiltFolder } from "./build-cab.js";

let tree: ReturnType<typeof smallTree>;
beforeAll(() => {
  tree = smallTree();
});
afterAll(() => {
  tree.done();
});

/** Code with many calls, text, runs and noise: something for every part of a method. */
function mixedData(): Buffer {
  const calls = Buffer.concat(Array.from({ length: 3000 }, (_, index) => {
    const call = Buffer.from("90e80000000055", "hex");
    call.writeInt32LE((index * 7919) % 50_000 - 20_000, 2);
    return call;
  }));
  const noise = Buffer.alloc(9000);
  for (let at = 0, state = 1; at < noise.byteLength; at += 1) noise[at] = (state = (state * 48271) % 2147483647) >> 8;
  return Buffer.concat([mixedText(40_000), calls, Buffer.alloc(30_000, 7), noise, mixedText(70_000), noise, calls.subarray(0, 5001)]);
}

const data = mixedData();
const third = Math.floor(data.byteLength / 3);
const files = [
  { name: "first.bin", offset: 0, bytes: third },
  { name: "inner\\second.bin", offset: third, bytes: third + 1 },
  { name: "third.bin", offset: 2 * third + 1, bytes: data.byteLength - 2 * third - 1 },
];

const folders: readonly (BuiltFolder & { readonly title: string })[] = [
  { title: "stored", method: "stored", data },
  { title: "MSZIP", method: "mszip", data },
  { title: "LZX with a window of 32 KiB", method: "lzx", windowBits: 15, data },
  { title: "LZX with a window of 64 KiB", method: "lzx", windowBits: 16, data },
  { title: "LZX with a window of 2 MiB", method: "lzx", windowBits: 21, data },
  { title: "Quantum with a window of 1 KiB", method: "quantum", windowBits: 10, data },
  { title: "Quantum with a window of 64 KiB", method: "quantum", windowBits: 16, data },
  { title: "Quantum with a window of 2 MiB", method: "quantum", windowBits: 21, data },
];

describe("cabinets of our own making, as other programs read them", () => {
  for (const folder of folders) {
    test(`${folder.title}: the packed bytes give what was packed, here and in cabextract and 7z`, async (ctx) => {
      const bytes = buildCab({ folders: [folder], files });
      const found = await readContainer(cab, bytes);
      expect([statesOf(found), kindsOf(found), found.omissions]).toEqual([["first.bin=ok", "inner/second.bin=ok", "third.bin=ok"], [], []]);
      expect(Buffer.concat(found.members.map((member) => member.bytes ?? Buffer.alloc(0))).equals(data)).toBe(true);
      writeFileSync(path.join(tree.directory, "own.cab"), bytes);
      if (!hasProgram("cabextract")) ctx.skip("cabextract is not installed");
      // cabextract refuses matches over the end of a window that is smaller than a frame; 7z reads them.
      const isTiny = folder.windowBits !== undefined && folder.windowBits < 15;
      if (!isTiny) expect(sha256(runIn(tree.directory, "cabextract", ["-q", "-p", "own.cab"]))).toBe(sha256(data));
      if (!hasProgram("7z")) ctx.skip("7z is not installed");
      expect(sha256(runIn(tree.directory, "7z", ["e", "-so", "own.cab"]))).toBe(sha256(data));
    });
  }
});

describe("cabinets of other programs", () => {
  for (const [title, options] of [
    ["gcab, stored", []],
    ["gcab, MSZIP", ["-z"]],
  ] as const) {
    test(`${title}: names, sizes and contents are those that were packed`, async (ctx) => {
      if (!hasProgram("gcab")) ctx.skip("gcab is not installed");
      const names = ["empty", "short.txt", "inner/text.txt", "inner/deep/zeros.bin", "inner/deep/program", "grüße €.txt"];
      runIn(path.join(tree.directory, "tree"), "gcab", ["-c", ...options, "../made.cab", ...names]);
      const found = await readContainer(cab, readFileSync(path.join(tree.directory, "made.cab")));
      expect(statesOf(found)).toEqual(names.map((name) => `${name}=ok`));
      expect(found.members.map(({ bytes }) => sha256(bytes ?? Buffer.alloc(0)))).toEqual(names.map((name) => sha256(readFileSync(path.join(tree.directory, "tree", name)))));
      expect([kindsOf(found), found.omissions]).toEqual([[], []]);
    });
  }
});
