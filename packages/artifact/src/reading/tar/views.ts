/** Steps between a write and the library's giving of what was written, generously counted. */
const mostSteps = 16;

/** Whether what a library gives are, one behind the other, the pieces of memory that it was given. */
export class Views {
  #piece: Uint8Array = new Uint8Array(0);
  #chunks: Uint8Array[] = [];
  /** Bytes given of the piece at hand, and in all. */
  #given = 0;
  #total = 0;
  #same = true;

  /** The next piece; all of the one before has been given, or never will be. */
  expect(piece: Uint8Array): void {
    this.#same &&= this.#given === this.#piece.byteLength;
    this.#piece = piece;
    this.#chunks = [];
    this.#given = 0;
  }

  add(chunk: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = this.#piece;
    const fits = chunk.buffer === buffer && chunk.byteOffset === byteOffset + this.#given && this.#given + chunk.byteLength <= byteLength;
    this.#same &&= fits;
    this.#chunks.push(chunk);
    this.#given += chunk.byteLength;
    this.#total += chunk.byteLength;
  }

  /** Waits until the piece at hand was given, or will not be. */
  async settled(): Promise<void> {
    for (let step = 0; step < mostSteps && this.#same && this.#given < this.#piece.byteLength; step += 1) await Promise.resolve();
  }

  /** What was given of the piece at hand; the piece itself where that is not the same. */
  taken(): readonly Uint8Array[] {
    return this.#same && this.#given === this.#piece.byteLength ? this.#chunks : [this.#piece];
  }

  areSame(bytes: number): boolean {
    return this.#same && this.#given === this.#piece.byteLength && this.#total === bytes;
  }
}
