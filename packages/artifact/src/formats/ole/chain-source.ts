import { checkRange, type ByteSource } from "@rea/core";

/** Where the pieces of a stream stand. */
export interface Pieces {
  /** Bytes of each piece; the last may be used in part. */
  readonly pieceBytes: number;
  readonly numbers: Uint32Array;
  /** Where a piece stands in the source it lies in. */
  readonly offset: (piece: number) => number;
}

/** A stream in pieces of equal length, as one run of bytes. Pieces that lie side by side are read at once. */
export class ChainSource implements ByteSource {
  readonly #in: ByteSource;
  readonly #pieces: Pieces;
  readonly size: number;

  constructor(source: ByteSource, pieces: Pieces, size: number) {
    this.#in = source;
    this.#pieces = pieces;
    this.size = size;
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(offset, length, this.size);
    const parts: Uint8Array[] = [];
    for (let at = offset; at < offset + length; ) {
      const { start, bytes } = this.#run(at, offset + length - at);
      parts.push(this.#in.read(start, bytes));
      at += bytes;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** The longest run of neighbouring pieces from an offset on. */
  #run(at: number, most: number): { readonly start: number; readonly bytes: number } {
    const { pieceBytes, numbers, offset } = this.#pieces;
    const first = Math.floor(at / pieceBytes);
    const into = at - first * pieceBytes;
    const start = offset(numbers[first] ?? 0) + into;
    let bytes = pieceBytes - into;
    for (let index = first + 1; bytes < most && numbers[index] === (numbers[index - 1] ?? 0) + 1; index += 1) bytes += pieceBytes;
    return { start, bytes: Math.min(bytes, most) };
  }
}
