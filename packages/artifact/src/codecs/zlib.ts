import { inflateSync } from "node:zlib";
import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { inflate } from "./gzip/inflate.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";

/** Decodes one zlib stream (RFC 1950): two header bytes, DEFLATE data, an Adler-32 which is compared. */
async function* decodeZlib(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  if (!startsZlib(await reader.read(2))) throw brokenData("The zlib header is malformed or cut short.", reader.position);
  let sum: AdlerSum = { low: 1, high: 0 };
  for await (const piece of inflate(reader, options.signal)) {
    sum = adlerSum(piece, sum);
    yield piece;
  }
  const declared = Buffer.from(await reader.read(4));
  if (declared.byteLength < 4) throw brokenData("The zlib data ends before its checksum.", reader.position);
  if (declared.readUInt16BE(0) !== sum.high || declared.readUInt16BE(2) !== sum.low) throw brokenData("The checksum of zlib data does not hold.", reader.position);
}

/** RFC 1950 §2.2: method 8, a window of at most 32 KiB, no preset dictionary, a multiple of 31. */
function startsZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return bytes.byteLength >= 2 && (first & 0x0f) === 8 && first >> 4 <= 7 && (second & 0x20) === 0 && (first * 256 + second) % 31 === 0;
}

export interface InflatedZlib {
  readonly bytes: Uint8Array;
  /** Compressed bytes that belonged to the stream. */
  readonly used: number;
}

/** A small zlib stream at once, its checksum compared; undefined when it is damaged or gives more than `maximum` bytes. */
export function inflateZlib(compressed: Uint8Array, maximum: number): InflatedZlib | undefined {
  try {
    // The types know nothing of `info`, which gives the engine beside the bytes.
    const answer: unknown = inflateSync(compressed, { maxOutputLength: Math.max(1, maximum), info: true });
    return inflatedOf(answer);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function inflatedOf(answer: unknown): InflatedZlib | undefined {
  if (typeof answer !== "object" || answer === null || !("buffer" in answer) || !("engine" in answer)) return undefined;
  const { buffer, engine } = answer;
  if (!(buffer instanceof Uint8Array) || typeof engine !== "object" || engine === null || !("bytesWritten" in engine)) return undefined;
  return typeof engine.bytesWritten === "number" ? { bytes: buffer, used: engine.bytesWritten } : undefined;
}

interface AdlerSum {
  readonly low: number;
  readonly high: number;
}

const modulus = 65_521;
/** So many bytes can be added up before the sums leave 32 bits (RFC 1950, appendix). */
const stretch = 3800;

function adlerSum(bytes: Uint8Array, { low, high }: AdlerSum): AdlerSum {
  let a = low;
  let b = high;
  for (let at = 0; at < bytes.byteLength; ) {
    const end = Math.min(at + stretch, bytes.byteLength);
    for (; at < end; at += 1) {
      a += bytes[at] ?? 0;
      b += a;
    }
    a %= modulus;
    b %= modulus;
  }
  return { low: a, high: b };
}

/** One zlib stream. */
export const zlib = codecOf(decodeZlib);
