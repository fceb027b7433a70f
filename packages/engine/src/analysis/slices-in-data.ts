import type { BinaryImage } from "@rea/binary";
import { DataWords } from "./data-words.js";
import type { MappedRange, MemoryMap } from "./memory-map.js";
import { sliceWeight, type SliceVotes } from "./slice-votes.js";
import type { WorkBounds } from "./work-bounds.js";

export interface DataSlices {
  readonly image: BinaryImage;
  readonly memory: MemoryMap;
  /** Cell → target, in order of cells. */
  readonly pointers: ReadonlyMap<number, number>;
  readonly votes: SliceVotes;
  readonly bounds: WorkBounds;
}

/**
 * Pointers into text with a length behind them: string headers of Go, `&str` and panic locations of Rust. Where no loader
 * moves the image its pointers are plain words, so every aligned word of its data is looked at.
 */
export function votesFromData(input: DataSlices): void {
  const words = new DataWords(input.image, input.memory);
  for (const [cell, target] of input.bounds.watched(input.pointers)) vote(words, input.votes, cell, target);
  if (input.pointers.size > 0) return;
  const { memory } = input;
  for (const range of memory.segments) if (!isCode(memory, range)) votesFromRange(words, range, input);
}

function isCode({ code }: MemoryMap, range: MappedRange): boolean {
  return code.some(({ start, end }) => start === range.start && end === range.fileEnd);
}

function votesFromRange(words: DataWords, range: MappedRange, { memory, votes, bounds }: DataSlices): void {
  const first = Math.ceil(range.start / words.size) * words.size;
  for (let cell = first; cell + words.size <= range.fileEnd; cell += words.size) {
    bounds.worked(1);
    const target = words.targetAt(cell);
    if (target >= 0 && target < memory.size) vote(words, votes, cell, target);
  }
}

function vote(words: DataWords, votes: SliceVotes, cell: number, target: number): void {
  if (votes.isText(target)) votes.add(target, words.at(cell + words.size), sliceWeight.header);
}
