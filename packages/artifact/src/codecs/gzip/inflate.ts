import { createInflateRaw, type InflateRaw } from "node:zlib";
import { throwIfAborted } from "@rea/core";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";

const inputBytes = 1 << 16;
const outputBytes = 1 << 17;

/**
 * Decodes one DEFLATE stream (RFC 1951) and leaves the reader exactly behind it. zlib works in its own thread; what it
 * is given was only peeked, and just the part it used is taken.
 */
export async function* inflate(reader: SequentialReader, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = createInflateRaw({ chunkSize: outputBytes });
  const fed = feed(stream, reader).catch((error: unknown) => void stream.destroy(error instanceof Error ? error : undefined));
  try {
    for await (const piece of stream) {
      throwIfAborted(signal, "decompress");
      if (piece instanceof Uint8Array) yield piece;
    }
  } catch (error) {
    if (isZlibError(error)) throw brokenData("The DEFLATE data is broken or cut short.", reader.position);
    throw error;
  } finally {
    stream.destroy();
    // Nobody else may use the reader before the feeding has let go of it.
    await fed;
  }
}

/** Gives the stream what it takes, until it has seen its end or there is no more. */
async function feed(stream: InflateRaw, reader: SequentialReader): Promise<void> {
  const write = writer(stream);
  let used = 0;
  for (;;) {
    const input = await reader.peek(inputBytes);
    if (input.byteLength === 0) break;
    const more = await write(input);
    await reader.skip(stream.bytesWritten - used);
    used = stream.bytesWritten;
    if (!more) return;
  }
  stream.end();
}

/** Writes a piece; answers false when the stream ended, which leaves the rest of the piece unused. */
function writer(stream: InflateRaw): (piece: Uint8Array) => Promise<boolean> {
  let settle: (more: boolean) => void = () => undefined;
  let over = false;
  const end = (): void => {
    over = true;
    settle(false);
  };
  stream.once("end", end);
  stream.once("close", end);
  return (piece) =>
    new Promise((resolve) => {
      settle = resolve;
      if (over) resolve(false);
      else stream.write(piece, (error) => resolve(error === null || error === undefined));
    });
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}
