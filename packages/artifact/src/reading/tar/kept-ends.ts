/** First bytes of a content that are kept. */
const headBytes = 8 * 1024;
/** Last bytes that are; those of a format that shows itself by its end. */
const tailBytes = 2 * 1024;
/** A content up to this size is kept whole. */
const wholeBytes = 16 * 1024;

/** How many bytes are kept of a content of so many, from its start and from its end. */
export function keptOf(bytes: number): { readonly head: number; readonly tail: number } {
  return bytes <= wholeBytes ? { head: bytes, tail: 0 } : { head: headBytes, tail: tailBytes };
}

/** Keeps both ends of a content that passes, in memory that others keep theirs in as well. */
export class KeptEnds {
  readonly #head: Uint8Array;
  readonly #tail: Uint8Array;
  readonly #tailStart: number;
  #at = 0;

  constructor(into: Uint8Array, bytes: number) {
    const { head, tail } = keptOf(bytes);
    this.#head = into.subarray(0, head);
    this.#tail = into.subarray(head, head + tail);
    this.#tailStart = bytes - tail;
  }

  take(chunk: Uint8Array): void {
    if (this.#at < this.#head.byteLength) this.#head.set(chunk.subarray(0, this.#head.byteLength - this.#at), this.#at);
    const end = this.#at + chunk.byteLength;
    if (end > this.#tailStart) {
      const part = chunk.subarray(Math.max(0, this.#tailStart - this.#at));
      const to = Math.max(0, this.#at - this.#tailStart);
      this.#tail.set(part.subarray(0, Math.max(0, this.#tail.byteLength - to)), Math.min(to, this.#tail.byteLength));
    }
    this.#at = end;
  }
}
