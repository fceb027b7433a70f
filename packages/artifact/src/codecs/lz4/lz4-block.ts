import { brokenData } from "../broken-data.js";

/** Shorter copies are faster byte by byte. */
const loopBytes = 48;

/**
 * Decodes one LZ4 block into `out` from `start` (LZ4 block format). Matches may reach back to the start of `out`, which
 * holds what came before. Answers the place behind the last byte; throws when the block is broken or does not fit.
 */
export function decodeLz4Block(block: Uint8Array, out: Uint8Array, start: number): number {
  let from = 0;
  let to = start;
  while (from < block.byteLength) {
    const token = block[from] ?? 0;
    const literals = lengthAt(block, from + 1, token >> 4);
    from = literals.next + literals.length;
    if (from > block.byteLength || to + literals.length > out.byteLength) throw brokenData("Literals of an LZ4 block reach past its end.");
    if (literals.length > loopBytes) out.set(block.subarray(literals.next, from), to);
    else for (let at = 0; at < literals.length; at += 1) out[to + at] = block[literals.next + at] ?? 0;
    to += literals.length;
    if (from === block.byteLength) return to;
    if (from + 2 > block.byteLength) throw brokenData("An LZ4 block ends inside a match.");
    const distance = (block[from] ?? 0) | ((block[from + 1] ?? 0) << 8);
    const match = lengthAt(block, from + 2, token & 15);
    from = match.next;
    to = copyMatch(out, to, distance, match.length + 4);
  }
  return to;
}

function copyMatch(out: Uint8Array, to: number, distance: number, length: number): number {
  if (distance === 0 || distance > to) throw brokenData("A match of an LZ4 block reaches back before the data.");
  const end = to + length;
  if (end > out.byteLength) throw brokenData("A match of an LZ4 block reaches past its end.");
  if (distance >= length && length > loopBytes) out.copyWithin(to, to - distance, to - distance + length);
  else for (let at = to; at < end; at += 1) out[at] = out[at - distance] ?? 0;
  return end;
}

/** A length whose first 4 bits may be continued in bytes of 255. */
function lengthAt(block: Uint8Array, at: number, first: number): { readonly length: number; readonly next: number } {
  if (first < 15) return { length: first, next: at };
  let length = first;
  let next = at;
  for (;;) {
    const byte = block[next];
    if (byte === undefined) throw brokenData("An LZ4 block ends inside a length.");
    next += 1;
    length += byte;
    if (byte < 255) return { length, next };
  }
}
