import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { adc } from "../../src/codecs/adc.js";
import type { Codec } from "../../src/codecs/codec.js";
import { lzfse, lzvn } from "../../src/codecs/lzfse.js";
import { zlib } from "../../src/codecs/zlib.js";
import { mixedText } from "../zip/programs.js";
import { buildAdc } from "./build-adc.js";
import { buildLzfse, lzfseEnd, lzvnBlock, plainLzfseBlock } from "./build-lzfse.js";
import { buildLzvn } from "./build-lzvn.js";
import { isReaError } from "./is-rea-error.js";
import { decode } from "./run-codec.js";

interface Sample {
  readonly name: string;
  readonly codec: Codec;
  readonly build: (text: Uint8Array) => Buffer;
  /** The data says where it ends. */
  readonly ends: boolean;
}

const samples: readonly Sample[] = [
  { name: "ADC", codec: adc, build: buildAdc, ends: false },
  { name: "LZVN", codec: lzvn, build: buildLzvn, ends: true },
  { name: "LZFSE with packed tables", codec: lzfse, build: (text) => buildLzfse(text, "bvx2"), ends: true },
  { name: "LZFSE with plain tables", codec: lzfse, build: (text) => buildLzfse(text, "bvx1"), ends: true },
  { name: "LZFSE of plain blocks", codec: lzfse, build: (text) => Buffer.concat([plainLzfseBlock(text), lzfseEnd]), ends: true },
  { name: "LZFSE of LZVN blocks", codec: lzfse, build: (text) => Buffer.concat([lzvnBlock(text, buildLzvn(text)), lzfseEnd]), ends: true },
  { name: "zlib", codec: zlib, build: (text) => deflateSync(text), ends: true },
];

const zeros = Buffer.alloc(300_000);
const noise = Buffer.from(Array.from({ length: 3000 }, (_, at) => ((at * at * 2654435761) >>> 11) & 0xff));
const text = mixedText(140_000);

describe.each(samples)("$name", ({ codec, build, ends }) => {
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["one byte", Buffer.from("x")],
    ["text", text],
    ["zeros", zeros],
    ["noise", noise],
    ["all of it", Buffer.concat([noise, text, zeros, noise])],
  ])("gives %s back, however its data is cut", async (_title, plain) => {
    const compressed = build(plain);
    for (const pieceBytes of [997, 1 << 20]) {
      const { bytes, used, error } = await decode(codec, ends ? Buffer.concat([compressed, Buffer.from("next")]) : compressed, pieceBytes);
      expect(error).toBeUndefined();
      expect(bytes.equals(plain)).toBe(true);
      expect(used).toBe(compressed.byteLength);
    }
  });

  test("cut at any byte it is an error behind a valid beginning, or shorter where no end is marked", async () => {
    const plain = text.subarray(0, 600);
    const compressed = build(plain);
    for (let length = 0; length < compressed.byteLength; length += 1) {
      const { bytes, used, error } = await decode(codec, compressed.subarray(0, length));
      if (ends) expect([used, isReaError(error, "artifact_operation_failed")], String(length)).toEqual([undefined, true]);
      else expect(error === undefined || isReaError(error, "artifact_operation_failed")).toBe(true);
      expect(plain.subarray(0, bytes.byteLength).equals(bytes)).toBe(true);
    }
  });

  test("damaged and random data gives bytes or an error, in bounded memory", async () => {
    const compressed = build(text.subarray(0, 2000));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(compressed.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }), fc.uint8Array({ maxLength: 64 }), async (changes, tail) => {
        const damaged = Buffer.concat([compressed, tail]);
        for (const [at, value] of changes) damaged[at] = value;
        const { error } = await decode(codec, damaged, 10_000);
        expect(error === undefined || isReaError(error, "artifact_operation_failed")).toBe(true);
      }),
      { numRuns: 80 },
    );
  });
});

test("blocks of every kind follow one another, and matches reach back over their borders", async () => {
  const first = text.subarray(0, 5000);
  const both = Buffer.concat([first, first, first]);
  const compressed = Buffer.concat([plainLzfseBlock(first), buildLzfse(first, "bvx2").subarray(0, -4), lzvnBlock(first, buildLzvn(first)), lzfseEnd]);
  expect((await decode(lzfse, compressed)).bytes.equals(both)).toBe(true);
});

test.each([
  ["a match before the start", lzvn, Buffer.from([0xe1, 0x61, 0x40, 0x05, 0x62])],
  ["an LZVN code that means nothing", lzvn, Buffer.from([0xd0, 0, 0])],
  ["an LZFSE block of an unknown kind", lzfse, Buffer.from("bvx9aaaa")],
  ["an ADC match before the start", adc, Buffer.from([0x40, 0, 9])],
])("%s is refused", async (_title, codec, bytes) => {
  expect(isReaError((await decode(codec, bytes)).error, "artifact_operation_failed")).toBe(true);
});
