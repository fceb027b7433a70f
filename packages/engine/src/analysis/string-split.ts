import type { SliceVotes } from "./slice-votes.js";
import type { StringRun } from "./string-runs.js";

/** A part of a run that is one text. */
export interface TextPiece {
  readonly start: number;
  readonly end: number;
  /** A pointer and a length say so; otherwise the piece goes on to where something else is known to start. */
  readonly measured: boolean;
}

export interface SplitInput {
  readonly run: StringRun;
  /** Addresses behind the run's start that code or pointers refer to, sorted. */
  readonly referred: readonly number[];
  /** Addresses in the run that some vote starts at, sorted. */
  readonly voted: readonly number[];
  readonly votes: SliceVotes;
  /** True where a character starts, and at the end of the run. */
  readonly isBoundary: (rva: number) => boolean;
}

const endIsStart = 4;
const endIsEnd = 3;
/** Registers side by side that merely hold an address and a number need the end to be confirmed too. */
const enough = 2;

/**
 * Cuts a run of text in a program whose strings carry their length. What a pointer and a length prove stands alone; the
 * rest is cut where references lead to. A text that ends in NUL and that nothing else points into is left whole: there a
 * number beside its address is no length.
 */
export function splitRun(input: SplitInput): readonly TextPiece[] {
  const { run, referred } = input;
  const measured = measuredPieces(input);
  if (measured.length === 0 && run.terminated) return [{ start: run.start, end: run.end, measured: false }];
  const pieces: TextPiece[] = [];
  let covered = run.start;
  for (const piece of measured) {
    if (piece.start > covered) pieces.push(...cutAt(covered, piece.start, referred));
    pieces.push(piece);
    covered = Math.max(covered, piece.end);
  }
  if (covered < run.end) pieces.push(...cutAt(covered, run.end, referred));
  return pieces;
}

function measuredPieces(input: SplitInput): TextPiece[] {
  const { run, referred, voted } = input;
  const starts = new Set([...referred, ...voted]);
  starts.delete(run.start);
  const isLone = run.terminated && starts.size === 0;
  return voted.flatMap((start) => {
    if (!input.isBoundary(start)) return [];
    const length = untagged(input, start, chosenLength(input, start, starts));
    const end = start + length;
    if (length === 0 || (isLone && end !== run.end)) return [];
    return [{ start, end, measured: true }];
  });
}

/** The length that most speaks for, the longest of equals; 0 when too little speaks for any. */
function chosenLength({ votes, run, isBoundary }: SplitInput, start: number, starts: ReadonlySet<number>): number {
  let best = 0;
  let most = 0;
  for (const [length, votesFor] of votes.lengthsAt(start)) {
    const end = start + length;
    if (!isBoundary(end)) continue;
    const score = votesFor + (starts.has(end) ? endIsStart : end === run.end ? endIsEnd : 0);
    if (score < enough || score < most || (score === most && length < best)) continue;
    best = length;
    most = score;
  }
  return best;
}

/**
 * A length that runs over places where other texts start, halved where that ends at or before the first of them: it is the
 * tagged length of a constant message.
 */
function untagged({ votes, voted, referred, isBoundary }: SplitInput, start: number, length: number): number {
  if (!votes.tagged || length % 2 === 0) return length;
  const next = Math.min(after(voted, start), after(referred, start));
  const half = (length - 1) / 2;
  return next < start + length && start + half <= next && isBoundary(start + half) ? half : length;
}

function after(places: readonly number[], rva: number): number {
  return places[firstAbove(places, rva)] ?? Infinity;
}

function cutAt(from: number, to: number, places: readonly number[]): TextPiece[] {
  const cuts = [from];
  for (let index = firstAbove(places, from); (places[index] ?? to) < to; index += 1) cuts.push(places[index] ?? to);
  cuts.push(to);
  return cuts.slice(1).map((end, index) => ({ start: cuts[index] ?? from, end, measured: false }));
}

/** Index of the first of the sorted places above an address. */
function firstAbove(places: readonly number[], rva: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) <= rva) low = middle + 1;
    else high = middle;
  }
  return low;
}
