import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isReaError } from "./is-rea-error.js";
import { compressedSample, plainSample, sampleNames } from "./compressed-samples.js";
import { codecs, decode } from "./run-codec.js";

test.each(sampleNames)("%s gives the plain bytes and tells exactly where its data ends", async (name) => {
  const sample = compressedSample(name);
  const followed = Buffer.concat([sample, Buffer.from("what belongs to somebody else")]);
  for (const pieceBytes of [1, 7, 100_000]) {
    const { bytes, used, error } = await decode(codecs[name], followed, pieceBytes);
    expect(error).toBeUndefined();
    expect(bytes.equals(plainSample)).toBe(true);
    expect(used).toBe(sample.byteLength);
  }
});

test.each(sampleNames)("%s cut at any byte is an error behind a valid beginning", async (name) => {
  const sample = compressedSample(name);
  for (let length = 0; length < sample.byteLength; length += 1) {
    const { bytes, used, error } = await decode(codecs[name], sample.subarray(0, length));
    expect(used).toBeUndefined();
    expect(isReaError(error, "artifact_operation_failed")).toBe(true);
    expect(plainSample.subarray(0, bytes.byteLength).equals(bytes)).toBe(true);
  }
});

// LZMA-alone has no checksum, so a flipped bit may go unseen there.
test.each(sampleNames.filter((name) => name !== "lzma"))("%s with a flipped bit never gives other bytes without an error", async (name) => {
  const sample = compressedSample(name);
  await fc.assert(
    fc.asyncProperty(fc.nat(sample.byteLength * 8 - 1), async (bit) => {
      const flipped = Buffer.from(sample);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { bytes, error } = await decode(codecs[name], flipped);
      if (error === undefined) expect(bytes.equals(plainSample)).toBe(true);
      else expect(isReaError(error, "artifact_operation_failed")).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test.each(sampleNames)("%s survives several damaged bytes and random data", async (name) => {
  const sample = compressedSample(name);
  const damage = fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(damage, fc.uint8Array({ maxLength: 64 }), async (changes, tail) => {
      const damaged = Buffer.concat([sample, tail]);
      for (const [at, value] of changes) damaged[at] = value;
      const { error } = await decode(codecs[name], damaged, 10_000, 1 << 24);
      expect(error === undefined || isReaError(error, "artifact_operation_failed")).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test.each(sampleNames)("%s stops when it is cancelled", async (name) => {
  const controller = new AbortController();
  controller.abort(new Error("cancelled"));
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(compressedSample(name));
  }
  const read = async (): Promise<void> => {
    for await (const _piece of codecs[name].decompress(pieces(), { signal: controller.signal }));
  };
  await expect(read()).rejects.toThrow("cancelled");
});

test.each(sampleNames)("%s lets go of its input when the consumer stops early", async (name) => {
  let closed = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield await Promise.resolve(compressedSample(name));
    } finally {
      closed = true;
    }
  }
  for await (const _piece of codecs[name].decompress(pieces(), { signal: new AbortController().signal })) break;
  expect(closed).toBe(true);
});

/** The xz sample with a dictionary of 4 GiB in its block header. */
function hugeXz(): Buffer {
  const bytes = compressedSample("xz");
  const header = bytes.subarray(12, 12 + ((bytes[12] ?? 0) + 1) * 4);
  const filter = header.indexOf(Buffer.from([0x21, 1]));
  header[filter + 2] = 40;
  header.writeUInt32LE(crc32(header.subarray(0, -4)), header.byteLength - 4);
  return bytes;
}

/** The LZMA sample with a dictionary of 4 GiB and no declared length. */
function hugeLzma(): Buffer {
  const bytes = compressedSample("lzma");
  bytes.fill(0xff, 1, 13);
  return bytes;
}

const hugeZstd = Buffer.from("28b52ffd00f8010000", "hex");

test.each([
  ["xz", hugeXz()],
  ["lzma", hugeLzma()],
  ["zstd", hugeZstd],
] as const)("%s refuses a window of gigabytes before allocating it", async (name, bytes) => {
  const { error, bytes: out } = await decode(codecs[name], bytes);
  expect(isReaError(error, "artifact_operation_failed")).toBe(true);
  expect(String(error)).toMatch(/window of \d+ bytes/);
  expect(out.byteLength).toBe(0);
});

test("a window up to the given bound is allowed and one above it is not", async () => {
  expect((await decode(codecs.xz, compressedSample("xz"), 1000, 8 << 20)).error).toBeUndefined();
  expect((await decode(codecs.xz, compressedSample("xz"), 1000, (8 << 20) - 1)).error).toBeDefined();
});

test("a skippable frame has no content and ends where it says", async () => {
  const frame = Buffer.concat([Buffer.from("5a2a4d1803000000", "hex"), Buffer.from("abcdef")]);
  for (const name of ["zstd", "lz4"] as const) {
    const { bytes, used, error } = await decode(codecs[name], frame);
    expect([bytes.byteLength, used, error]).toEqual([0, 11, undefined]);
  }
});
