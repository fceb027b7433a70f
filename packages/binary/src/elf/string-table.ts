import type { ByteReader } from "@rea/core";
import { decodeName } from "../name-text.js";

const wholeTableBytes = 256 * 1024 * 1024;
const nameBytes = 64 * 1024;

/**
 * Names at offsets of an ELF string table (gABI: "String Table"). A name is cut at 64 KiB, and the names of one table
 * may add up to 8 times its size plus 64 MiB: tables whose names overlap to exhaust memory run dry instead.
 */
export class StringTable {
  readonly #reader: ByteReader;
  readonly #offset: number;
  readonly #size: number;
  #bytes: Uint8Array | undefined;
  #budget: number;
  /** Names given up because the budget was spent. */
  dropped = 0;

  constructor(reader: ByteReader, offset: number, size: number) {
    this.#reader = reader;
    this.#offset = Math.min(offset, reader.size);
    this.#size = Math.max(0, Math.min(size, reader.size - this.#offset));
    this.#budget = this.#size * 8 + 64 * 1024 * 1024;
  }

  get size(): number {
    return this.#size;
  }

  /** The name, or undefined when the offset lies outside the table. */
  at(offset: number): string | undefined {
    if (offset >= this.#size || offset < 0) return undefined;
    const bytes = this.#nameBytes(offset);
    this.#budget -= bytes.length;
    if (this.#budget >= 0) return decodeName(bytes);
    this.dropped += 1;
    return undefined;
  }

  #nameBytes(offset: number): Uint8Array {
    if (this.#size > wholeTableBytes) {
      return this.#reader.cstring(this.#offset + offset, Math.min(nameBytes, this.#size - offset)).bytes;
    }
    this.#bytes ??= this.#reader.bytes(this.#offset, this.#size);
    const longest = this.#bytes.subarray(offset, offset + nameBytes);
    const end = longest.indexOf(0);
    return end < 0 ? longest : longest.subarray(0, end);
  }
}
