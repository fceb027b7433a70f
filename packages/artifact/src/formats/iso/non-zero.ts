import type { ByteSource } from "@rea/core";
import { turn } from "../../codecs/turn.js";

const pieceBytes = 256 * 1024;

/** The first byte of a range that is not zero. */
export async function firstNonZero(source: ByteSource, range: { readonly start: number; readonly end: number; readonly signal: AbortSignal }): Promise<number | undefined> {
  for (let at = range.start; at < range.end; at += pieceBytes) {
    await turn(range.signal);
    const found = source.read(at, Math.min(pieceBytes, range.end - at)).findIndex((byte) => byte !== 0);
    if (found >= 0) return at + found;
  }
  return undefined;
}
