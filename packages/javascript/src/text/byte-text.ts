import type { Text } from "./decode.js";

const pieceBytes = 1024 * 1024;
const encoder = new TextEncoder();

/** A long text while it is written: bytes in pieces, so that no large string or list of strings stands beside it. */
export class ByteText {
  #done: Uint8Array[] = [];
  #piece = new Uint8Array(pieceBytes);
  #used = 0;

  add(text: string): void {
    for (let rest = text; rest !== ""; ) {
      const { read, written } = encoder.encodeInto(rest, this.#piece.subarray(this.#used));
      this.#used += written;
      if (read === rest.length) return;
      this.#done.push(this.#piece.subarray(0, this.#used));
      this.#piece = new Uint8Array(pieceBytes);
      this.#used = 0;
      rest = rest.slice(read);
    }
  }

  *pieces(): Generator<Uint8Array> {
    yield* this.#done;
    yield this.#piece.subarray(0, this.#used);
  }

  /** The texts as one; they are empty afterwards. */
  static joined(texts: readonly ByteText[]): Text {
    const length = texts.reduce((sum, text) => sum + text.#bytes, 0);
    const whole = new Uint8Array(length);
    let at = 0;
    for (const text of texts) {
      for (const piece of text.#taken()) {
        whole.set(piece, at);
        at += piece.byteLength;
      }
    }
    return whole;
  }

  get #bytes(): number {
    return this.#done.reduce((sum, { byteLength }) => sum + byteLength, this.#used);
  }

  /** Pieces that are let go one by one. */
  *#taken(): Generator<Uint8Array> {
    const pieces = [...this.pieces()].reverse();
    this.#done = [];
    this.#piece = new Uint8Array();
    this.#used = 0;
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) yield piece;
  }
}
