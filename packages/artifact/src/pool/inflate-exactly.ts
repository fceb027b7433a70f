import { inflateRawSync } from "node:zlib";

/** Data that inflates to exactly `plainBytes` and ends where it should; undefined for anything else, which others describe. */
export function inflatedExactly(compressed: Uint8Array, plainBytes: number): Uint8Array | undefined {
  try {
    // The types know nothing of `info`, which gives the engine beside the bytes.
    const answer: unknown = inflateRawSync(compressed, { maxOutputLength: Math.max(1, plainBytes), chunkSize: Math.max(64, plainBytes + 1), info: true });
    if (typeof answer !== "object" || answer === null || !("buffer" in answer) || !("engine" in answer)) return undefined;
    const { buffer, engine } = answer;
    if (!(buffer instanceof Uint8Array) || buffer.byteLength !== plainBytes) return undefined;
    const isWhole = typeof engine === "object" && engine !== null && "bytesWritten" in engine && engine.bytesWritten === compressed.byteLength;
    return isWhole ? buffer : undefined;
  } catch {
    return undefined;
  }
}
