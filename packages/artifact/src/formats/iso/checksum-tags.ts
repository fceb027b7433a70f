import { createHash } from "node:crypto";
import { turn } from "../../codecs/turn.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { sectorBytes } from "./volume-descriptors.js";

const pieceBytes = 1024 * 1024;

/** A block in which libisofs, the library behind xorriso, declares the MD5 of a range of the image. */
export interface ChecksumTag {
  readonly start: number;
  /** The declared range, bytes from the image's start. */
  readonly rangeStart: number;
  readonly rangeLength: number;
  readonly md5: string;
  /** True for the tag of a whole session, which stands behind the list of its files' checksums. */
  readonly isSession: boolean;
}

/** The tag that stands in a block, if one does and it names its own place. */
export function checksumTag(window: PieceWindow, start: number): ChecksumTag | undefined {
  if (start % sectorBytes !== 0 || !window.holds(start, sectorBytes)) return undefined;
  const text = window.bytes(start, sectorBytes).toString("latin1");
  const kind = /^libisofs_(?:(sb|tree|rlsb32)_)?checksum_tag_v1 /.exec(text);
  const number = (name: string): number => Number(new RegExp(` ${name}=(\\d{1,10}) `).exec(text)?.[1] ?? Number.NaN);
  const md5 = / md5=([0-9a-f]{32}) /.exec(text)?.[1];
  if (kind === null || md5 === undefined || number("pos") * sectorBytes !== start) return undefined;
  return { start, rangeStart: number("range_start") * sectorBytes, rangeLength: number("range_size") * sectorBytes, md5, isSession: kind[1] === undefined };
}

/** Whether a tag's range has its MD5; undefined when the range lies outside the image. */
export async function tagHolds({ source, size }: PieceWindow, { rangeStart, rangeLength, md5 }: ChecksumTag, signal: AbortSignal): Promise<boolean | undefined> {
  const end = rangeStart + rangeLength;
  if (!(end <= size)) return undefined;
  const hash = createHash("md5");
  for (let at = rangeStart; at < end; at += pieceBytes) {
    await turn(signal);
    hash.update(source.read(at, Math.min(pieceBytes, end - at)));
  }
  return hash.digest("hex") === md5;
}
