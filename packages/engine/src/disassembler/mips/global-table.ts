import type { BinaryImage } from "@rea/binary";

/** How far the global pointer stands behind the start of the global offset table (System V ABI, MIPS supplement). */
const pointerBias = 0x7ff0n;
const mostBytes = 0x1_0000;

/** The global offset table of an image: `gp` is fixed by where it stands, and its local entries by the linker. */
export class GlobalTable {
  /** What register gp holds in all code of the image. */
  readonly pointer: bigint;
  readonly #start: bigint;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #cellBytes: 4 | 8;

  private constructor(start: bigint, bytes: Uint8Array, image: BinaryImage) {
    this.#start = start;
    this.pointer = start + pointerBias;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = image.endian === "little";
    this.#cellBytes = image.bits === 64 ? 8 : 4;
  }

  static of(image: BinaryImage): GlobalTable | undefined {
    const section = image.sections().items.find(({ name }) => name === ".got");
    if (section?.va === undefined || section.file === undefined) return undefined;
    const size = Math.max(0, Math.min(section.file.size, mostBytes, image.source.size - section.file.offset));
    const bytes = size === 0 ? new Uint8Array(0) : image.source.read(section.file.offset, size);
    return new GlobalTable(section.va, bytes, image);
  }

  /** What the cell at the address holds before anything is bound; undefined outside the table and for empty cells. */
  read(va: bigint): bigint | undefined {
    const offset = Number(va - this.#start);
    if (!(offset >= 0 && offset + this.#cellBytes <= this.#view.byteLength)) return undefined;
    const value = this.#cellBytes === 8 ? this.#view.getBigUint64(offset, this.#little) : BigInt(this.#view.getUint32(offset, this.#little));
    return value === 0n ? undefined : value;
  }
}
