import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { memorySource, operations, ReaError } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { inspectBinary } from "../src/inspect-binary.js";
import type { BinaryImage } from "../src/image.js";
import { openImage } from "../src/open-image.js";
import { makeElf, makeSymbols } from "./elf-builder.js";
import { hasProgram, output } from "./llvm-tools.js";
import { tablesOf } from "./read-everything.js";

/** Opens and reads everything; the only error allowed is a `ReaError`. Undefined when the file did not open. */
function survive(bytes: Uint8Array): BinaryImage | undefined {
  try {
    const image = openImage(memorySource(bytes));
    tablesOf(image);
    return image;
  } catch (error) {
    if (error instanceof ReaError) return undefined;
    throw error;
  }
}

const symbolNames = Buffer.from("\0one\0two\0");

function small(bits: 32 | 64, endian: "little" | "big"): Uint8Array {
  const text = Uint8Array.from({ length: 32 }, (_, index) => index);
  return makeElf({
    bits,
    endian,
    entry: 0x1004,
    programs: [{ type: 1, offset: 0, va: 0x1000, size: 200 }],
    sections: [
      { name: ".text", type: 1, flags: 6, va: 0x1000, data: text },
      { name: ".symtab", type: 2, data: makeSymbols([1, 5]), link: 3, info: 1 },
      { name: ".strtab", type: 3, data: symbolNames },
      { name: ".rela.text", type: 4, data: new Uint8Array(48).fill(3), link: 2 },
      { name: ".eh_frame", type: 1, flags: 2, va: 0x1040, data: new Uint8Array(40).fill(7) },
      { name: ".note", type: 7, data: new Uint8Array(40).fill(1) },
    ],
  });
}

const shapes: readonly (readonly [32 | 64, "little" | "big"])[] = [
  [64, "little"],
  [64, "big"],
  [32, "little"],
  [32, "big"],
];

describe("damaged ELF files", () => {
  test.each(shapes)("a %i-bit %s-endian file cut at any byte never crashes and is never complete", (bits, endian) => {
    const whole = small(bits, endian);
    for (let length = 0; length < whole.length; length += 1) {
      const image = survive(whole.subarray(0, length));
      if (image === undefined) continue;
      expect(tablesOf(image).some(({ omissions }) => omissions.length > 0)).toBe(true);
    }
  });

  test.each(shapes)("a %i-bit %s-endian file with flipped bits gives results or a ReaError", (bits, endian) => {
    const whole = small(bits, endian);
    const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(flips, (changes) => {
        const bytes = whole.slice();
        for (const [at, mask] of changes) bytes[at] = (bytes[at] ?? 0) ^ mask;
        survive(bytes);
      }),
      { numRuns: 500 },
    );
  });

  test("random bytes behind an ELF magic give results or a ReaError", () => {
    const tail = fc.uint8Array({ minLength: 0, maxLength: 600 });
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.constantFrom(1, 2), tail, (classByte, order, rest) => {
        survive(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, classByte, order, 1, ...rest]));
      }),
      { numRuns: 1000 },
    );
  });

  test("a real program with flipped bits gives results that keep to the operation's schema", (context) => {
    const file = "/usr/bin/true";
    if (!existsSync(file)) return context.skip("/usr/bin/true is not there");
    const whole = readFileSync(file);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 200 }), (changes) => {
        const bytes = Uint8Array.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        if (survive(bytes) === undefined) return;
        const result = inspectBinary(memorySource(bytes), { symbol_limit: 500 });
        expect(operations.inspect_binary.result.safeParse(result).success).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test("a symbol table that claims 2^32 entries yields the entries that are there and an omission", () => {
    const bytes = makeElf({
      sections: [
        { name: ".text", type: 1, flags: 6, va: 0x1000, data: new Uint8Array(16) },
        { name: ".symtab", type: 2, data: makeSymbols([1, 5]), size: 2 ** 32 * 24, link: 3 },
        { name: ".strtab", type: 3, data: symbolNames },
      ],
    });
    const { items, omissions } = openImage(memorySource(bytes)).symbols();
    expect(items.slice(0, 2).map(({ name }) => name)).toEqual(["one", "two"]);
    expect(items.length * 24).toBeLessThanOrEqual(bytes.length);
    expect(omissions.map(({ reason, scope }) => `${reason} ${scope}`)).toContain("malformed symtab symbols");
  });

  test("a symbol whose name offset lies outside the string table keeps its place without a name", () => {
    const bytes = makeElf({
      sections: [
        { name: ".text", type: 1, flags: 6, va: 0x1000, data: new Uint8Array(16) },
        { name: ".symtab", type: 2, data: makeSymbols([1, 5000]), link: 3 },
        { name: ".strtab", type: 3, data: symbolNames },
      ],
    });
    const { items, omissions } = openImage(memorySource(bytes)).symbols();
    expect(items.map(({ name }) => name)).toEqual(["one", ""]);
    expect(omissions).toMatchObject([{ scope: "symtab names", reason: "malformed", count: 1 }]);
  });

  test("names that are not UTF-8 keep their bytes and are shown escaped", () => {
    const name = Uint8Array.from([0x2e, 0x80, 0xff, 0x61, 0xc3, 0xa9]);
    const bytes = makeElf({ sections: [{ name, type: 1, data: new Uint8Array(4) }] });
    const result = inspectBinary(memorySource(bytes), { facets: ["sections"] });
    expect(result.sections?.items[0]?.name).toBe(".\\x{80}\\x{ff}aé");
  });

  test("text of the file that could steer a terminal or a reader is escaped", () => {
    const bytes = makeElf({ sections: [{ name: "\u001b[31m\u202eevil", type: 1, data: new Uint8Array(4) }] });
    const result = inspectBinary(memorySource(bytes), { facets: ["sections"] });
    expect(result.sections?.items[0]?.name).toBe("\\u{1b}[31m\\u{202e}evil");
  });

  test("10,000 sections are read, and the result lists a bounded part of them and says so", () => {
    const sections = Array.from({ length: 10_000 }, (_, index) => ({ name: `.s${String(index)}`, type: 1 }));
    const bytes = makeElf({ sections });
    expect(openImage(memorySource(bytes)).sections().items).toHaveLength(10_001);
    const result = inspectBinary(memorySource(bytes), { facets: ["sections"] });
    expect(result.sections?.items).toHaveLength(500);
    expect(result.sections?.coverage).toMatchObject({ state: "partial", omissions: [{ reason: "limit_items", count: 9501 }] });
    expect(result.limitations).toHaveLength(1);
  });

  test("counts too large for the header are taken from section 0", () => {
    const sections = Array.from({ length: 66_000 }, () => ({ name: "", type: 1 }));
    const bytes = makeElf({ sections, programs: [{ type: 1, offset: 0, va: 0x1000, size: 64 }], extended: true });
    const image = openImage(memorySource(bytes));
    expect(image.sections().items).toHaveLength(66_001);
    expect(image.sections().items.at(-1)?.name).toBe(".shstrtab");
    expect(image.segments().items).toHaveLength(1);
    expect([...image.sections().omissions, ...image.segments().omissions]).toEqual([]);
  });

  test("sections that overlap, leave the file or contradict the segments are anomalies", () => {
    const bytes = makeElf({
      entry: 0x99,
      programs: [{ type: 1, flags: 7, offset: 0, va: 0x1000, size: 120 }],
      sections: [
        { name: ".text", type: 1, flags: 6, va: 0x5000, data: new Uint8Array(16), size: 64 },
        { name: ".data", type: 1, flags: 3, va: 0x1000, data: new Uint8Array(16) },
        { name: ".far", type: 1, data: new Uint8Array(1), size: 1_000_000 },
      ],
    });
    const kinds = openImage(memorySource(bytes)).anomalies().items.map(({ kind }) => kind);
    const wanted = ["overlapping_sections", "section_beyond_file", "section_segment_disagreement", "entry_outside_segments", "writable_and_executable"];
    expect(kinds).toEqual(expect.arrayContaining(wanted));
  });

  test("what follows the last header or section is the overlay, with digest and format", () => {
    const zip = Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(60)]);
    const bytes = makeElf({ sections: [{ name: ".text", type: 1, data: new Uint8Array(16) }], overlay: zip });
    const { overlay, container_hints: hints } = inspectBinary(memorySource(bytes), { facets: ["overlay", "container_hints"] });
    expect(overlay).toMatchObject({ present: true, file_offset: bytes.length - 64, size: 64, format: "zip" });
    expect(hints?.items).toContainEqual({ kind: "zip", basis: "signature at the start of the overlay", file_offset: bytes.length - 64, size: 64 });
  });
});

describe("a library whose section headers were removed", () => {
  test("still gives its symbols, imports, relocations and unwind ranges", (context) => {
    const needed = ["clang-19", "ld.lld-19", "llvm-objcopy-19"];
    if (!needed.every(hasProgram)) return context.skip("clang-19 with lld and llvm-objcopy is not installed");
    const directory = mkdtempSync(path.join(tmpdir(), "rea-elf-"));
    try {
      for (const style of ["gnu", "sysv"]) compareStripped(directory, style);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

const librarySource = `
extern int outside(int); extern int data_outside; int shared = 1; int *inside = &shared;
int caller(int a) { return outside(a) + data_outside; }
int other(int a) { return caller(a) * outside(a + 1); }
`;

function compareStripped(directory: string, style: string): void {
  writeFileSync(path.join(directory, "a.c"), librarySource);
  output("clang-19", ["--target=x86_64-linux-gnu", "-fPIC", "-O1", "-c", "a.c", "-o", "a.o"], directory);
  output("ld.lld-19", ["-shared", "--eh-frame-hdr", `--hash-style=${style}`, "-s", "a.o", "-o", "a.so"], directory);
  output("llvm-objcopy-19", ["--strip-sections", "a.so", "b.so"], directory);
  const open = (name: string): BinaryImage => openImage(memorySource(readFileSync(path.join(directory, name))));
  const [whole, bare] = [open("a.so"), open("b.so")];
  expect(bare.sections().items).toEqual([]);
  expect(bare.symbols().items.map(({ name, va }) => [name, va])).toEqual(whole.symbols().items.map(({ name, va }) => [name, va]));
  expect(bare.imports().items).toEqual(whole.imports().items);
  expect(bare.imports().items.find(({ name }) => name === "outside")?.stubs).toHaveLength(1);
  expect(bare.exports().items).toEqual(whole.exports().items);
  const places = (image: BinaryImage) => image.relocations().items.map(({ va, type, target }) => ({ va, type, target }));
  expect(places(bare)).toEqual(places(whole));
  const sorted = (image: BinaryImage) => image.unwindRanges().items.map(({ start }) => start).sort();
  expect(sorted(bare)).toEqual(sorted(whole));
  expect(bare.unwindRanges().items).toHaveLength(2);
}
