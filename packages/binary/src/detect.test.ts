import { crc32 } from "node:zlib";
import { memorySource, ReaError } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { makeElf } from "../test/elf-builder.js";
import { detectFormat } from "./detect.js";

function detect(data: Uint8Array | string, name?: string) {
  return detectFormat(memorySource(typeof data === "string" ? Buffer.from(data, "latin1") : data), name);
}

function tarHeader(): Buffer {
  const header = Buffer.alloc(1024);
  header.write("name", 0);
  header.write("0000644\0", 100);
  header.fill(0x20, 148, 156);
  header.write("0", 156);
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** An archive of one empty member behind other bytes; its offsets count from the archive's start or from the file's. */
function prefixedZip(prefix: string, adjusted: boolean): Buffer {
  const local = Buffer.alloc(31, "a");
  local.fill(0, 4, 30).write("PK\u0003\u0004", "latin1");
  const central = Buffer.alloc(47, "a");
  central.fill(0, 4, 46).write("PK\u0001\u0002", "latin1");
  central.writeUInt32LE(adjusted ? prefix.length : 0, 42);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt32LE(47, 12);
  end.writeUInt32LE(31 + (adjusted ? prefix.length : 0), 16);
  return Buffer.concat([Buffer.from(prefix, "latin1"), local, central, end]);
}

const elf = makeElf({ programs: [{ type: 1, offset: 0, va: 0x1000, size: 64 }] });
const padded = (text: string): string => text.padEnd(600, "\u0001");

/** A header of the binary layout, with a name behind it. */
function binaryCpio(little: boolean, name: string): Buffer {
  const header = Buffer.alloc(26);
  for (const [index, word] of [0o070707, 1, 7, 0o100644, 0, 0, 1, 0, 0, 0, name.length, 0, 4].entries()) {
    if (little) header.writeUInt16LE(word, index * 2);
    else header.writeUInt16BE(word, index * 2);
  }
  return Buffer.concat([header, Buffer.from(name, "latin1"), Buffer.from("data")]);
}

describe("detectFormat", () => {
  const samples: readonly (readonly [string, string, Uint8Array | string])[] = [
    ["zip", "archive", padded("PK\u0003\u0004")],
    ["zip", "archive", padded("PK\u0005\u0006")],
    ["zip", "archive", padded("Cr24\u0003\0\0\0")],
    ["zip", "archive", prefixedZip("something in front", false)],
    ["zip", "archive", prefixedZip("something in front", true)],
    ["zip", "archive", Buffer.concat([prefixedZip("in front", false), Buffer.from("and behind")])],
    ["file", "artifact", prefixedZip("cut short", false).subarray(0, -1)],
    ["file", "artifact", prefixedZip("leads elsewhere", false).fill(9, 15, 20)],
    ["gzip", "archive", padded("\u001f\u008b\u0008")],
    ["bzip2", "archive", padded("BZh91AY&SY")],
    ["xz", "archive", padded("\u00fd7zXZ\0")],
    ["zstd", "archive", padded("\u0028\u00b5\u002f\u00fd")],
    ["lz4", "archive", padded("\u0004\u0022\u004d\u0018")],
    ["7z", "archive", padded("7z\u00bc\u00af\u0027\u001c")],
    ["deb", "archive", padded("!<arch>\ndebian-binary   ")],
    ["ar", "archive", padded("!<arch>\nfoo.o/          ")],
    ["cpio", "archive", padded("070701")],
    ["cpio", "archive", binaryCpio(true, "dir/file\0")],
    ["cpio", "archive", binaryCpio(false, "dir/file\0")],
    ["file", "artifact", binaryCpio(true, "dir\0file\0")],
    ["file", "artifact", binaryCpio(true, "dir/file")],
    ["file", "artifact", `\u00c7\u0071${"text that starts with the two bytes of the magic ".repeat(4)}`],
    ["file", "artifact", `\u0071\u00c7${"\0".repeat(600)}`],
    ["rpm", "archive", padded("\u00ed\u00ab\u00ee\u00db")],
    ["cab", "archive", padded("MSCF\0\0\0\0")],
    ["squashfs", "archive", padded("hsqs")],
    ["pkg", "archive", padded("xar!")],
    ["ole", "archive", padded("\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1")],
    ["iso9660", "archive", `${"\0".repeat(32_769)}CD001`],
    ["asar", "archive", '\u0004\0\0\0\u0018\0\0\0\u0014\0\0\0\u000f\0\0\0{"files":{}}   \0'],
    ["dmg", "archive", Buffer.concat([Buffer.alloc(512), Buffer.from("koly\0\0\0\u0004\0\0\u0002\0"), Buffer.alloc(500)])],
    ["dmg", "archive", Buffer.concat([Buffer.from("koly\0\0\0\u0004\0\0\u0002\0"), Buffer.alloc(1000)])],
    ["dmg", "archive", Buffer.concat([Buffer.from("BZh91AY&SY".padEnd(600)), Buffer.from("koly\0\0\0\u0004\0\0\u0002\0"), Buffer.alloc(500)])],
    ["dmg", "archive", padded("encrcdsa")],
    ["dmg", "archive", `${padded("x")}cdsaencr`],
    ["pbzx", "archive", padded("pbzx\0\0\0\0\u0001\0\0\0")],
    ["hfsplus", "archive", `${"\0".repeat(1024)}H+\0\u0004${"\0".repeat(1024)}`],
    ["hfsplus", "archive", `${"\0".repeat(1024)}HX\0\u0005${"\0".repeat(1024)}`],
    ["hfsplus", "archive", `${"\0".repeat(1024)}BD${"\0".repeat(122)}H+${"\0".repeat(1024)}`],
    ["hfs", "archive", `${"\0".repeat(1024)}BD${"\0".repeat(18)}\0\0\u0002\0${"\0".repeat(1024)}`],
    ["apfs", "archive", `${"\0".repeat(32)}NXSB${"\0".repeat(4096)}`],
    ["disk-image", "archive", `${"\0".repeat(512)}EFI PART${"\0".repeat(600)}`],
    ["disk-image", "archive", `${"ER\u0002\0".padEnd(512, "\0")}PM${"\0".repeat(600)}`],
    ["disk-image", "archive", `${"\0".repeat(450)}\u00af\0\0\0\u0001\0\0\0\u0001\0\0\0${"\0".repeat(48)}\u0055\u00aa${"\0".repeat(600)}`],
    ["file", "artifact", `${"\u0001".repeat(510)}\u0055\u00aa${"\0".repeat(600)}`],
    ["tar", "archive", tarHeader()],
    ["wasm", "artifact", "\0asm\u0001\0\0\0"],
    ["class", "artifact", "\u00ca\u00fe\u00ba\u00be\0\0\0\u003d\0\u0010\u000a\0"],
    ["dex", "artifact", "dex\n035\0aaaa"],
    ["plist", "artifact", "bplist00aaaaaaaa"],
    ["plist", "artifact", '<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "">\n<plist version="1.0"></plist>'],
    ["elf", "executable", elf],
    ["file", "artifact", "just text"],
    ["file", "artifact", ""],
  ];

  test.each(samples)("%s content is an %s whatever the name says", (format, kind, data) => {
    expect(detect(data, "misleading.txt")).toMatchObject({ format, kind });
    if (format !== "file") expect(detect(data, "misleading.js")).toMatchObject({ format, kind });
  });

  test("a name refines zip files and decides where content cannot", () => {
    expect(detect(padded("PK\u0003\u0004"), "App.IPA").format).toBe("ipa");
    expect(detect(padded("PK\u0003\u0004"), "app.apk").format).toBe("apk");
    expect(detect("var a = 1", "main.mjs").format).toBe("javascript");
    expect(detect("{}", "main.js.map").format).toBe("source-map");
    expect(detect("x", "work.hop").kind).toBe("database");
  });

  test("an executable header that is cut short makes an artifact with the reason", () => {
    for (const length of [4, 20, 63, 100]) {
      const found = detect(elf.subarray(0, length));
      expect(found).toMatchObject({ format: "file", kind: "artifact" });
      expect(found.reason).toMatch(/cut short|past the end/);
    }
    expect(detect(padded("MZ").slice(0, 40)).reason).toMatch(/MZ header/);
  });

  test("a universal header with few slices is told from a Java class by its count", () => {
    const universal = Buffer.from("cafebabe00000001010000070000000300001000000000100000000c", "hex");
    const whole = Buffer.concat([universal, Buffer.alloc(8192)]);
    expect(detect(whole)).toMatchObject({ format: "mach-o-universal", kind: "executable" });
    expect(detect(universal)).toMatchObject({ format: "file", kind: "artifact" });
  });

  test("an archive behind something else is told where the name claims one", () => {
    const start = Buffer.alloc(32);
    start.write("377abcaf271c0004", "hex");
    start.writeUInt32LE(crc32(start.subarray(12)), 8);
    const archive = Buffer.concat([Buffer.from("#!/bin/sh\n"), start]);
    expect(detect(archive, "setup.7z")).toMatchObject({ format: "7z", kind: "archive" });
    expect(detect(archive, "setup.sh")).toMatchObject({ format: "file" });
    start[9] = (start[9] ?? 0) ^ 1;
    expect(detect(Buffer.concat([Buffer.from("#!/bin/sh\n"), start]), "setup.7z")).toMatchObject({ format: "file" });
  });

  test("any bytes get an answer", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), fc.constantFrom("", "MZ", "\u007fELF", "\u00ca\u00fe\u00ba\u00be", "\u00cf\u00fa\u00ed\u00fe"), (rest, magic) => {
        try {
          expect(detect(Buffer.concat([Buffer.from(magic, "latin1"), rest])).format).not.toBe("");
        } catch (error) {
          if (!(error instanceof ReaError)) throw error;
          expect.unreachable("detectFormat answers instead of throwing");
        }
      }),
      { numRuns: 2000 },
    );
  });
});
