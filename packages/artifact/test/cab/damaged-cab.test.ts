import fc from "fast-check";
import { isReaError } from "@rea/core";
import { describe, expect, test } from "vitest";
import { LzxDecoder } from "../../src/codecs/lzx/lzx-decoder.js";
import { QuantumDecoder } from "../../src/codecs/quantum/quantum-decoder.js";
import { cab } from "../../src/formats/cab/index.js";
import { readContainer } from "../read-container.js";
import { mixedText } from "../zip/programs.js";
import { buildCab } from "./build-cab.js";
import { encodeLzx, type LzxOptions } from "./lzx-encoder.js";
import { encodeQuantum } from "./quantum-encoder.js";

const text = mixedText(2000);
const sample = buildCab({
  folders: [{ method: "mszip", data: text }, { data: Buffer.from("gamma") }, { method: "lzx", data: text }, { method: "quantum", data: text }],
  files: [
    { name: "a", offset: 0, bytes: 1500 },
    { name: "b", offset: 1500, bytes: 500 },
    { name: "c", offset: 0, bytes: 5, folder: 1 },
    { name: "d", offset: 0, bytes: 2000, folder: 2 },
    { name: "e", offset: 0, bytes: 2000, folder: 3 },
  ],
});
const contents = [text.subarray(0, 1500), text.subarray(1500), Buffer.from("gamma"), text, text];

test("a cabinet cut at any byte is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 3) {
    const found = await readContainer(cab, sample.subarray(0, length));
    expect(found.omissions.length, `cut at ${String(length)}`).toBeGreaterThan(0);
  }
});

// [MS-CAB] CFFOLDER: eight bytes each behind the header of 36; the last two say the method and its window, and nothing in the
// format proves them: another window may decode to other bytes of the same length.
const foldersAt = 36;
const isMethod = (at: number): boolean => at >= foldersAt && at < foldersAt + 4 * 8 && (at - foldersAt) % 8 >= 6;

test("a flipped byte gives no content that passes for another", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: sample.byteLength - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      fc.pre(!isMethod(at));
      const bytes = Buffer.from(sample);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const found = await readContainer(cab, bytes);
      const quiet = found.omissions.length === 0 && found.anomalies.length === 0 && found.members.every(({ state }) => state === "ok");
      // Sizes and offsets of folders and files have no checksum of their own; what contradicts them is named.
      if (!quiet || found.members.length !== contents.length) return;
      expect(found.members.map((member, index) => member.bytes?.equals(contents[index] ?? Buffer.alloc(0)))).toEqual(contents.map(() => true));
    }),
    { numRuns: 300 },
  );
});

test("a folder of which no file takes a byte is told", async () => {
  const folders = [{ method: "mszip", data: text } as const, { data: Buffer.from("gamma") }];
  const files = [{ name: "a", offset: 0, bytes: 2000 }, { name: "c", offset: 0, bytes: 0, folder: 1 }];
  const found = await readContainer(cab, buildCab({ folders, files }));
  expect(found.anomalies).toMatchObject([{ anomaly: "gap", detail: "5 bytes of a folder's plain data belong to no file." }]);
});

test("random bytes behind a header are read to an end", async () => {
  const header = buildCab({ folders: [], files: [] });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 7 }), async (bytes, folders, files, flags) => {
      const cabinet = Buffer.concat([header, bytes]);
      cabinet.writeUInt16LE(folders, 26);
      cabinet.writeUInt16LE(files, 28);
      cabinet.writeUInt16LE(flags, 30);
      await readContainer(cab, cabinet, { limits: { maxTotalBytes: 100_000 } });
    }),
    { numRuns: 200 },
  );
});

/** Decodes frame by frame; undefined for damage. */
function decodeFrames(decoder: { decode(packed: Uint8Array, plainBytes: number): Uint8Array }, frames: readonly Uint8Array[], total: number): Buffer | undefined {
  try {
    return Buffer.concat(frames.map((frame, index) => decoder.decode(frame, Math.min(32_768, total - index * 32_768))));
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    return undefined;
  }
}

const bytesOf = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 900 }), fc.array(fc.constantFrom(0xe8, 0, 1, 0x90), { minLength: 1, maxLength: 900 }), fc.constant([...mixedText(70_000)])).map((bytes) => Buffer.from(bytes));

describe("LZX", () => {
  test("blocks of all kinds and lengths, with and without call targets, are read back", () => {
    const options: fc.Arbitrary<LzxOptions> = fc.record({
      kinds: fc.shuffledSubarray(["verbatim", "aligned", "plain"] as const, { minLength: 1 }),
      blockBytes: fc.integer({ min: 37, max: 40_000 }),
      callSize: fc.constantFrom(0, 300, 12_000_000),
    });
    fc.assert(
      fc.property(bytesOf, options, fc.integer({ min: 15, max: 21 }), (data, how, bits) => {
        expect(decodeFrames(new LzxDecoder(bits), encodeLzx(data, bits, how), data.byteLength)?.equals(data)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("random and changed data ends in bytes or in damage", () => {
    const frame = Buffer.from(encodeLzx(text, 16, { blockBytes: 700 })[0] ?? []);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: frame.byteLength - 1 }), fc.nat({ max: 255 })), { maxLength: 4 }), fc.uint8Array({ maxLength: 300 }), fc.boolean(), (changes, random, isRandom) => {
        const changed = Buffer.from(frame);
        for (const [at, value] of changes) changed[at] = value;
        const out = decodeFrames(new LzxDecoder(16), [isRandom ? random : changed], 2000);
        expect(out === undefined || out.byteLength === 2000).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

describe("Quantum", () => {
  test("data of all kinds is read back in windows of all sizes", () => {
    fc.assert(
      fc.property(bytesOf, fc.integer({ min: 10, max: 21 }), (data, bits) => {
        expect(decodeFrames(new QuantumDecoder(bits), encodeQuantum(data, bits), data.byteLength)?.equals(data)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test("random and changed data ends in bytes or in damage", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 10, max: 21 }), (random, bits) => {
        const out = decodeFrames(new QuantumDecoder(bits), [random], 3000);
        expect(out === undefined || out.byteLength === 3000).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
