import type { PieceWindow } from "../../reading/piece-window.js";

const mostContinuations = 32;
const longestArea = 64 * 1024;

/** One field of a record's system use area (SUSP 1.12 §4.1). */
export interface SystemUseField {
  readonly signature: string;
  /** The whole field, its four bytes of header included. */
  readonly bytes: Buffer;
}

export interface SystemUse {
  readonly fields: readonly SystemUseField[];
  /** Areas outside the record that belong to it. */
  readonly areas: readonly { readonly start: number; readonly length: number }[];
  readonly problem: "endless" | "broken" | undefined;
}

interface Continuation {
  readonly start: number;
  readonly length: number;
}

/** Fields of a system use area and the areas it is continued in; `skip` bytes at its start belong to somebody else. */
export function systemUseFields(area: Buffer, skip: number, { window, blockBytes }: { readonly window: PieceWindow; readonly blockBytes: number }): SystemUse {
  const fields: SystemUseField[] = [];
  const areas: Continuation[] = [];
  let next = collect(area.subarray(skip), blockBytes, fields);
  while (next !== undefined) {
    if (areas.length >= mostContinuations) return { fields, areas, problem: "endless" };
    if (next.length > longestArea || !window.holds(next.start, next.length)) return { fields, areas, problem: "broken" };
    areas.push(next);
    next = collect(Buffer.from(window.bytes(next.start, next.length)), blockBytes, fields);
  }
  return { fields, areas, problem: undefined };
}

/** Adds the fields of one area; the answer is where it is continued. */
function collect(area: Buffer, blockBytes: number, into: SystemUseField[]): Continuation | undefined {
  let continued: Continuation | undefined;
  for (let at = 0; at + 4 <= area.byteLength; ) {
    const length = area[at + 2] ?? 0;
    if (length < 4 || at + length > area.byteLength || area[at] === 0) break;
    const signature = area.toString("latin1", at, at + 2);
    const bytes = area.subarray(at, at + length);
    if (signature === "ST") break;
    if (signature === "CE" && length >= 28) continued = { start: bytes.readUInt32LE(4) * blockBytes + bytes.readUInt32LE(12), length: bytes.readUInt32LE(20) };
    else into.push({ signature, bytes });
    at += length;
  }
  return continued;
}
