import { crc32 } from "node:zlib";
import { memorySource } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { containerHints } from "../src/container-hints.js";
import { openImage } from "../src/open-image.js";
import { makeElf } from "./elf-builder.js";
import { buildSmallMachO } from "./macho-builder.js";
import { buildSmallPe, fileOffsetOf, smallPe } from "./pe-builder.js";

const hintsOf = (bytes: Uint8Array): readonly (readonly [string, number | undefined, number | undefined])[] =>
  containerHints(openImage(memorySource(bytes))).map(({ kind, file }) => [kind, file?.offset, file?.size]);

const program = Buffer.from(makeElf({ sections: [{ name: ".rodata", type: 1, data: Buffer.from("text of the program") }] }));
const size = program.byteLength;
const behind = (...parts: readonly (string | Buffer)[]): Buffer => Buffer.concat([program, ...parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part))]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** An archive of one stored member whose offsets count from `base`. */
function zip(base = 0): Buffer {
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(22), Buffer.from([1, 0, 0, 0]), Buffer.from("a")]);
  const central = Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.alloc(24), Buffer.from([1, 0]), Buffer.alloc(12), u32(base), Buffer.from("a")]);
  return Buffer.concat([local, central, Buffer.from("PK\u0005\u0006"), Buffer.alloc(4), Buffer.from([1, 0, 1, 0]), u32(central.byteLength), u32(base + local.byteLength), Buffer.alloc(2)]);
}

function sevenZip(length: number): Buffer {
  const bytes = Buffer.alloc(32 + length);
  bytes.write("377abcaf271c0004", "hex");
  bytes.writeBigUInt64LE(BigInt(length), 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(12, 32)), 8);
  return bytes;
}

function squashfs(): Buffer {
  const bytes = Buffer.alloc(96);
  bytes.write("hsqs");
  bytes.writeUInt32LE(131_072, 12);
  bytes.writeUInt16LE(17, 22);
  bytes.writeUInt16LE(4, 28);
  bytes.writeBigUInt64LE(96n, 40);
  return bytes;
}

function cabinet(): Buffer {
  const bytes = Buffer.alloc(60);
  bytes.write("MSCF");
  bytes.writeUInt32LE(60, 8);
  bytes.set([3, 1], 24);
  return bytes;
}

function nsis(left: number): Buffer {
  return Buffer.concat([u32(0), u32(0xdeadbeef), Buffer.from("NullsoftInst"), u32(8), u32(left), Buffer.alloc(left - 28)]);
}

function pyinstaller(archive: Buffer): Buffer {
  const cookie = Buffer.alloc(88);
  cookie.write("MEI\u000c\u000b\u000a\u000b\u000e", "latin1");
  cookie.writeUInt32BE(archive.byteLength + 88, 8);
  return Buffer.concat([archive, cookie]);
}

function bun(modules: Buffer): Buffer {
  const record = Buffer.alloc(32);
  record.writeBigUInt64LE(BigInt(modules.byteLength));
  record.writeUInt32LE(0, 8);
  record.writeUInt32LE(modules.byteLength, 12);
  return Buffer.concat([modules, record, Buffer.from("\n---- Bun! ----\n")]);
}

describe("an archive behind a program", () => {
  const cases: readonly (readonly [string, Buffer, readonly (readonly [string, number | undefined, number | undefined])[]])[] = [
    ["a ZIP archive", behind(zip()), [["zip", size, zip().byteLength]]],
    ["a ZIP archive whose offsets were adjusted", behind(zip(size)), [["zip", size, zip().byteLength]]],
    ["a ZIP archive behind a loader", behind("loader", zip()), [["zip", size + 6, zip().byteLength]]],
    ["a 7z archive behind an installer's configuration", behind(";!@Install@!UTF-8!\n", sevenZip(40), "more"), [["7z-sfx", size, 95], ["7z", size + 19, 72]]],
    ["a SquashFS image, as in an AppImage", behind(squashfs(), Buffer.alloc(4000)), [["squashfs", size, 96]]],
    ["a cabinet", behind("stub", cabinet()), [["cab", size + 4, 60]]],
    ["a RAR archive", behind("Rar!\u001a\u0007\u0000rest and more"), [["rar", size, 20]]],
    ["an NSIS installer", behind(nsis(100), "signature"), [["nsis", size, 100]]],
    ["a PyInstaller program", behind(pyinstaller(Buffer.alloc(50))), [["pyinstaller", size, 138]]],
    ["a Bun program", behind(bun(Buffer.from("modules")), Buffer.alloc(8)), [["bun-single-file", size, 55]]],
    ["something that is none", behind("just text"), []],
    ["a 7z signature without a header that holds", behind("text", sevenZip(40).fill(1, 12, 13)), []],
  ];

  test.each(cases)("%s is told with its place", (_, bytes, expected) => {
    expect(hintsOf(bytes)).toEqual(expected);
  });
});

test("a disc image that starts with a program is told as the whole file", () => {
  const image = Buffer.alloc(40_000);
  program.copy(image);
  image.write("CD001", 32_769);
  expect(hintsOf(image)).toContainEqual(["iso9660", 0, 40_000]);
});

test("modules of Bun that are a section are told without the length in front", () => {
  const modules = bun(Buffer.from("modules"));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(modules.byteLength));
  const bytes = Buffer.from(makeElf({ sections: [{ name: ".bun", type: 1, data: Buffer.concat([length, modules, Buffer.alloc(3)]) }] }));
  expect(hintsOf(bytes)).toEqual([["bun-single-file", bytes.indexOf("modules"), modules.byteLength]]);
});

test("a Node.js application in a note is told at its data", () => {
  const note = Buffer.concat([u32(14), u32(5), u32(0), Buffer.from("NODE_SEA_BLOB\0\0\0"), Buffer.from("inner")]);
  const bytes = Buffer.from(makeElf({ sections: [{ name: ".note", type: 7, data: note }] }));
  expect(hintsOf(bytes)).toEqual([["node-sea-blob", bytes.indexOf("inner"), 5]]);
});

test("a program in a section is told; the constant by which loaders know one is not", () => {
  const outer = (data: Uint8Array): Buffer => Buffer.from(makeElf({ sections: [{ name: ".rodata", type: 1, flags: 2, data }] }));
  expect(hintsOf(outer(program)).map(([kind]) => kind)).toEqual(["elf"]);
  expect(hintsOf(outer(Buffer.from(program).fill(0, 16, 18)))).toEqual([]);
});

/** Files of this size may be the host of a runtime. */
function runtime(rodata: Buffer): Buffer {
  return Buffer.concat([makeElf({ sections: [{ name: ".rodata", type: 1, flags: 2, data: rodata }] }), Buffer.alloc(1024 * 1024)]);
}

test("fuses and marks of runtimes are told where they are set", () => {
  const fuse = (state: string): Buffer => runtime(Buffer.from(`NODE_OPTIONS NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:${state}`));
  expect(hintsOf(fuse("1"))).toEqual([["node-single-executable", fuse("1").indexOf("NODE_SEA_FUSE"), 48]]);
  expect(hintsOf(fuse("0"))).toEqual([]);
  const host = (offset: number): Buffer => runtime(Buffer.concat([Buffer.alloc(16, offset), Buffer.from("8b1202b96a612038727b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae", "hex")]));
  expect(hintsOf(host(1)).map(([kind]) => kind)).toEqual(["dotnet-single-file"]);
  expect(hintsOf(host(0))).toEqual([]);
});

test("the payload that a start-up script of pkg names is told; placeholders are none", () => {
  const script = (position: string, length: string): Buffer => runtime(Buffer.from(`NODE_OPTIONS PAYLOAD_POSITION = '${position}' | 0; PAYLOAD_SIZE = '${length}' | 0;`));
  expect(hintsOf(script("16                     ", "32                 "))).toEqual([["pkg-payload", 16, 32]]);
  expect(hintsOf(script("// PAYLOAD_POSITION //", "// PAYLOAD_SIZE //"))).toEqual([]);
  expect(hintsOf(script("16                     ", "99999999           "))).toEqual([]);
});

/** Resources of one type and language, at an unused place of the sample. */
function withResources(resources: readonly { readonly name: string; readonly data: Buffer }[]): Buffer {
  const header = buildSmallPe();
  const at = fileOffsetOf(smallPe.rdata);
  const base = Buffer.alloc(0x400);
  const pe = header.readUInt32LE(60);
  header.writeUInt32LE(smallPe.rdata, pe + 24 + 112 + 16);
  header.writeUInt32LE(0x400, pe + 24 + 112 + 20);
  base.writeUInt16LE(1, 14);
  base.writeUInt32LE(10, 16);
  base.writeUInt32LE(0x8000_0018, 20);
  base.writeUInt16LE(resources.length, 0x18 + 12);
  let dataAt = 0x200;
  for (const [index, { name, data: content }] of resources.entries()) {
    const nameAt = 0x100 + index * 0x40;
    const leaf = 0x80 + index * 0x30;
    base.writeUInt32LE(0x8000_0000 + nameAt, 0x28 + index * 8);
    base.writeUInt32LE(0x8000_0000 + leaf, 0x2c + index * 8);
    base.writeUInt16LE(name.length, nameAt);
    base.write(name, nameAt + 2, "utf16le");
    base.writeUInt16LE(1, leaf + 14);
    base.writeUInt32LE(1033, leaf + 16);
    base.writeUInt32LE(leaf + 24, leaf + 20);
    base.writeUInt32LE(smallPe.rdata + dataAt, leaf + 24);
    base.writeUInt32LE(content.byteLength, leaf + 28);
    content.copy(base, dataAt);
    dataAt += content.byteLength;
  }
  base.copy(header, at);
  return header;
}

test("resources that are containers, and those of known installers, are told", () => {
  const at = fileOffsetOf(smallPe.rdata) + 0x200;
  const bytes = withResources([
    { name: "CABINET", data: Buffer.concat([cabinet(), Buffer.alloc(8)]) },
    { name: "NODE_SEA_BLOB", data: Buffer.from("application") },
  ]);
  expect(hintsOf(bytes)).toEqual([["cab", at, 68], ["node-sea-blob", at + 68, 11]]);
});

test("resource directories that lead back to themselves end", () => {
  const bytes = withResources([{ name: "A", data: Buffer.alloc(4) }]);
  bytes.writeUInt32LE(0x8000_0000, fileOffsetOf(smallPe.rdata) + 20);
  expect(hintsOf(bytes)).toEqual([]);
});

test("an archive behind a Mach-O program is told", () => {
  const macho = buildSmallMachO();
  expect(hintsOf(Buffer.concat([macho, zip()]))).toEqual([["zip", macho.byteLength, zip().byteLength]]);
});

test("changed bytes give hints inside the file, or none", () => {
  const samples = [behind(zip()), behind(sevenZip(40)), behind(nsis(100)), behind(pyinstaller(Buffer.alloc(50))), behind(bun(Buffer.from("modules")), Buffer.alloc(8)), withResources([{ name: "CABINET", data: cabinet() }])];
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), (bytes, changes) => {
      const damaged = Buffer.from(bytes);
      // The file's own header is left alone, so that it stays a program.
      for (const [at, value] of changes) damaged[64 + (at % (damaged.byteLength - 64))] = value;
      for (const [, offset, length] of tolerant(damaged)) {
        expect((offset ?? 0) >= 0 && (offset ?? 0) + (length ?? 0) <= damaged.byteLength).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

/** Damage may hit the header after all; then there is no image to ask. */
function tolerant(bytes: Buffer): ReturnType<typeof hintsOf> {
  let image;
  try {
    image = openImage(memorySource(bytes));
  } catch {
    return [];
  }
  return containerHints(image).map(({ kind, file }) => [kind, file?.offset, file?.size]);
}
