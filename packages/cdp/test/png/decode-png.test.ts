import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { decodePng } from "../../src/png/decode-png.js";
import type { PixelImage } from "../../src/png/pixel-image.js";
import { readPng } from "../../src/png/png-file.js";
import { channelsOf, colorTypes, type ColorType, type PngHeader } from "../../src/png/png-header.js";
import { pngFormatError } from "../../src/png/png-format-error.js";
import { chunk, headerChunk, makePng, type PngPlan, type SampleAt } from "./png-suite.js";

const refuse = pngFormatError("left", "compare_web_screenshots");
const decode = (file: Uint8Array): PixelImage => decodePng(readPng(file, refuse), refuse);

const depths: { readonly [type in ColorType]: readonly PngHeader["bitDepth"][] } = {
  greyscale: [1, 2, 4, 8, 16],
  truecolour: [8, 16],
  indexed: [1, 2, 4, 8],
  greyscale_alpha: [8, 16],
  truecolour_alpha: [8, 16],
};
const kinds = colorTypes.flatMap((colorType) => depths[colorType].flatMap((bitDepth) => [false, true].map((interlaced) => ({ colorType, bitDepth, interlaced }))));

/** Spread over all steps, and equal for equal places. */
function scattered(bitDepth: number): SampleAt {
  return (x, y, channel) => ((x * 2_654_435 + y * 40_503 + channel * 9_176 + ((x * y) << 3)) >>> 2) % 2 ** bitDepth;
}

function planOf(kind: Pick<PngHeader, "colorType" | "bitDepth" | "interlaced">, width = 13, height = 11): PngPlan {
  const entries = 2 ** Math.min(8, kind.bitDepth);
  const palette = Array.from({ length: entries }, (_, index) => [(index * 37) & 255, (index * 11) & 255, 255 - index] as const);
  return { ...kind, width, height, sample: scattered(kind.bitDepth), ...(kind.colorType === "indexed" ? { palette } : {}) };
}

/** What the pixels are by construction. */
function expected({ width, height, bitDepth, colorType, sample, palette, transparency }: PngPlan): number[] {
  const most = bitDepth === 16 ? 65_535 : 255;
  const widen = (value: number): number => (bitDepth < 8 ? (value * 255) / (2 ** bitDepth - 1) : value);
  const hidden = transparency === undefined || colorType === "indexed" ? [] : Array.from({ length: transparency.length / 2 }, (_, at) => transparency.readUInt16BE(at * 2));
  const pixels: number[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const stored = Array.from({ length: channelsOf[colorType] }, (_, channel) => sample(x, y, channel));
      const [a = 0, b = 0, c = 0, d = 0] = stored;
      const seen = hidden.length > 0 && hidden.every((value, at) => value === stored[at]) ? 0 : most;
      if (colorType === "indexed") pixels.push(...(palette?.[a] ?? [0, 0, 0]), transparency?.[a] ?? 255);
      else if (colorType === "greyscale") pixels.push(widen(a), widen(a), widen(a), seen);
      else if (colorType === "greyscale_alpha") pixels.push(a, a, a, b);
      else if (colorType === "truecolour") pixels.push(a, b, c, seen);
      else pixels.push(a, b, c, d);
    }
  }
  return pixels;
}

/** The second decoder; at 16 bits it gives what it read without scaling it. */
function secondOpinion(file: Buffer, bitDepth: number): number[] {
  return Array.from(PNG.sync.read(file, { skipRescale: bitDepth === 16 }).data);
}

/** The second decoder forgets the colour of a pixel that is transparent by its colour. */
function withoutHiddenColours(samples: readonly number[]): number[] {
  return samples.map((value, index) => (samples[index - (index % 4) + 3] === 0 ? 0 : value));
}

describe("a decoded PNG", () => {
  it.each(kinds)("of $colorType, $bitDepth bits, interlaced $interlaced is what was stored, and what another decoder sees", (kind) => {
    for (const [width, height] of [[13, 11], [1, 1], [3, 9], [8, 8], [5, 1], [2, 33]] as const) {
      const plan = planOf(kind, width, height);
      const file = makePng(plan);
      const image = decode(file);
      expect([image.width, image.height, image.depth]).toEqual([width, height, kind.bitDepth === 16 ? 16 : 8]);
      expect(Array.from(image.samples)).toEqual(expected(plan));
      expect(Array.from(image.samples)).toEqual(secondOpinion(file, kind.bitDepth));
    }
  });

  it.each(kinds.filter(({ colorType }) => colorType !== "greyscale_alpha" && colorType !== "truecolour_alpha"))(
    "of $colorType, $bitDepth bits, interlaced $interlaced has its transparency",
    (kind) => {
      const plan = planOf(kind);
      const at = [0, 1, 2].map((channel) => plan.sample(4, 5, channel));
      const words = Buffer.alloc(kind.colorType === "greyscale" ? 2 : 6);
      for (let index = 0; index < words.length; index += 2) words.writeUInt16BE(at[index / 2] ?? 0, index);
      const transparency = kind.colorType === "indexed" ? Buffer.from([0, 128].slice(0, kind.bitDepth)) : words;
      const file = makePng({ ...plan, transparency });
      const image = decode(file);
      expect(Array.from(image.samples)).toEqual(expected({ ...plan, transparency }));
      expect(withoutHiddenColours(Array.from(image.samples))).toEqual(withoutHiddenColours(secondOpinion(file, kind.bitDepth)));
      expect(Array.from(image.samples).filter((_, index) => index % 4 === 3)).toContain(0);
    },
  );

  it("is the same however its data is cut into chunks, and with each of the five filters", () => {
    const plan = planOf({ colorType: "truecolour", bitDepth: 8, interlaced: false }, 40, 30);
    for (const filter of [0, 1, 2, 3, 4]) {
      for (const splitEvery of [1, 7, 100]) expect(Array.from(decode(makePng({ ...plan, filterOf: () => filter, splitEvery })).samples)).toEqual(expected(plan));
    }
  });
});

const kind = { colorType: "truecolour", bitDepth: 8, interlaced: false } as const;
const plan = planOf(kind);
const good = makePng(plan);
const signature = good.subarray(0, 8);
const end = chunk("IEND", Buffer.alloc(0));
const body = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([signature, ...chunks]);
const rows = (bytes: number): Buffer => chunk("IDAT", deflateSync(Buffer.alloc(bytes)));
const refused = (problem: string) => expect.objectContaining({ code: "artifact_operation_failed", message: expect.stringContaining(problem) });

describe("an image that is no intact PNG", () => {
  const head = headerChunk({ ...kind, width: 4, height: 4 });
  const exact = 4 * (1 + 12);
  it.each([
    ["nothing", Buffer.alloc(0), "signature"],
    ["a JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]), "signature"],
    ["a header alone", body(head), "ends before its end chunk"],
    ["no image data", body(head, end), "no image data"],
    ["a flipped bit", flipped(good, good.length - 20), "checksum"],
    ["a chunk longer than the file", body(head, Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0])), "more than the file has left"],
    ["a header that is not first", body(rows(exact), head, end), "not the first"],
    ["two headers", body(head, head, rows(exact), end), "not the only"],
    ["no width", body(headerChunk({ ...kind, width: 0, height: 4 }), rows(exact), end), "width or height"],
    ["more than 2^31 rows", body(headerChunk({ ...kind, width: 1, height: 2_147_483_648 }), rows(exact), end), "width or height"],
    ["a colour type 5", body(chunk("IHDR", Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 8, 5, 0, 0, 0])), rows(exact), end), "colour type 5"],
    ["3 bits a sample", body(chunk("IHDR", Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 3, 0, 0, 0, 0])), rows(exact), end), "3 bits"],
    ["truecolour of 4 bits", body(chunk("IHDR", Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 4, 2, 0, 0, 0])), rows(exact), end), "4 bits"],
    ["interlace method 2", body(chunk("IHDR", Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 8, 2, 0, 0, 2])), rows(exact), end), "interlace"],
    ["a palette of 257", body(head, chunk("PLTE", Buffer.alloc(257 * 3)), rows(exact), end), "palette"],
    ["an indexed image without palette", body(headerChunk({ width: 4, height: 4, colorType: "indexed", bitDepth: 8, interlaced: false }), rows(20), end), "no palette"],
    ["transparency of the wrong size", body(head, chunk("tRNS", Buffer.alloc(2)), rows(exact), end), "transparency"],
    ["data in two places", body(head, rows(exact), chunk("tEXt", Buffer.from("a\0b")), rows(exact), end), "one piece"],
    ["an unknown critical chunk", body(head, chunk("ABCD", Buffer.alloc(1)), rows(exact), end), "critical"],
    ["too few rows", body(head, rows(exact - 1), end), "less image data"],
    ["too many rows", body(head, rows(exact + 1), end), "more image data"],
    ["a bomb", body(head, rows(200_000_000), end), "more image data"],
    ["data that is no deflate stream", body(head, chunk("IDAT", Buffer.from("not compressed at all")), end), "damaged or cut off"],
    ["data cut off", body(head, chunk("IDAT", deflateSync(Buffer.alloc(exact)).subarray(0, 8)), end), "damaged or cut off"],
    ["a filter 5", body(head, chunk("IDAT", deflateSync(Buffer.alloc(exact, 5))), end), "filter"],
  ])("such as %s is refused with what is wrong", (_, file, problem) => {
    expect(() => decode(file)).toThrow(refused(problem));
  });

  it("with an index beyond its palette is refused", () => {
    const indexed = planOf({ colorType: "indexed", bitDepth: 8, interlaced: false });
    expect(() => decode(makePng({ ...indexed, palette: [[1, 2, 3]] }))).toThrow(refused("palette entry"));
  });

  it("of any bytes, cut anywhere or with a flipped byte gives pixels or a typed refusal, never another error", () => {
    const samples = kinds.map((each) => makePng(planOf(each, 5, 6)));
    const typed = (file: Uint8Array): void => {
      try {
        decode(file);
      } catch (error) {
        expect(error).toMatchObject({ code: "artifact_operation_failed" });
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => typed(Buffer.concat([signature, bytes]))),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (which, place, mask, cut) => {
        const file = samples[which % samples.length] ?? good;
        const at = place % file.length;
        typed(cut ? file.subarray(0, at) : withCorrectChecksums(flipped(file, at, mask)));
      }),
      { numRuns: 400 },
    );
  });
});

function flipped(file: Buffer, at: number, mask = 1): Buffer {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] ?? 0) ^ mask;
  return copy;
}

/** So that damage reaches what lies behind the checksums. */
function withCorrectChecksums(file: Buffer): Buffer {
  const parts: Buffer[] = [file.subarray(0, 8)];
  let at = 8;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) break;
    parts.push(chunk(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + length)));
    at += 12 + length;
  }
  return Buffer.concat([...parts, file.subarray(at)]);
}
