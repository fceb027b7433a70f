import { checkRange, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { bufferOf } from "../../reading/piece-window.js";

/** How the blocks of a file lie in its resource fork. */
export type BlockLayout = "resources" | "offsets";

export interface BlockRange {
  readonly offset: number;
  readonly length: number;
}

const tablePiece = 8192;

/**
 * Where the blocks lie, at most `count`. "resources" is a resource fork with one resource: a big-endian length, then a
 * little-endian count and an offset and a length for each block. "offsets" is a table of little-endian offsets alone.
 */
export function* blockRanges(fork: ByteSource, layout: BlockLayout, count: number): Generator<BlockRange, void, undefined> {
  if (layout === "resources") yield* resourceBlocks(fork, count);
  else yield* offsetBlocks(fork, count);
}

function* resourceBlocks(fork: ByteSource, count: number): Generator<BlockRange, void, undefined> {
  const dataAt = at(fork, 0, 4).readUInt32BE(0);
  const base = dataAt + 4;
  const declared = at(fork, base, 4).readUInt32LE(0);
  if (declared < count) throw brokenData("A compressed file has fewer blocks than its size needs.");
  for (const words of pieces(fork, base + 4, count * 8)) {
    for (let index = 0; index + 8 <= words.byteLength; index += 8) yield { offset: base + words.readUInt32LE(index), length: words.readUInt32LE(index + 4) };
  }
}

function* offsetBlocks(fork: ByteSource, count: number): Generator<BlockRange, void, undefined> {
  let start: number | undefined;
  for (const words of pieces(fork, 0, (count + 1) * 4)) {
    for (let index = 0; index + 4 <= words.byteLength; index += 4) {
      const end = words.readUInt32LE(index);
      if (start !== undefined && end < start) throw brokenData("The blocks of a compressed file do not follow one another.");
      if (start !== undefined) yield { offset: start, length: end - start };
      start = end;
    }
  }
}

function* pieces(fork: ByteSource, offset: number, length: number): Generator<Buffer, void, undefined> {
  for (let done = 0; done < length; done += tablePiece) yield at(fork, offset + done, Math.min(tablePiece, length - done));
}

function at(fork: ByteSource, offset: number, length: number): Buffer {
  checkRange(offset, length, fork.size);
  return bufferOf(fork.read(offset, length));
}
