import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { escapeBytes } from "./untrusted-bytes.js";
import { escapeUntrusted, truncateCodePoints, unescapeUntrusted } from "./untrusted-text.js";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom("\\", "u", "x", "{", "}", "5", "c", "8", "\ud800", "\udc00", "\u200b", "a") }),
);
const anyOptions = fc.constantFrom({}, { multiline: true }, { multiline: false });

/** The ranges of the rule, written out by hand. */
function mustHide(codePoint: number): boolean {
  const ranges = [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xd800, 0xdfff],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff0, 0xfff8],
    [0x1bca0, 0x1bca3],
    [0x1d173, 0x1d17a],
    [0xe0000, 0xe0fff],
  ];
  return ranges.some(([from = 1, to = 0]) => codePoint >= from && codePoint <= to);
}

describe("escapeUntrusted", () => {
  test("makes exactly the listed characters visible", () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      const text = String.fromCodePoint(codePoint);
      const expected = mustHide(codePoint) ? `\\u{${codePoint.toString(16)}}` : text;
      if (escapeUntrusted(text) !== expected) throw new Error(`U+${codePoint.toString(16)} came out wrong.`);
    }
  });

  test("keeps line feed and tab only in fields with several lines", () => {
    expect(escapeUntrusted("a\tb\nc\rd")).toBe("a\\u{9}b\\u{a}c\\u{d}d");
    expect(escapeUntrusted("a\tb\nc\rd", { multiline: true })).toBe("a\tb\nc\\u{d}d");
  });

  test("escapes a backslash only where it could be taken for an escape", () => {
    expect(escapeUntrusted("C:\\users\\x \\u{41} \\x{80} \\\\")).toBe("C:\\users\\x \\u{5c}u{41} \\u{5c}x{80} \\\\");
  });

  test("keeps a surrogate pair and escapes half of one", () => {
    expect(escapeUntrusted("😀\ud800")).toBe("😀\\u{d800}");
  });

  test("is reversible for every text", () => {
    fc.assert(
      fc.property(anyText, anyOptions, (text, options) => {
        const escaped = escapeUntrusted(text, options);
        expect(unescapeUntrusted(escaped)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("its output never needs hiding again", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const character of escapeUntrusted(text)) expect(mustHide(character.codePointAt(0) ?? 0)).toBe(false);
      }),
    );
  });

  test("reading back leaves impossible escapes alone", () => {
    expect(unescapeUntrusted("\\u{110000} \\u{FF} \\x{80}")).toBe("\\u{110000} \\u{FF} \\x{80}");
  });
});

describe("escapeBytes", () => {
  test("shows each byte that is not UTF-8", () => {
    expect(escapeBytes(Buffer.from([0x61, 0x80, 0xff, 0x62]), "utf-8")).toBe("a\\x{80}\\x{ff}b");
    expect(escapeBytes(Buffer.from([0xe2, 0x82]), "utf-8")).toBe("\\x{e2}\\x{82}");
    expect(escapeBytes(Buffer.from([0xed, 0xa0, 0x80]), "utf-8")).toBe("\\x{ed}\\x{a0}\\x{80}");
    expect(escapeBytes(Buffer.from([0xc0, 0xaf, 0xf5]), "utf-8")).toBe("\\x{c0}\\x{af}\\x{f5}");
  });

  test("knows the other encodings", () => {
    expect(escapeBytes(Buffer.from([0x61, 0xe9, 0x62]), "ascii")).toBe("a\\x{e9}b");
    expect(escapeBytes(Buffer.from([0x61, 0xe9, 0x85]), "latin1")).toBe("aé\\u{85}");
    expect(escapeBytes(Buffer.from([0x61, 0, 0, 0xd8, 0x07]), "utf-16le")).toBe("a\\u{d800}\\x{7}");
    expect(escapeBytes(Buffer.from([0, 0x61, 0xd8, 0x3d, 0xde, 0]), "utf-16be")).toBe("a😀");
    expect(escapeBytes(new Uint8Array(), "utf-8")).toBe("");
  });

  test("keeps a byte order mark visible", () => {
    expect(escapeBytes(Buffer.from("\ufeffa"), "utf-8")).toBe("\\u{feff}a");
  });

  test("loses no byte of any UTF-8 input", () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.array(fc.constantFrom(0x5c, 0x75, 0x78, 0x7b, 0x7d, 0x80, 0xe2, 0x82, 0xac, 0xf0, 0x9f)).map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(bytes, (data) => {
        const parts = escapeBytes(data, "utf-8").split(/(\\x\{[0-9a-f]{1,2}\})/);
        const back = parts.map((part, index) =>
          index % 2 === 1 ? Buffer.from([Number.parseInt(part.slice(3, -1), 16)]) : Buffer.from(unescapeUntrusted(part)),
        );
        expect(Buffer.concat(back)).toEqual(Buffer.from(data));
      }),
      { numRuns: 1000 },
    );
  });

  test("takes time in proportion to its input, also when every byte is invalid", () => {
    expect(escapeBytes(new Uint8Array(200_000).fill(0x80), "utf-8")).toHaveLength(200_000 * 6);
  });
});

describe("truncateCodePoints", () => {
  test("counts code points and never splits a pair", () => {
    expect(truncateCodePoints("😀😀a", 2)).toEqual({ text: "😀😀", truncated: true });
    expect(truncateCodePoints("😀😀", 2)).toEqual({ text: "😀😀", truncated: false });
    expect(truncateCodePoints("abc", 0)).toEqual({ text: "", truncated: true });
    expect(truncateCodePoints("", 0)).toEqual({ text: "", truncated: false });
  });

  test("keeps the first code points of every text", () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 20 }), (text, max) => {
        const all = [...text];
        expect(truncateCodePoints(text, max)).toEqual({
          text: all.slice(0, max).join(""),
          truncated: all.length > max,
        });
      }),
    );
  });
});
