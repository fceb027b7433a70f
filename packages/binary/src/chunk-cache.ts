const chunkBytes = 1024 * 1024;
const keptChunks = 64;

/** Reads a large file in aligned pieces and keeps the 64 last used ones (64 MiB). */
export class ChunkCache {
  readonly #size: number;
  readonly #load: (offset: number, length: number) => Uint8Array;
  /** In order of last use; a Map remembers insertion order. */
  readonly #chunks = new Map<number, Uint8Array>();

  constructor(size: number, load: (offset: number, length: number) => Uint8Array) {
    this.#size = size;
    this.#load = load;
  }

  /** A view where one piece holds the range, else a copy. The range must lie inside the file. */
  read(offset: number, length: number): Uint8Array {
    const first = Math.floor(offset / chunkBytes);
    const into = offset - first * chunkBytes;
    if (into + length <= chunkBytes) return this.#chunk(first).subarray(into, into + length);
    return this.#load(offset, length);
  }

  #chunk(index: number): Uint8Array {
    const start = index * chunkBytes;
    const chunk = this.#chunks.get(index) ?? this.#load(start, Math.max(0, Math.min(chunkBytes, this.#size - start)));
    this.#chunks.delete(index);
    this.#chunks.set(index, chunk);
    if (this.#chunks.size > keptChunks) this.#forgetOldest();
    return chunk;
  }

  #forgetOldest(): void {
    for (const index of this.#chunks.keys()) {
      this.#chunks.delete(index);
      return;
    }
  }
}
