import { memorySource } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { inspectMacho } from "../src/inspect-macho.js";
import { readMachO, type MachOImage } from "../src/macho/index.js";
import { buildSmallMachO, smallMachO, type SmallMachO } from "./macho-builder.js";
import { readEverything, readOrRefuse } from "./read-everything.js";

// Thousands of damaged files, or programs started by the dozen: the bound is for hangs, not for speed.
vi.setConfig({ testTimeout: 300_000 });

const open = (options?: SmallMachO): MachOImage => readMachO(memorySource(buildSmallMachO(options)));
const va = (offset: number): bigint => smallMachO.base + BigInt(offset);

describe("the small sample", () => {
  const image = open();

  test("is read whole and without anomalies", () => {
    expect(readEverything(image)).toEqual([]);
    expect(image.anomalies().items).toEqual([]);
    expect(image.overlay()).toBeUndefined();
    expect(inspectMacho(memorySource(buildSmallMachO())).coverage.state).toBe("complete");
  });

  test("joins bind, symbol, slot and stub of an import", () => {
    expect(image.imports().items).toMatchObject([
      { name: "_imported", library: "/usr/lib/libother.dylib", slots: [va(smallMachO.data)], stubs: [va(smallMachO.stubs)], type: "function" },
    ]);
  });

  test("a stub that the symbols no longer assign has the import of the slot it jumps through", () => {
    const bytes = buildSmallMachO();
    // adrp x16, +1 page; ldr x16, [x16]; br x16.
    for (const [index, word] of [0xb0000010, 0xf9400210, 0xd61f0200].entries()) bytes.writeUInt32LE(word, smallMachO.stubs + index * 4);
    // Says that the entry names no symbol.
    for (const index of [0, 1]) bytes.writeUInt32LE(0x80000000, smallMachO.indirect + index * 4);
    expect(readMachO(memorySource(bytes)).imports().items).toMatchObject([{ name: "_imported", stubs: [va(smallMachO.stubs)] }]);
    bytes.writeUInt32LE(0xd61f0220, smallMachO.stubs + 8);
    expect(readMachO(memorySource(bytes)).imports().items).toMatchObject([{ name: "_imported", stubs: [] }]);
  });

  test("finds entry, initialiser, export, function starts and unwind entries", () => {
    expect(image.entryPoints().items).toEqual([
      { va: va(0x800), kind: "entry", isMain: true },
      { va: va(0x820), kind: "init-array" },
    ]);
    expect(image.exports().items).toMatchObject([{ name: "_main", va: va(0x800), type: "function" }]);
    expect(image.unwindRanges().items.map(({ source, start }) => [source, start])).toEqual([
      ["function-starts", va(0x800)],
      ["function-starts", va(0x820)],
      ["unwind-info", va(0x800)],
      ["unwind-info", va(0x820)],
    ]);
  });
});

describe("damage", () => {
  test("a file cut at any byte is refused or never complete", () => {
    const whole = buildSmallMachO();
    const complete: number[] = [];
    for (let length = 0; length < whole.length; length += 1) {
      const omissions = readOrRefuse(() => readMachO(memorySource(whole.subarray(0, length))));
      if (omissions?.length === 0) complete.push(length);
    }
    expect(complete).toEqual([]);
  });

  test("flipped bits and random bytes give a typed refusal or a result, never anything else", () => {
    for (const whole of [buildSmallMachO(), buildSmallMachO({ opcodes: { rebase: [0x11, 0x21, 0x08, 0x51], bind: [0x11, 0x40, 0x5f, 0x61, 0, 0x71, 0, 0x90] } })]) {
      const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 12 });
      fc.assert(
        fc.property(flips, (places) => {
          const bytes = Buffer.from(whole);
          for (const [at, mask] of places) bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at);
          if (readOrRefuse(() => readMachO(memorySource(bytes))) !== undefined) inspectMacho(memorySource(bytes));
        }),
        { numRuns: 300 },
      );
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2048 }), fc.nat(1000), (noise, at) => {
        const bytes = buildSmallMachO();
        bytes.set(noise.subarray(0, bytes.length - at), at);
        readOrRefuse(() => readMachO(memorySource(bytes)));
        readOrRefuse(() => readMachO(memorySource(noise)));
      }),
      { numRuns: 300 },
    );
  });

  test("32-bit fields set to their extremes give a result", () => {
    const whole = buildSmallMachO();
    for (let at = 4; at + 4 <= whole.length; at += 4) {
      if (whole.readUInt32LE(at) === 0 && at > 0x500 && at % 16 !== 0) continue;
      for (const value of [0, 0x7fff_ffff, 0xffff_ffff]) {
        const bytes = Buffer.from(whole);
        bytes.writeUInt32LE(value, at);
        readOrRefuse(() => readMachO(memorySource(bytes)));
      }
    }
  });
});

describe("structures that never end", () => {
  test("an export trie with a cycle is walked once", () => {
    const image = open({ trie: [0x00, 0x02, 0x61, 0, 0x00, 0x62, 0, 0x08, 0x03, 0x00, 0x80, 0x10, 0x00] });
    expect(image.exports().omissions).toMatchObject([{ scope: "exports", reason: "malformed" }]);
    expect(image.exports().items.length).toBeLessThan(3);
  });

  test("a chain that points on and on stops at the end of its segment", () => {
    const step = (1n << 63n) | (1n << 51n);
    const image = open({ pointers: Array.from({ length: 64 }, () => step | (2n << 51n)) });
    expect(image.relocations().items.length).toBeLessThanOrEqual(smallMachO.fileSize / 4);
  });

  test("opcodes that repeat a fix-up without end are cut and reported", () => {
    const many = [0xff, 0xff, 0xff, 0xff, 0x0f];
    const rebased = open({ opcodes: { rebase: [0x11, 0x21, 0x00, 0x60, ...many] } }).relocations();
    expect(rebased.items.length).toBeLessThan(smallMachO.fileSize);
    expect(rebased.omissions).toMatchObject([{ scope: "fixups", reason: "malformed" }]);
    // Repeating with a negative skip stays at one address for ever.
    const back = [0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    const bound = open({ opcodes: { bind: [0x11, 0x40, 0x5f, 0, 0x71, 0, 0xc0, ...many, ...back] } }).relocations();
    expect(bound.items.length).toBeLessThan(smallMachO.fileSize * 4);
    expect(bound.omissions).toMatchObject([{ scope: "fixups", reason: "malformed" }]);
  });

  test("pages of chain starts that overlap end after the bytes of their table", () => {
    const bytes = buildSmallMachO();
    // All segments name one table, and its page count reaches over everything behind it.
    for (const index of [0, 1, 2]) bytes.writeUInt32LE(0x10, smallMachO.fixups + 0x24 + index * 4);
    bytes.writeUInt16LE(0xffff, smallMachO.fixups + 0x30 + 20);
    const table = readMachO(memorySource(bytes)).relocations();
    expect(table.items.length).toBeLessThan(smallMachO.fileSize);
    expect(table.omissions.map(({ reason }) => reason)).toContain("malformed");
  });

  test("sections of an object that share their relocations list them once over the file at most", () => {
    const bytes = buildSmallMachO();
    bytes.writeUInt32LE(1, 12);
    // Relocation offset and count of the three sections of the first segment.
    for (const index of [0, 1, 2]) {
      bytes.writeUInt32LE(0, 32 + 72 + index * 80 + 56);
      bytes.writeUInt32LE(0xff_ffff, 32 + 72 + index * 80 + 60);
    }
    const table = readMachO(memorySource(bytes)).relocations();
    expect(table.items.length).toBeLessThan(smallMachO.fileSize / 8 + 8);
    expect(table.omissions).toMatchObject([{ scope: "relocations", reason: "malformed" }]);
  });

  test("lazy binds run past the end marker of each entry", () => {
    const entry = (offset: number): readonly number[] => [0x71, offset, 0x11, 0x40, 0x5f, 0x78, 0, 0x90, 0x00];
    const image = open({ opcodes: { lazy: [...entry(0x10), ...entry(0x18)] } });
    expect(image.relocations().items.map(({ va: at, type, symbol }) => [at, type, symbol])).toEqual([
      [va(0x1010), "lazy-bind", "_x"],
      [va(0x1018), "lazy-bind", "_x"],
    ]);
  });
});

describe("pointer formats of chained fix-ups", () => {
  const fixed = (format: number, pointers: readonly bigint[]) =>
    open({ format, pointers }).relocations().items.map(({ va: at, type, target, symbol, addend }) => ({ at, type, target, symbol, addend }));

  test("DYLD_CHAINED_PTR_64 holds addresses, the offset form counts from the header", () => {
    const rebase = { at: va(0x1000), type: "chained-rebase", target: va(0x820), symbol: undefined, addend: undefined };
    expect(fixed(2, [va(0x820)])).toEqual([rebase]);
    expect(fixed(6, [0x820n])).toEqual([rebase]);
    expect(fixed(2, [(1n << 63n) | (5n << 24n)])).toEqual([{ at: va(0x1000), type: "chained-bind", target: undefined, symbol: "_imported", addend: 5n }]);
  });

  test("ARM64E pointers may be authenticated, bind with a signed addend, and advance by 8", () => {
    const next = 1n << 51n;
    const bind = 1n << 62n;
    const authenticated = 1n << 63n;
    const minusTwo = BigInt.asUintN(19, -2n) << 32n;
    expect(fixed(1, [va(0x820) | next, authenticated | 0x800n | next, bind | minusTwo | next, authenticated | bind | (0xabcdn << 32n)])).toEqual([
      { at: va(0x1000), type: "chained-rebase", target: va(0x820), symbol: undefined, addend: undefined },
      { at: va(0x1008), type: "chained-auth-rebase", target: va(0x800), symbol: undefined, addend: undefined },
      { at: va(0x1010), type: "chained-bind", target: undefined, symbol: "_imported", addend: -2n },
      { at: va(0x1018), type: "chained-auth-bind", target: undefined, symbol: "_imported", addend: 0n },
    ]);
  });

  test("the userland forms hold offsets, the 24-bit form has longer ordinals, kernels advance by 4", () => {
    expect(fixed(9, [0x820n])).toMatchObject([{ target: va(0x820) }]);
    // Ordinal 0x10000 does not exist; 16-bit formats would read 0.
    expect(fixed(12, [(1n << 62n) | 0x10000n])).toMatchObject([{ type: "chained-bind", symbol: undefined }]);
    expect(fixed(9, [(1n << 62n) | 0x10000n])).toMatchObject([{ symbol: "_imported" }]);
    expect(fixed(7, [0x820n | (2n << 51n), 0x800n])).toMatchObject([{ target: va(0x820) }, { at: va(0x1008), target: va(0x800) }]);
  });

  test("an unknown format is reported, not guessed", () => {
    const table = open({ format: 99 }).relocations();
    expect(table.items).toEqual([]);
    expect(table.omissions).toMatchObject([{ scope: "fixups", reason: "unsupported_method" }]);
  });
});
