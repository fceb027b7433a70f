import type { TransformedBlock } from "./block-symbols.js";

const pieceBytes = 1 << 18;
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
 * The text of a block in pieces: undoes the sorting, then the runs (four equal bytes are followed by a count). The
 * returned value is the text's CRC-32, most significant bit first.
 */
export function* blockText(column: Uint32Array, block: TransformedBlock): Generator<Uint8Array, number, undefined> {
  linkRotations(column, block.length);
  let entry = column[(column[block.origin] ?? 0) >>> 8] ?? 0;
  let crc = -1;
  let out = new Uint8Array(pieceBytes);
  let filled = 0;
  let previous = -1;
  let equal = 0;
  for (let left = block.length; left > 0; left -= 1) {
    const byte = entry & 0xff;
    entry = column[entry >>> 8] ?? 0;
    let times = 1;
    if (equal === 4) {
      times = byte;
      equal = 0;
    } else {
      equal = byte === previous ? equal + 1 : 1;
      previous = byte;
    }
    for (; times > 0; times -= 1) {
      crc = (crc << 8) ^ (crcTable[(crc >>> 24) ^ previous] ?? 0);
      out[filled] = previous;
      filled += 1;
    }
    if (equal === 0) previous = -1;
    if (filled <= pieceBytes - 256) continue;
    yield out.subarray(0, filled);
    out = new Uint8Array(pieceBytes);
    filled = 0;
  }
  if (filled > 0) yield out.subarray(0, filled);
  return ~crc >>> 0;
}
