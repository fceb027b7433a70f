import type { BinaryImage } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";

const windowBytes = 1 << 16;
/** High halves of words from 2^53 on. */
const farthest = 0x20_0000;

/** Words of mapped data as large as a pointer, read in windows because callers go from low to high addresses. */
export class DataWords {
  readonly size: 4 | 8;
  readonly #memory: MemoryMap;
  readonly #little: boolean;
  readonly #baseHigh: number;
  readonly #baseLow: number;
  #start = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(image: BinaryImage, memory: MemoryMap) {
    this.size = image.bits === 64 ? 8 : 4;
    this.#memory = memory;
    this.#little = image.endian === "little";
    this.#baseHigh = Number(memory.base >> 32n);
    this.#baseLow = Number(memory.base & 0xffff_ffffn);
  }

  /** The word at an address, -1 outside the file and for words of 2^53 and more. */
  at(rva: number): number {
    if (!this.#has(rva)) return -1;
    const high = this.#high(rva);
    return high >= farthest ? -1 : high * 0x1_0000_0000 + this.#low(rva);
  }

  /** The RVA that the word holds as an address, negative below the image or 2^53 bytes above it, and outside the file. */
  targetAt(rva: number): number {
    if (!this.#has(rva)) return -1;
    const high = this.#high(rva) - this.#baseHigh;
    return high >= farthest ? -1 : high * 0x1_0000_0000 + this.#low(rva) - this.#baseLow;
  }

  /** True when the bytes of the word up to its highest that is not zero are letters, digits and signs. */
  isText(rva: number): boolean {
    const word = this.at(rva);
    for (let rest = word; rest > 0; rest = Math.floor(rest / 256)) {
      const byte = rest % 256;
      if (byte < 0x20 || byte > 0x7e) return false;
    }
    return word > 0;
  }

  #has(rva: number): boolean {
    if (rva < this.#start || rva + this.size > this.#start + this.#view.byteLength) this.#load(rva);
    return rva - this.#start + this.size <= this.#view.byteLength;
  }

  #low(rva: number): number {
    const at = rva - this.#start;
    return this.#view.getUint32(this.size === 8 && !this.#little ? at + 4 : at, this.#little);
  }

  #high(rva: number): number {
    const at = rva - this.#start;
    return this.size === 4 ? 0 : this.#view.getUint32(this.#little ? at + 4 : at, this.#little);
  }

  #load(rva: number): void {
    const bytes = this.#memory.read(rva, windowBytes);
    this.#start = rva;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
