import type { EntryName } from "../../format.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { below, isoName } from "./iso-names.js";
import type { VolumeTree } from "./volume-descriptors.js";

const recordBytes = 8;
const longestTable = 16 * 1024 * 1024;
const deepest = 64;

/** A directory as the path table has it (ECMA-119 §9.4). */
export interface PathTableRow {
  /** Bytes from the image's start. */
  readonly start: number;
  /** Number of the directory around it, from 1. */
  readonly parent: number;
  readonly identifier: Uint8Array;
}

/** Rows of a table in one byte order; undefined when it breaks off. */
export function pathTable(window: PieceWindow, tree: VolumeTree, table: { readonly block: number; readonly little: boolean }): readonly PathTableRow[] | undefined {
  const { bytes } = tree.pathTables;
  const start = table.block * tree.blockBytes;
  if (bytes > longestTable || !window.holds(start, bytes)) return undefined;
  const all = Buffer.from(window.bytes(start, bytes));
  const rows: PathTableRow[] = [];
  for (let at = 0; at < all.byteLength; ) {
    const length = all.readUInt8(at);
    const end = at + recordBytes + length;
    if (length === 0 || end > all.byteLength) return undefined;
    const extent = table.little ? all.readUInt32LE(at + 2) : all.readUInt32BE(at + 2);
    rows.push({
      start: (extent + all.readUInt8(at + 1)) * tree.blockBytes,
      parent: table.little ? all.readUInt16LE(at + 6) : all.readUInt16BE(at + 6),
      identifier: Uint8Array.from(all.subarray(at + recordBytes, end)),
    });
    at = end + (length % 2);
  }
  return rows;
}

/** Whether two tables lead to the same directories in the same order. */
export function sameTables(a: readonly PathTableRow[], b: readonly PathTableRow[]): boolean {
  return a.length === b.length && a.every((row, index) => row.start === b[index]?.start && row.parent === b[index].parent && Buffer.compare(row.identifier, b[index].identifier) === 0);
}

/** The name of a directory that only the table knows, by way of its parents. */
export function tableName(rows: readonly PathTableRow[], index: number, kind: VolumeTree["kind"]): EntryName {
  const parts: EntryName[] = [];
  for (let at = index; at > 0 && parts.length < deepest; ) {
    const row = rows[at];
    if (row === undefined) break;
    parts.unshift(isoName(row.identifier, kind));
    // A parent stands before its children.
    if (row.parent - 1 >= at) break;
    at = row.parent - 1;
  }
  return parts.reduce(below, { bytes: new Uint8Array(0), text: "" });
}
