import { SequentialReader } from "../reading/sequential-reader.js";
import type { Codec, CodecOptions } from "./codec.js";

/** Decodes one stream from a reader and leaves the reader exactly behind it. */
export type StreamDecoder = (reader: SequentialReader, options: DecoderOptions) => AsyncGenerator<Uint8Array, void, undefined>;

export type DecoderOptions = Pick<CodecOptions, "signal" | "maxWindowBytes">;

/** Windows that are allocated when nothing else is said. */
export const defaultWindowBytes = 128 * 1024 * 1024;

/** A codec from a decoder that reads exactly what belongs to its stream. */
export function codecOf(decode: StreamDecoder): Codec {
  return {
    async *decompress(compressed, options) {
      const reader = new SequentialReader(compressed);
      try {
        yield* decode(reader, options);
        options.onEnd?.(reader.position);
      } finally {
        await reader.close();
      }
    },
  };
}
