import { memorySource } from "@rea/core";
import { describe, expect, test } from "vitest";

import { isUniversal, readUniversal, selectSlice } from "../src/macho/index.js";

interface Entry {
  readonly cpu?: number;
  readonly subtype?: number;
  readonly offset: number;
  readonly size: number;
}

const arm64 = 0x0100000c;
const x64 = 0x01000007;

/** A universal header in either width and byte order, in a file of `size` bytes. */
function fat(entries: readonly Entry[], options: { readonly wide?: boolean; readonly little?: boolean; readonly size?: number; readonly count?: number } = {}): Buffer {
  const { wide = false, little = false, size = 0x4000, count = entries.length } = options;
  const bytes = Buffer.alloc(size);
  const u32 = (at: number, value: number): number => (little ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at));
  const u64 = (at: number, value: number): number => (little ? bytes.writeBigUInt64LE(BigInt(value), at) : bytes.writeBigUInt64BE(BigInt(value), at));
  u32(0, wide ? 0xcafebabf : 0xcafebabe);
  u32(4, count);
  entries.forEach(({ cpu = arm64, subtype = 0, offset, size: length }, index) => {
    const at = 8 + index * (wide ? 32 : 20);
    if (at + 32 > size) return;
    u32(at, cpu);
    u32(at + 4, subtype);
    (wide ? u64 : u32)(at + 8, offset);
    (wide ? u64 : u32)(at + (wide ? 16 : 12), length);
    u32(at + (wide ? 24 : 16), 14);
  });
  return bytes;
}

const two: readonly Entry[] = [
  { cpu: x64, subtype: 3, offset: 0x1000, size: 0x800 },
  { cpu: arm64, subtype: 2, offset: 0x2000, size: 0x900 },
];

describe("universal files", () => {
  test.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])("are read in 64-bit form %s, little-endian %s", (wide, little) => {
    const source = memorySource(fat(two, { wide, little }));
    expect(isUniversal(source)).toBe(true);
    expect(readUniversal(source)).toEqual({
      items: [
        { name: "x86_64", architecture: "x86_64", cpuType: "CPU_TYPE_X86_64", cpuSubtype: "CPU_SUBTYPE_X86_64_ALL", offset: 0x1000, size: 0x800, alignment: 0x4000 },
        { name: "arm64e", architecture: "arm64", cpuType: "CPU_TYPE_ARM64", cpuSubtype: "CPU_SUBTYPE_ARM64E", offset: 0x2000, size: 0x900, alignment: 0x4000 },
      ],
      omissions: [],
    });
  });

  test("a slice beyond the file and one over the header are left out and reported, the sound one stays", () => {
    const source = memorySource(fat([...two, { offset: 0x3000, size: 0x2000 }, { offset: 0x10, size: 0x100 }]));
    const { items, omissions } = readUniversal(source);
    expect(items.map(({ offset }) => offset)).toEqual([0x1000, 0x2000]);
    expect(omissions).toMatchObject([{ scope: "slices", reason: "malformed", count: 2 }]);
  });

  test("a 64-bit slice beyond 2^53 is left out and reported", () => {
    const bytes = fat(two, { wide: true });
    bytes.writeBigUInt64BE(0xffff_ffff_ffff_f000n, 16);
    expect(readUniversal(memorySource(bytes))).toMatchObject({ items: [{ name: "arm64e" }], omissions: [{ reason: "malformed" }] });
  });

  test("128 slices are read, 129 and none are refused, and so is a file without a usable slice", () => {
    const many = (count: number): Buffer => fat(Array.from({ length: count }, () => ({ offset: 0x2000, size: 0x10 })));
    expect(readUniversal(memorySource(many(128))).items).toHaveLength(128);
    for (const bytes of [many(129), many(0), fat([{ offset: 0x8000, size: 1 }])]) {
      expect(() => readUniversal(memorySource(bytes))).toThrow(expect.objectContaining({ code: "artifact_operation_failed" }));
    }
  });

  test("a cut header keeps what was readable", () => {
    const whole = fat(two);
    for (let length = 0; length < 48; length += 1) {
      expect(() => readUniversal(memorySource(whole.subarray(0, length)))).toThrow(expect.objectContaining({ code: "artifact_operation_failed" }));
    }
  });

  test("a Java class file is not taken for one", () => {
    // Version 52.0, then a constant pool of 29 entries that begins with a method reference.
    const classFile = Buffer.from("cafebabe00000034001d0a0006000f09001000110800120a00130014070015", "hex");
    expect(isUniversal(memorySource(classFile))).toBe(false);
    expect(() => readUniversal(memorySource(classFile))).toThrow(expect.objectContaining({ code: "artifact_operation_failed" }));
  });
});

describe("choosing a slice", () => {
  const { items } = readUniversal(memorySource(fat([...two, { cpu: arm64, subtype: 0, offset: 0x3000, size: 0x10 }])));

  test("prefers arm64 on every host, and exact names over architectures", () => {
    expect(selectSlice(items, undefined, "test").name).toBe("arm64");
    expect(selectSlice(items, "arm64e", "test").offset).toBe(0x2000);
    expect(selectSlice(items.slice(0, 2), "arm64", "test").name).toBe("arm64e");
    expect(selectSlice(items.slice(0, 1), undefined, "test").name).toBe("x86_64");
  });

  test("refuses an architecture that is not there and lists those that are", () => {
    expect(() => selectSlice(items, "mips", "test")).toThrow(
      expect.objectContaining({ code: "invalid_request", details: expect.objectContaining({ issues: [expect.objectContaining({ valid_keys: ["x86_64", "arm64e", "arm64"] })] }) }),
    );
  });
});
