import { checkRange, type ByteSource } from "@rea/core";
import { inFile, openedSlice, runsInFile } from "./file-runs.js";

/** A stretch of content and where it lies; without `from` it is a hole, which reads as zeros. */
export interface Run {
  readonly length: number;
  readonly from: number | undefined;
}

/**
 * A content that is put together from stretches of a source, one after another, `size` bytes long; what no run covers is
 * zeros. Runs outside the source throw where they are read.
 */
export function runSource(source: ByteSource, runs: readonly Run[], size: number): ByteSource {
  const [first] = runs;
  if (first?.from !== undefined && first.length >= size && first.from + size <= source.size) return openedSlice(source, first.from, size);
  const starts: number[] = [];
  let next = 0;
  for (const { length } of runs) {
    starts.push(next);
    next += length;
  }
  const content: ByteSource = {
    size,
    read(offset, length) {
      checkRange(offset, length, size);
      const out = new Uint8Array(length);
      for (let index = lastStart(starts, offset); index < runs.length; index += 1) {
        const start = starts[index] ?? 0;
        if (start >= offset + length) break;
        fill(out, offset, { source, start, run: runs[index] });
      }
      return out;
    },
  };
  const inside = runsInFile(source, upTo(runs, size));
  return inside === undefined ? content : inFile(content, inside);
}

/** The runs as far as the content goes, with a hole where they end before it. */
function upTo(runs: readonly Run[], size: number): readonly Run[] {
  const used: Run[] = [];
  let left = size;
  for (const { from, length } of runs) {
    if (left <= 0) break;
    used.push({ from, length: Math.min(length, left) });
    left -= length;
  }
  return left > 0 ? [...used, { from: undefined, length: left }] : used;
}

function fill(out: Uint8Array, offset: number, { source, start, run }: { readonly source: ByteSource; readonly start: number; readonly run: Run | undefined }): void {
  if (run?.from === undefined) return;
  const from = Math.max(start, offset);
  const end = Math.min(start + run.length, offset + out.byteLength);
  if (end <= from) return;
  checkRange(run.from + (from - start), end - from, source.size);
  out.set(source.read(run.from + (from - start), end - from), from - offset);
}

/** Index of the last run that starts at or before an offset. */
function lastStart(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
