import { readFileSync } from "node:fs";
import path from "node:path";

import { memorySource } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";

import { readElf } from "../src/elf/index.js";
import type { BinaryImage, ImageSymbol } from "../src/image.js";
import { buildElf, crossTargets, elfCorpus, presentHostFiles, type BuiltElf } from "./elf-samples.js";
import { hasProgram, output, partialOutput } from "./llvm-tools.js";
import { readelfDynamic, readelfFrames, readelfPackedPlaces, readelfRelocations, readelfSections, readelfSymbols } from "./readelf.js";

let built: BuiltElf | undefined;

beforeAll(() => {
  built = buildElf();
});

afterAll(() => {
  built?.remove();
});

function open(file: string): BinaryImage {
  return readElf(memorySource(readFileSync(file)));
}

function requireReadelf(context: TestContext): void {
  if (!hasProgram("readelf")) context.skip("readelf is not installed");
}

/** A judge that agrees on a cut table would prove little. */
function expectComplete(image: BinaryImage): void {
  const tables = [image.segments(), image.sections(), image.symbols(), image.imports(), image.exports(), image.relocations()];
  expect(tables.flatMap(({ omissions }) => omissions)).toEqual([]);
}

function compareSections(image: BinaryImage, file: string): void {
  const ours = image.sections().items.map((section) => ({
    name: section.name,
    va: section.va ?? 0n,
    size: Number(section.virtualSize),
    offset: section.file?.offset,
  }));
  // The model gives zero-fill sections no place in the file; readelf prints the offset they would have.
  const theirs = readelfSections(file).map(({ name, type, va, size, offset }) => ({
    name,
    va,
    size,
    offset: type === "NOBITS" || type === "NULL" ? undefined : offset,
  }));
  expect(ours).toEqual(theirs);
}

const typeWords: { readonly [type in ImageSymbol["type"]]: readonly string[] } = {
  function: ["FUNC"],
  object: ["OBJECT", "COMMON"],
  section: ["SECTION"],
  file: ["FILE"],
  tls: ["TLS"],
  "indirect-function": ["IFUNC"],
  none: ["NOTYPE"],
  other: [],
};

function compareSymbols(image: BinaryImage, file: string): void {
  const listed = readelfSymbols(file);
  // The model lists the static table first, readelf goes by section order.
  const theirs = ["symtab", "dynsym"].flatMap((table) => listed.filter((row) => row.table === table));
  const ours = image.symbols().items;
  expect(ours.length).toBe(theirs.length);
  const differences = ours.flatMap((symbol, index) => {
    const row = theirs[index];
    if (row === undefined) return ["missing"];
    const separator = symbol.defaultVersion === true ? "@@" : "@";
    const name = symbol.version === undefined ? symbol.name : `${symbol.name}${separator}${symbol.version}`;
    // No address is given to undefined, absolute, common and thread-local symbols.
    const addressAgrees = symbol.va === undefined ? unplaced(row.section, row.type) : symbol.va === row.value;
    const typeAgrees = typeWords[symbol.type].includes(row.type) || symbol.type === "other";
    const agrees = symbol.table === row.table && symbol.size === row.size && addressAgrees && typeAgrees && sameName(name, row.name);
    return agrees ? [] : [`${String(index)}: ${name} / ${row.name} ${row.type} ${row.section}`];
  });
  expect(differences).toEqual([]);
}

function unplaced(section: string, type: string): boolean {
  return ["UND", "ABS", "COM"].includes(section) || type === "TLS" || type === "FILE";
}

/** readelf leaves the version away where a symbol stands for the version itself (`V1@@V1`). */
function sameName(ours: string, theirs: string): boolean {
  return ours === theirs || ours === `${theirs}@@${theirs}`;
}

function compareRelocations(image: BinaryImage, file: string, judge: string): void {
  const theirs = readelfRelocations(file, judge);
  const ours = image.relocations().items.filter(({ section }) => !section.startsWith(".relr"));
  const shown = ours.map(({ va, type }, index) => {
    const unknown = theirs[index]?.type === "unrecognized";
    return `${va.toString(16)} ${unknown ? "unrecognized" : (type.split("/")[0] ?? "")}`;
  });
  expect(shown).toEqual(theirs.map(({ va, type }) => `${va.toString(16)} ${type}`));
}

function compareLibraries(image: BinaryImage, file: string): void {
  const libraries = image.libraries();
  expect(libraries.needed.map(({ name }) => name)).toEqual(readelfDynamic(file, "NEEDED"));
  expect(libraries.ownName === undefined ? [] : [libraries.ownName]).toEqual(readelfDynamic(file, "SONAME"));
  const paths = [...readelfDynamic(file, "RPATH"), ...readelfDynamic(file, "RUNPATH")].flatMap((text) => text.split(":"));
  expect(libraries.runPaths.map((entry) => entry.path)).toEqual(paths);
}

/** Tolerated: signal frames are declared from the byte before their code; the model names the code. */
function withoutEarlyByte(range: string): string {
  const [start = "", end = ""] = range.split("..");
  return start.endsWith("f") ? `${(BigInt(`0x${start}`) + 1n).toString(16)}..${end}` : range;
}

function compareFrames(image: BinaryImage, file: string): void {
  if (image.header.type === "ET_REL") return;
  const ours = image
    .unwindRanges()
    .items.filter(({ source }) => source === "eh_frame" || source === "debug_frame")
    .map(({ start, end }) => `${start.toString(16)}..${(end ?? 0n).toString(16)}`);
  const known = new Set(ours);
  // A frame for no code at all describes nothing; the model leaves it out.
  const theirs = readelfFrames(file)
    .filter((range) => range.split("..")[0] !== range.split("..")[1])
    .map((range) => (known.has(range) ? range : withoutEarlyByte(range)));
  expect([...ours].sort()).toEqual([...theirs].sort());
}

/** `nm -D` judges imports and exports. */
function compareLinkage(image: BinaryImage, file: string): void {
  if (image.header.type === "ET_REL") return;
  const listed = output("nm", ["-D", file]).split("\n").filter((line) => line !== "");
  const names = (wanted: (kind: string) => boolean): readonly string[] =>
    listed.flatMap((line) => {
      const match = /^[0-9a-f ]+ (\S) (.*)$/.exec(line);
      return match !== null && wanted(match[1] ?? "") ? [match[2] ?? ""] : [];
    });
  const defined = new Set(image.exports().items.map(({ name }) => name));
  // Copied data is defined here and imported at once; nm shows it on the defined side only.
  const imports = image.imports().items.filter(({ name }) => !defined.has(name));
  const ours = imports.map(({ name, version }) => `${name ?? ""}${version === undefined ? "" : `@${version}`}`);
  expect([...ours].sort()).toEqual([...names((kind) => ["U", "w", "v"].includes(kind))].sort());
  const theirs = names((kind) => !["U", "w", "v"].includes(kind)).map((name) => name.split("@")[0] ?? "");
  expect(image.exports().items.map(({ name }) => name ?? "").sort()).toEqual([...theirs].sort());
}

/** objdump names the stubs it can attribute; each must be one of ours, for the same import. */
function compareStubs(image: BinaryImage, file: string): void {
  if (image.architecture !== "x86_64" && image.architecture !== "x86") return;
  const plt = image.sections().items.filter(({ name }) => name.startsWith(".plt")).flatMap(({ name }) => ["-j", name]);
  if (plt.length === 0 || image.header.type === "ET_REL") return;
  const text = partialOutput("objdump", ["-d", "--no-show-raw-insn", ...plt, file]).text;
  const theirs = [...text.matchAll(/^([0-9a-f]+) <([^>+]+)@plt>:$/gm)].map(([, va = "", name = ""]) => `${BigInt(`0x${va}`).toString(16)} ${name.split("@")[0] ?? ""}`);
  const ours = image.imports().items.flatMap(({ name, stubs }) => stubs.map((va) => `${va.toString(16)} ${name ?? ""}`));
  const exported = image.exports().items.map(({ name }) => name);
  // A stub for a function that the file itself exports jumps through a slot, but imports nothing. `*ABS*` is a resolver.
  expect(theirs.filter((stub) => !ours.includes(stub) && !exported.includes(stub.split(" ")[1]) && !stub.includes("*ABS*"))).toEqual([]);
}

function compareAll(file: string, judge = "readelf"): void {
  const image = open(file);
  expectComplete(image);
  compareSections(image, file);
  compareSymbols(image, file);
  compareRelocations(image, file, judge);
  compareLibraries(image, file);
  compareFrames(image, file);
  compareLinkage(image, file);
  compareStubs(image, file);
}

describe("the ELF reader agrees with readelf and nm", () => {
  for (const file of presentHostFiles()) {
    test(`on ${file}`, (context) => {
      requireReadelf(context);
      compareAll(file);
    });
  }

  for (const [specification, name] of elfCorpus) {
    test(`on ${specification} ${name}`, async (context) => {
      requireReadelf(context);
      const file = await corpusFile(specification, name);
      if (file.state === "unavailable") return context.skip(file.reason);
      compareAll(file.path);
    });
  }

  const variants = ["relr.so", "android.so", "now.so", "program"];
  for (const name of [...crossTargets.flatMap((target) => [`${target}.o`, `${target}.so`]), ...variants]) {
    test(`on a built ${name}`, (context) => {
      requireReadelf(context);
      if (built === undefined) return context.skip("clang-19 with lld is not installed");
      compareAll(path.join(built.directory, name), name === "android.so" ? "llvm-readelf-19" : "readelf");
    });
  }

  test("on the places of packed relative relocations", (context) => {
    if (built === undefined) return context.skip("clang-19 with lld is not installed");
    const file = path.join(built.directory, "relr.so");
    const relocations = open(file).relocations().items.filter(({ section }) => section === ".relr.dyn");
    expect(relocations.map(({ va }) => va)).toEqual(readelfPackedPlaces(file));
    expect(relocations.length).toBeGreaterThan(1);
  });
});
