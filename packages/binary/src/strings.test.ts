import { address, memorySource } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { rawImage } from "./raw-image.js";
import { scanSourceStrings, scanStrings, type StringScan } from "./strings.js";

function scan(data: Uint8Array | string, minimum?: number): StringScan {
  const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
  return scanSourceStrings(memorySource(bytes), minimum === undefined ? {} : { minimum });
}

function texts(found: StringScan): readonly (readonly [string, string])[] {
  return [...found.rows()].map((row, index) => [row.encoding, found.text(index)]);
}

const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
const utf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

describe("scanStrings", () => {
  test("finds ASCII with place, length and terminator", () => {
    const found = scan("\u0001hello\0\u0002line one\nline two\u0003abc\0wxyz");
    expect([...found.rows()]).toEqual([
      { va: undefined, offset: 1, byteLength: 5, encoding: "ascii", terminated: true },
      { va: undefined, offset: 8, byteLength: 17, encoding: "ascii", terminated: false },
      { va: undefined, offset: 30, byteLength: 4, encoding: "ascii", terminated: false },
    ]);
    expect(found.text(1)).toBe("line one\nline two");
  });

  test("ends a run at control characters that do not lay text out, and keeps ESC only where it starts a terminal sequence", () => {
    // The codes of an x64 unwind record, then texts beside control characters.
    expect(texts(scan("\rB\t0\bp\x07`\0"))).toEqual([]);
    expect(texts(scan("\x07bell rings\0\x1b[2Jclear\0odd \x1b text\0"))).toEqual([
      ["ascii", "bell rings"],
      ["ascii", "\x1b[2Jclear"],
      ["ascii", "odd "],
      ["ascii", " text"],
    ]);
    const zero = Buffer.alloc(2);
    const wide = Buffer.concat([zero, utf16("\x1b[1mbold"), zero, utf16("\x08\x0bone two"), zero]);
    expect(texts(scan(wide))).toEqual([["utf-16le", "\x1b[1mbold"], ["utf-16le", "one two"]]);
  });

  test("finds UTF-8 that ends in NUL and leaves odd two-byte sequences alone", () => {
    const found = scan(Buffer.concat([Buffer.from("grüße\0"), Buffer.from([0x41, 0xc3, 0xa9, 0xc3, 0xa9, 0x42, 0x01])]));
    expect(texts(found)).toEqual([["utf-8", "grüße"]]);
  });

  test("finds UTF-16 in both byte orders, Cyrillic and Japanese too", () => {
    const zero = Buffer.alloc(2);
    const parts = [zero, utf16("wide text"), zero, utf16be("big text"), zero, utf16("Привет мир"), zero, utf16("日本語の文"), zero];
    expect(texts(scan(Buffer.concat(parts)))).toEqual([
      ["utf-16le", "wide text"],
      ["utf-16be", "big text"],
      ["utf-16le", "Привет мир"],
      ["utf-16le", "日本語の文"],
    ]);
  });

  test("finds ASCII in UTF-16LE at an odd offset", () => {
    const found = scan(Buffer.concat([Buffer.from([1]), utf16("odd place"), Buffer.alloc(3)]));
    expect(texts(found)).toEqual([["utf-16le", "odd place"]]);
  });

  test("gives addresses for mapped bytes and counts by encoding", () => {
    const image = rawImage(memorySource(Buffer.from("\0\0text\0")), { architecture: "x86", base: address(0x1000), endian: "little" });
    const found = scanStrings(image);
    expect(found.row(0)).toMatchObject({ va: 0x1002n, offset: 2 });
    expect(["ascii", "utf-8", "utf-16le", "utf-16be"].map((encoding) => [...found.rows()].filter((row) => row.encoding === encoding).length)).toEqual([1, 0, 0, 0]);
    expect(found.countOf("ascii")).toBe(1);
  });

  test("stops at the maximum and says so", () => {
    const found = scanSourceStrings(memorySource(Buffer.from("text\0".repeat(50))), { maximumItems: 10 });
    expect(found.count).toBe(10);
    // Ten texts of five bytes were found; the rest was not looked at.
    expect(found.omissions).toMatchObject([{ reason: "limit_items", limit: 10, count: 201 }]);
    expect(found.omissions[0]?.how_to_continue).toContain("0x31");
  });

  test("a cut text ends on a character", () => {
    const found = scan(Buffer.from("abcdé\0"));
    expect(found.text(0, 5)).toBe("abcd");
    expect(found.text(0, 6)).toBe("abcdé");
  });

  test("keeps the order of the file, without two texts on the same bytes, and every text decodes", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.string().map((text) => Buffer.from(text)), fc.string().map(utf16))), (parts) => {
        const found = scan(Buffer.concat(parts));
        const rows = [...found.rows()];
        rows.forEach((row, index) => {
          const next = rows[index + 1];
          if (next !== undefined) expect(next.offset).toBeGreaterThanOrEqual(row.offset + row.byteLength);
          expect(found.text(index)).not.toContain("\ufffd");
        });
      }),
      { numRuns: 500 },
    );
  });

  test("finds every run of printable ASCII that a plain pattern finds", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1, 0x41, 0x42, 0x08, 0x0a, 0x1b, 0x7e, 0x7f), { maxLength: 200 }), (values) => {
        const bytes = Uint8Array.from(values);
        const plain = [...Buffer.from(bytes).toString("latin1").matchAll(/[\t\n\r\x20-\x7e]+/g)]
          .map((match) => match[0])
          .filter((text) => text.replace(/[\t\n\r]/g, "").length >= 4);
        const found = scan(bytes);
        expect(texts(found).filter(([encoding]) => encoding === "ascii").map(([, text]) => text)).toEqual(plain);
      }),
      { numRuns: 1000 },
    );
  });
});
