import { createHash, hash, type Hash } from "node:crypto";
import type { KeptEnds } from "./kept-ends.js";
import { Views } from "./views.js";

/** Measures what a library gives as one member's content, and compares it with where that content lies. */
export class MeasuredMember {
  readonly #views = new Views();
  readonly #dataStart: number;
  readonly #dataEnd: number;
  readonly #ends: KeptEnds | undefined;
  /** The content where it came in one piece, as most do; undefined once there was a second one. */
  #only: Uint8Array | undefined;
  #sha256: Hash | undefined;
  #bytes = 0;

  /** Offsets from the member's first header. */
  constructor(dataStart: number, bytes: number, ends: KeptEnds | undefined) {
    this.#dataStart = dataStart;
    this.#dataEnd = dataStart + bytes;
    this.#ends = ends;
  }

  /** The next bytes of the member, `at` being where they stand in it. */
  expect(piece: Uint8Array, at: number): void {
    this.#views.expect(piece.subarray(Math.max(0, this.#dataStart - at), Math.max(0, this.#dataEnd - at)));
  }

  take(chunk: Uint8Array): void {
    this.#views.add(chunk);
    this.#ends?.take(chunk);
    if (this.#bytes === 0) this.#only = chunk;
    else this.#hashed().update(chunk);
    this.#bytes += chunk.byteLength;
  }

  /** Waits for what the library gives of the bytes at hand, which must not change before. */
  async settled(): Promise<void> {
    await this.#views.settled();
    if (this.#only !== undefined) this.#hashed();
  }

  /** Whether it was the very memory that holds the content, from its start to its end. */
  get isSame(): boolean {
    return this.#views.areSame(this.#dataEnd - this.#dataStart);
  }

  /** Hexadecimal. Ends the measuring. */
  digest(): string {
    return this.#sha256?.digest("hex") ?? hash("sha256", this.#only ?? new Uint8Array(0), "hex");
  }

  #hashed(): Hash {
    if (this.#sha256 !== undefined) return this.#sha256;
    this.#sha256 = createHash("sha256");
    if (this.#only !== undefined) this.#sha256.update(this.#only);
    this.#only = undefined;
    return this.#sha256;
  }
}
