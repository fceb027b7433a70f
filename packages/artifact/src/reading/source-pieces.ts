import type { ByteSource } from "@rea/core";

const leastBytes = 16 * 1024;
const mostBytes = 256 * 1024;

/** A source from front to back: small pieces behind a jump, larger ones the longer it goes on from there. */
export class SourcePieces implements AsyncIterable<Uint8Array> {
  readonly source: ByteSource;
  #at = 0;
  #pieceBytes = mostBytes;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /** Goes on at an offset, or at the end where that is behind it; tells where. */
  jump(offset: number): number {
    this.#at = Math.min(offset, this.source.size);
    this.#pieceBytes = leastBytes;
    return this.#at;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    while (this.#at < this.source.size) {
      const length = Math.min(this.#pieceBytes, this.source.size - this.#at);
      this.#pieceBytes = Math.min(mostBytes, this.#pieceBytes * 2);
      const piece = this.source.read(this.#at, length);
      this.#at += length;
      yield await Promise.resolve(piece);
    }
  }
}
