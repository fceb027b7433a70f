import { memorySource } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { readPe, type PeImage } from "../src/pe/index.js";
import { buildSmallPe, fileOffsetOf, smallPe } from "./pe-builder.js";
import { readEverything, readOrRefuse } from "./read-everything.js";

// Thousands of damaged files, or programs started by the dozen: the bound is for hangs, not for speed.
vi.setConfig({ testTimeout: 300_000 });

function changed(change: (bytes: Buffer) => void): PeImage {
  const bytes = buildSmallPe();
  change(bytes);
  return readPe(memorySource(bytes));
}

describe("the small sample", () => {
  const image = readPe(memorySource(buildSmallPe()));

  test("is read whole and without anomalies", () => {
    expect(readEverything(image)).toEqual([]);
    expect(image.anomalies().items).toEqual([]);
    expect([image.role(), image.managed, image.architecture, image.overlay()]).toEqual(["shared-library", false, "x86_64", undefined]);
  });

  test("imports by name and by ordinal, with slot and thunk", () => {
    const va = (rva: number): bigint => smallPe.imageBase + BigInt(rva);
    expect(image.imports().items.map(({ library, name, ordinal, slots, stubs }) => ({ library, name, ordinal, slots, stubs }))).toEqual([
      { library: "KERNEL32.dll", name: "Sleep", ordinal: undefined, slots: [va(smallPe.addressTable)], stubs: [va(0x1040)] },
      { library: "KERNEL32.dll", name: undefined, ordinal: 7, slots: [va(smallPe.addressTable + 8)], stubs: [] },
    ]);
  });

  test("exports count ordinals from the base, skip unused entries and show forwarders", () => {
    expect(image.exports().items.map(({ name, ordinal, forwarder, type }) => [name, ordinal, forwarder, type])).toEqual([
      ["begin", 5, undefined, "function"],
      ["fwd", 7, "A.b", "other"],
    ]);
    expect(image.libraries().ownName).toBe("small.dll");
  });

  test("unwind ranges know the function they continue", () => {
    expect(image.unwindRanges().items.map(({ start, primary }) => [start, primary])).toEqual([
      [smallPe.imageBase + 0x1000n, undefined],
      [smallPe.imageBase + 0x1020n, smallPe.imageBase + 0x1000n],
    ]);
  });

  test("a base relocation names the address it points to", () => {
    expect(image.relocations().items).toMatchObject([
      { va: smallPe.imageBase + BigInt(smallPe.callbacks), type: "IMAGE_REL_BASED_DIR64", section: ".rdata", target: smallPe.imageBase + 0x1000n },
    ]);
    expect(image.entryPoints().items.map(({ kind }) => kind)).toEqual(["entry", "tls-callback"]);
    expect(image.buildIds().items.map(({ kind, value }) => [kind, value])).toContainEqual(["pdb-path", "small.pdb"]);
  });
});

describe("damage", () => {
  test("a file cut at any byte is refused or never complete", () => {
    const whole = buildSmallPe();
    const complete: number[] = [];
    for (let length = 0; length < whole.length; length += 1) {
      const omissions = readOrRefuse(() => readPe(memorySource(whole.subarray(0, length))));
      if (omissions?.length === 0) complete.push(length);
    }
    expect(complete).toEqual([]);
  });

  test("flipped bits and random bytes give a typed refusal or a result, never anything else", () => {
    const whole = buildSmallPe();
    const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(flips, (places) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of places) bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at);
        readOrRefuse(() => readPe(memorySource(bytes)));
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2048 }), (noise) => {
        const bytes = Buffer.concat([whole.subarray(0, 0x1c0), noise]);
        readOrRefuse(() => readPe(memorySource(bytes)));
        readOrRefuse(() => readPe(memorySource(noise)));
      }),
      { numRuns: 300 },
    );
  });

  test("32-bit fields set to their extremes give a result", () => {
    const whole = buildSmallPe();
    for (let at = 0; at + 4 <= whole.length; at += 4) {
      for (const value of [0, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]) {
        const bytes = Buffer.from(whole);
        bytes.writeUInt32LE(value, at);
        readOrRefuse(() => readPe(memorySource(bytes)));
      }
    }
  });
});

describe("tables that never end", () => {
  test("an import lookup table without an end stops at what the file can hold", () => {
    const image = changed((bytes) => {
      // Every entry of the section is a valid ordinal, and many descriptors share them.
      for (let at = fileOffsetOf(0x2100); at < fileOffsetOf(0x2400); at += 8) bytes.writeBigUInt64LE(0x8000_0000_0000_0001n, at);
      for (let index = 0; index < 12; index += 1) {
        const at = fileOffsetOf(smallPe.importDirectory) + index * 20;
        bytes.writeUInt32LE(0x2100, at);
        bytes.writeUInt32LE(0x2100, at + 12);
        bytes.writeUInt32LE(0x2100, at + 16);
      }
    });
    expect(image.imports().items.length).toBeLessThanOrEqual(smallPe.fileSize / 8 + 1);
    expect(image.imports().omissions.map(({ reason }) => reason)).toContain("limit_items");
  });

  test("chained unwind information that refers to itself ends", () => {
    const image = changed((bytes) => bytes.writeUInt32LE(0x2230, fileOffsetOf(0x223c)));
    expect(image.unwindRanges().items).toHaveLength(2);
  });

  test("a relocation block of size zero or less than its header ends the table", () => {
    const image = changed((bytes) => bytes.writeUInt32LE(4, fileOffsetOf(smallPe.reloc) + 4));
    expect(image.relocations()).toMatchObject({ items: [], omissions: [{ reason: "malformed" }] });
  });

  test("an export table that claims four billion entries is clamped to its section", () => {
    const image = changed((bytes) => bytes.writeUInt32LE(0xffff_ffff, fileOffsetOf(smallPe.exportDirectory) + 20));
    expect(image.exports().items.length).toBeLessThan(400);
    expect(image.exports().omissions.length).toBeGreaterThan(0);
  });
});

describe("anomalies", () => {
  const kinds = (change: (bytes: Buffer) => void): readonly string[] => changed(change).anomalies().items.map(({ kind }) => kind);

  test("overlapping sections, data beyond the file, a second use of the headers and a wrong checksum are named", () => {
    expect(kinds((bytes) => bytes.writeUInt32LE(0x1100, 0x148 + 40 + 12))).toContain("section-overlap");
    expect(kinds((bytes) => bytes.writeUInt32LE(0x10_0000, 0x148 + 80 + 16))).toContain("size-beyond-file");
    expect(kinds((bytes) => bytes.writeUInt32LE(0x0100, 0x148 + 20))).toContain("header-in-two-places");
    expect(kinds((bytes) => bytes.writeUInt32LE(0x1234, 0x98))).toEqual(["wrong-checksum"]);
    expect(kinds((bytes) => bytes.writeUInt32LE(smallPe.importDirectory, 0xc8))).toContain("duplicate-table");
  });

  test("bytes behind the last section are the overlay", () => {
    const bytes = Buffer.concat([buildSmallPe(), Buffer.from("appended")]);
    expect(readPe(memorySource(bytes)).overlay()).toEqual({ offset: smallPe.fileSize, size: 8 });
  });
});

describe("roles", () => {
  test("follow flags, subsystem and kernel imports", () => {
    expect(changed((bytes) => bytes.writeUInt16LE(0x0020, 0x56)).role()).toBe("non-executable");
    expect(changed((bytes) => bytes.writeUInt16LE(0x0022, 0x56)).role()).toBe("application");
    expect(changed((bytes) => bytes.writeUInt16LE(11, 0x9c)).role()).toBe("driver");
    expect(
      changed((bytes) => {
        bytes.writeUInt16LE(0x0022, 0x56);
        bytes.writeUInt16LE(1, 0x9c);
        bytes.write("ntoskrnl.exe", fileOffsetOf(0x2090), "latin1");
      }).role(),
    ).toBe("driver");
  });
});
