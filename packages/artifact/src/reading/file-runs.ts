import { sourceSlice, type ByteSource } from "@rea/core";
import type { OpenedSource } from "../format.js";

/** Where the bytes of a source lie in an open file: stretches one behind the other, negative starts are holes. */
export interface FileRuns {
  readonly handle: number;
  readonly runs: readonly FileRun[];
}

export interface FileRun {
  readonly from: number;
  readonly length: number;
}

/** More stretches than this are not worth handing over. */
const mostRuns = 65_536;
const known = new WeakMap<ByteSource, FileRuns>();

/** Says of a source that its bytes are those of an open file. */
export function inFile<S extends ByteSource>(source: S, runs: FileRuns): S {
  if (runs.runs.length <= mostRuns) known.set(source, runs);
  return source;
}

/** Where the bytes of a part of a source lie; undefined when they are in no file, or not as they are. */
export function fileRunsOf(source: ByteSource, offset = 0, length = source.size - offset): FileRuns | undefined {
  const whole = known.get(source);
  if (whole === undefined || (offset === 0 && length === source.size)) return whole;
  return { handle: whole.handle, runs: cut(whole.runs, offset, length) };
}

function cut(runs: readonly FileRun[], offset: number, length: number): readonly FileRun[] {
  const inside: FileRun[] = [];
  let at = 0;
  for (const { from, length: size } of runs) {
    const start = Math.max(at, offset);
    const end = Math.min(at + size, offset + length);
    if (end > start) inside.push({ from: from < 0 ? -1 : from + (start - at), length: end - start });
    at += size;
  }
  return inside;
}

/** A window of a source that is known to lie where the source lies; closing it does nothing. */
export function openedSlice(source: ByteSource, offset: number, length: number): OpenedSource {
  const slice = { ...sourceSlice(source, offset, length), close: () => undefined };
  const runs = fileRunsOf(source, offset, length);
  return runs === undefined ? slice : inFile(slice, runs);
}

/** Stretches of a source as stretches of the file it lies in; undefined when it lies in none, or they reach out of it. */
export function runsInFile(source: ByteSource, runs: readonly { readonly from: number | undefined; readonly length: number }[]): FileRuns | undefined {
  const whole = known.get(source);
  if (whole === undefined || runs.length > mostRuns) return undefined;
  const [only] = whole.runs;
  // A file in one stretch is the usual case, and the only cheap one.
  if (only === undefined || whole.runs.length !== 1 || only.from < 0) return undefined;
  if (runs.some(({ from, length }) => from !== undefined && (from < 0 || from + length > source.size))) return undefined;
  return { handle: whole.handle, runs: runs.map(({ from, length }) => ({ from: from === undefined ? -1 : only.from + from, length })) };
}
