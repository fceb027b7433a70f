import { createInflateRaw, inflateRawSync, type InflateRaw } from "node:zlib";
import { throwIfAborted } from "@rea/core";
import { brokenData } from "./broken-data.js";
import type { Codec, CodecOptions } from "./codec.js";

const outputPiece = 256 * 1024;
/** Small enough that little is lost of the piece in which damage is found. */
const inputPiece = 64 * 1024;

/** Raw DEFLATE (RFC 1951), through `node:zlib`. */
export const deflate: Codec = { decompress: inflatePieces };

async function* inflatePieces(compressed: AsyncIterable<Uint8Array>, options: CodecOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const engine = createInflateRaw({ chunkSize: outputPiece });
  const feeding = feed(engine, compressed, options.signal).catch((error: unknown) => {
    engine.destroy(error instanceof Error ? error : brokenData("The compressed data could not be read."));
  });
  try {
    for await (const piece of engine) {
      const bytes: unknown = piece;
      if (bytes instanceof Uint8Array) yield bytes;
    }
    options.onEnd?.(engine.bytesWritten);
  } catch (error) {
    throw isZlibError(error) ? brokenData("The deflated data is damaged or cut short.", engine.bytesWritten) : error;
  } finally {
    engine.destroy();
    await feeding;
  }
}

/** Hands pieces over until the data, or what the engine wants of it, ends. */
async function feed(engine: InflateRaw, compressed: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  for await (const piece of compressed) {
    for (let at = 0; at < piece.byteLength; at += inputPiece) {
      throwIfAborted(signal, "decompress");
      if (isOver(engine)) return;
      if (!engine.write(piece.subarray(at, at + inputPiece))) await roomOrEnd(engine);
    }
    if (isOver(engine)) return;
  }
  engine.end();
}

function isOver(engine: InflateRaw): boolean {
  return engine.destroyed || engine.readableEnded;
}

/** An engine that has found the end of its data never asks for more, so the end counts as well. */
function roomOrEnd(engine: InflateRaw): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of wakers) engine.off(event, done);
      resolve();
    };
    for (const event of wakers) engine.once(event, done);
    if (isOver(engine)) done();
  });
}

const wakers = ["drain", "end", "close", "error"] as const;

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^Z_|^ERR_BUFFER_TOO_LARGE$/.test(error.code);
}

export interface InflatedWhole {
  readonly bytes: Uint8Array;
  /** Compressed bytes that belonged to the data. */
  readonly used: number;
}

/**
 * Small data at once; undefined when it is damaged, gives more than `maximum` bytes, or does not end in `compressed`.
 * Room is made for `expected` bytes at first.
 */
export function inflateWhole(compressed: Uint8Array, maximum: number, expected: number): InflatedWhole | undefined {
  const chunkSize = Math.max(64, Math.min(expected + 1, maximum));
  try {
    // The types know nothing of `info`, which gives the engine beside the bytes.
    const answer: unknown = inflateRawSync(compressed, { maxOutputLength: Math.max(1, maximum), chunkSize, info: true });
    return wholeOf(answer);
  } catch (error) {
    if (isZlibError(error)) return undefined;
    throw error;
  }
}

/** A block of deflated data that continues what came before (`history`, at most 32 KiB); undefined as for `inflateWhole`. */
export function inflateBlock(compressed: Uint8Array, history: Uint8Array, maximum: number): InflatedWhole | undefined {
  try {
    const dictionary = history.byteLength === 0 ? undefined : history;
    const answer: unknown = inflateRawSync(compressed, { maxOutputLength: Math.max(1, maximum), info: true, ...(dictionary === undefined ? {} : { dictionary }) });
    return wholeOf(answer);
  } catch (error) {
    if (isZlibError(error)) return undefined;
    throw error;
  }
}

function wholeOf(answer: unknown): InflatedWhole | undefined {
  if (typeof answer !== "object" || answer === null || !("buffer" in answer) || !("engine" in answer)) return undefined;
  const { buffer, engine } = answer;
  if (!(buffer instanceof Uint8Array) || typeof engine !== "object" || engine === null) return undefined;
  return "bytesWritten" in engine && typeof engine.bytesWritten === "number" ? { bytes: buffer, used: engine.bytesWritten } : undefined;
}

/** True when the start of data inflates without a contradiction; what was cut off behind it does not matter. */
export function startInflates(start: Uint8Array, maximum: number): boolean {
  try {
    inflateRawSync(start, { maxOutputLength: Math.max(1, maximum), finishFlush: 2 });
    return true;
  } catch (error) {
    // More than asked for came out: it did inflate.
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") return true;
    if (isZlibError(error)) return false;
    throw error;
  }
}
