import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { constants, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { isReaError } from "@rea/core";
import { describe, expect, test } from "vitest";
import type { Codec } from "../../src/codecs/codec.js";
import { deflate } from "../../src/codecs/deflate.js";
import { deflate64 } from "../../src/codecs/deflate64.js";
import { zipFormats } from "../../src/formats/zip/index.js";
import { readContainer } from "../read-container.js";
import { hasProgram, mixedText } from "../zip/programs.js";

interface Decoded {
  readonly bytes: Buffer;
  readonly used: number | undefined;
  readonly broken: boolean;
}

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += length) yield await Promise.resolve(bytes.subarray(at, at + length));
}

async function decode(codec: Codec, compressed: Uint8Array, pieceBytes = 1000): Promise<Decoded> {
  const pieces: Uint8Array[] = [];
  let used: number | undefined;
  try {
    const options = { signal: new AbortController().signal, onEnd: (bytes: number) => (used = bytes) };
    for await (const piece of codec.decompress(inPieces(compressed, pieceBytes), options)) pieces.push(piece);
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    return { bytes: Buffer.concat(pieces), used, broken: true };
  }
  return { bytes: Buffer.concat(pieces), used, broken: false };
}

const text = mixedText(600_000);

describe("raw deflate", () => {
  test("ends where the data ends and tells how much of the input was its own", async () => {
    const compressed = deflateRawSync(text);
    const found = await decode(deflate, Buffer.concat([compressed, Buffer.alloc(300_000, 0x55)]), 70_000);
    expect(found.bytes.equals(text)).toBe(true);
    expect(found.used).toBe(compressed.byteLength);
  });

  test("data that is cut short is an error after what came before", async () => {
    const compressed = deflateRawSync(text);
    const found = await decode(deflate, compressed.subarray(0, compressed.byteLength - 10));
    expect(found.broken).toBe(true);
    expect(found.bytes.byteLength).toBeGreaterThan(400_000);
    expect(text.subarray(0, found.bytes.byteLength).equals(found.bytes)).toBe(true);
  });

  test("no data at all is an error", async () => {
    expect(await decode(deflate, Buffer.alloc(0))).toMatchObject({ broken: true });
  });

  test("an abort ends a stream in the middle", async () => {
    const controller = new AbortController();
    const pieces = deflate.decompress(inPieces(deflateRawSync(mixedText(3_000_000)), 1000), { signal: controller.signal });
    await expect(
      (async () => {
        for await (const piece of pieces) if (piece.byteLength > 0) controller.abort();
      })(),
    ).rejects.toMatchObject({ code: "cancelled" });
  });
});

/** A deflate stream without matches of 258 bytes, the one length that deflate64 writes otherwise. */
function withoutLongMatches(bytes: Uint8Array, level: number): Buffer {
  return deflateRawSync(bytes, { level, strategy: level === 0 ? constants.Z_DEFAULT_STRATEGY : constants.Z_HUFFMAN_ONLY });
}

describe("deflate64", () => {
  test("stored, fixed and dynamic blocks that both formats share are read alike", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.constantFrom(0, 1, 6), fc.integer({ min: 1, max: 500 }), async (bytes, level, pieceBytes) => {
        const compressed = withoutLongMatches(bytes, level);
        const found = await decode(deflate64, Buffer.concat([compressed, Buffer.from("tail")]), pieceBytes);
        expect(found.bytes.equals(Buffer.from(bytes))).toBe(true);
        expect(found.used).toBe(compressed.byteLength);
      }),
      { numRuns: 60 },
    );
  });

  test("what 7z writes is read back, whatever the distances and lengths", async (ctx) => {
    if (!hasProgram("7z")) ctx.skip("7z is not installed");
    const directory = mkdtempSync(path.join(tmpdir(), "rea-deflate64-"));
    try {
      // Repeats from 60,000 bytes before, and a run longer than any match of deflate.
      const far = Buffer.concat([mixedText(60_000), Buffer.alloc(200_000, 9), mixedText(60_000), mixedText(90_000)]);
      writeFileSync(path.join(directory, "far"), far);
      execFileSync("7z", ["a", "-tzip", "-mm=Deflate64", "far.zip", "far"], { cwd: directory, stdio: "ignore" });
      const found = await readContainer(zipFormats[0], readFileSync(path.join(directory, "far.zip")));
      expect(found.members.map(({ state, bytes }) => [state, bytes?.equals(far)])).toEqual([["ok", true]]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test("cut and changed data ends in an error or in bytes, never otherwise", async () => {
    const compressed = withoutLongMatches(mixedText(2000), 6);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: compressed.byteLength - 1 }), fc.nat({ max: 255 }), fc.boolean(), async (at, value, cuts) => {
        const bytes = Buffer.from(compressed);
        bytes[at] = value;
        const found = await decode(deflate64, cuts ? bytes.subarray(0, at) : bytes);
        if (cuts) expect(found.broken).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test("a match before the start of the data is an error", async () => {
    // Fixed block: length code 257 (0000001), distance code 0: nothing was there yet.
    expect(await decode(deflate64, Buffer.from([0b0000_0011, 0b0000_0010, 0, 0]))).toMatchObject({ broken: true });
  });
});
