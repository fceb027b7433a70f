import type { StringRun } from "./string-runs.js";
import type { TextPiece } from "./string-split.js";

const hasTag = 2;
const hasPackage = 4;
const packageBytes = 4;
/** What reads as text behind a run's last name may be the low bytes of a word. */
const wordBytes = 8;
const highestFlag = 15;

/**
 * Names and tags of Go's type data (Go source `internal/abi`, `Name`): a byte of flags, a length, the text, and where the
 * flags say so a second length and text, and four bytes that lead to a package's name. Lengths can read as characters of
 * the text; where the lengths account for the run to its end, its texts stand alone. Where the first flags and length stand
 * before the run, less than a word may follow the last name: it is no name. Undefined for anything else.
 */
export function goNames(run: StringRun, byteAt: (rva: number) => number): readonly TextPiece[] | undefined {
  return namesFrom(run.start - 1, run, byteAt, 0) ?? namesFrom(run.start - 2, run, byteAt, wordBytes);
}

function namesFrom(start: number, run: StringRun, byteAt: (rva: number) => number, rest: number): readonly TextPiece[] | undefined {
  const pieces: TextPiece[] = [];
  let at = start;
  while (at < run.end) {
    const flags = byteAt(at);
    const isRest = pieces.length > 0 && run.end - at < rest;
    if (flags < 0 || flags > highestFlag) return isRest ? pieces : undefined;
    const texts = (flags & hasTag) === 0 ? 1 : 2;
    at += 1;
    for (let index = 0; index < texts && at < run.end; index += 1) {
      const piece = { start: at + 1, end: at + 1 + byteAt(at), measured: true };
      if (piece.end <= piece.start || piece.end > run.end || piece.start < run.start) return isRest ? pieces : undefined;
      pieces.push(piece);
      at = piece.end;
    }
    if ((flags & hasPackage) !== 0) at += packageBytes;
  }
  return pieces;
}
