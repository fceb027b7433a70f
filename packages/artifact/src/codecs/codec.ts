/** Turns compressed pieces into plain ones. */
export interface Codec {
  /**
   * Plain bytes in pieces of at most about 1 MiB. Ends where the compressed data ends; throws
   * `artifact_operation_failed` (reason `format`) where it breaks, after yielding what came before. Memory is bounded by
   * the codec's window, and a window the data asks for beyond `options.maxWindowBytes` is refused the same way.
   */
  decompress(compressed: AsyncIterable<Uint8Array>, options: CodecOptions): AsyncIterable<Uint8Array>;
}

export interface CodecOptions {
  readonly signal: AbortSignal;
  /** Windows (dictionaries) up to this size are allocated; 128 MiB unless told. */
  readonly maxWindowBytes?: number;
  /** Called when the data's end was found, with the compressed bytes used; what follows belongs to somebody else. */
  readonly onEnd?: (usedBytes: number) => void;
}
