import { setImmediate as turn } from "node:timers/promises";
import { throwIfAborted } from "@rea/core";
import { signatures } from "./signatures.js";
import type { ZipWalk } from "./zip-walk.js";

/** A place in the container that has the signature of a record. */
export interface RecordPlace {
  readonly at: number;
  readonly signature: number;
}

const wanted: ReadonlySet<number> = new Set(Object.values(signatures));
const firstPiece = 4096;
const largestPiece = 256 * 1024 - 3;
const mark = Buffer.from("PK", "latin1");

/** Every place between two offsets that has a record's signature, in file order. Reads the range once, in growing pieces. */
export async function* recordPlaces(walk: ZipWalk, start: number, end: number): AsyncGenerator<RecordPlace, void, undefined> {
  let length = firstPiece;
  for (let from = start; from + 4 <= end; from += length, length = Math.min(largestPiece, length * 2)) {
    throwIfAborted(walk.input.signal, "zip_local_headers");
    if (length === largestPiece) await turn();
    // Three bytes more, for a signature across the piece's end.
    const piece = walk.search.bytes(from, Math.min(length + 3, end - from));
    for (let at = piece.indexOf(mark); at >= 0 && at < length; at = piece.indexOf(mark, at + 1)) {
      if (at + 4 > piece.byteLength) break;
      const signature = piece.readUInt32LE(at);
      if (wanted.has(signature)) yield { at: from + at, signature };
    }
  }
}
