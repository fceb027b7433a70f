import type { TransformedBlock } from "./block-symbols.js";

const pieceBytes = 1 << 18;
const longestRun = 255;
const crcTable = makeTable();

function makeTable(): Int32Array {
  const table = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte << 24;
    for (let bit = 0; bit < 8; bit += 1) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
    table[byte] = value;
  }
  return table;
}

/** Writes, above the low 8 bits of each entry, where the next byte of the text stands. */
function linkRotations(column: Uint32Array, length: number): void {
  const starts = new Uint32Array(257);
  for (let at = 0; at < length; at += 1) {
    const next = ((column[at] ?? 0) & 0xff) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let byte = 1; byte < 257; byte += 1) starts[byte] = (starts[byte] ?? 0) + (starts[byte - 1] ?? 0);
  for (let at = 0; at < length; at += 1) {
    const byte = (column[at] ?? 0) & 0xff;
    const place = starts[byte] ?? 0;
    starts[byte] = place + 1;
    column[place] = (column[place] ?? 0) | (at << 8);
  }
}

/**
 * The text of a block: undoes the sorting, then the runs (four equal bytes are followed by a count). `column` is used up.
 */
export class BlockText {
  readonly #column: Uint32Array;
  #entry: number;
  #left: number;
  #crc = -1;
  /** The byte of the present run, −1 for none, and how often it came. */
  #previous = -1;
  #equal = 0;

  constructor(column: Uint32Array, block: TransformedBlock) {
    linkRotations(column, block.length);
    this.#column = column;
    this.#entry = column[(column[block.origin] ?? 0) >>> 8] ?? 0;
    this.#left = block.length;
  }

  /** CRC-32 of what came out, most significant bit first. */
  get crc(): number {
    return ~this.#crc >>> 0;
  }

  /** The next piece; undefined at the end. */
  next(): Uint8Array | undefined {
    if (this.#left === 0) return undefined;
    const out = new Uint8Array(pieceBytes);
    const filled = this.#fill(out);
    this.#sum(out, filled);
    return out.subarray(0, filled);
  }

  #fill(out: Uint8Array): number {
    const column = this.#column;
    let entry = this.#entry;
    let left = this.#left;
    let previous = this.#previous;
    let equal = this.#equal;
    let filled = 0;
    for (; left > 0 && filled < pieceBytes - longestRun; left -= 1) {
      const byte = entry & 0xff;
      entry = column[entry >>> 8] ?? 0;
      if (equal === 4) {
        out.fill(previous, filled, filled + byte);
        filled += byte;
        equal = 0;
        previous = -1;
        continue;
      }
      equal = byte === previous ? equal + 1 : 1;
      previous = byte;
      out[filled] = byte;
      filled += 1;
    }
    this.#entry = entry;
    this.#left = left;
    this.#previous = previous;
    this.#equal = equal;
    return filled;
  }

  #sum(bytes: Uint8Array, length: number): void {
    let crc = this.#crc;
    for (let at = 0; at < length; at += 1) crc = (crc << 8) ^ (crcTable[(crc >>> 24) ^ (bytes[at] ?? 0)] ?? 0);
    this.#crc = crc;
  }
}
