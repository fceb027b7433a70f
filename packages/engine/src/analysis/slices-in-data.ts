import type { BinaryImage } from "@rea/binary";
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

const windowBytes = 1 << 16;

/**
 * Pointers into text with a length behind them: string headers of Go, `&str` and panic locations of Rust. Where no loader
 * moves the image its pointers are plain words, so every aligned word of its data is looked at.
 */
export function votesFromData(input: DataSlices): void {
  const words = new Words(input.image, input.memory);
  for (const [cell, target] of input.bounds.watched(input.pointers)) vote(words, input.votes, cell, target);
  if (input.pointers.size > 0) return;
  const { memory } = input;
  for (const range of memory.segments) if (!isCode(memory, range)) votesFromRange(words, range, input);
}

function isCode({ code }: MemoryMap, range: MappedRange): boolean {
  return code.some(({ start, end }) => start === range.start && end === range.fileEnd);
}

function votesFromRange(words: Words, range: MappedRange, { memory, votes, bounds }: DataSlices): void {
  const first = Math.ceil(range.start / words.size) * words.size;
  const base = Number(memory.base);
  for (let cell = first; cell + words.size <= range.fileEnd; cell += words.size) {
    bounds.worked(1);
    const target = words.at(cell) - base;
    if (target >= 0 && target < memory.size) vote(words, votes, cell, target);
  }
}

function vote(words: Words, votes: SliceVotes, cell: number, target: number): void {
  if (votes.isText(target)) votes.add(target, words.at(cell + words.size), sliceWeight.header);
}

/** Words of mapped data, read in windows because callers go from low to high addresses. */
class Words {
  readonly size: 4 | 8;
  readonly #memory: MemoryMap;
  readonly #little: boolean;
  #start = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(image: BinaryImage, memory: MemoryMap) {
    this.size = image.bits === 64 ? 8 : 4;
    this.#memory = memory;
    this.#little = image.endian === "little";
  }

  /** The word at an address, -1 outside the file and for words of 2^53 and more. */
  at(rva: number): number {
    if (rva < this.#start || rva + this.size > this.#start + this.#view.byteLength) this.#load(rva);
    const at = rva - this.#start;
    if (at + this.size > this.#view.byteLength) return -1;
    if (this.size === 4) return this.#view.getUint32(at, this.#little);
    const high = this.#view.getUint32(this.#little ? at + 4 : at, this.#little);
    return high >= 0x20_0000 ? -1 : high * 0x1_0000_0000 + this.#view.getUint32(this.#little ? at : at + 4, this.#little);
  }

  #load(rva: number): void {
    const bytes = this.#memory.read(rva, windowBytes);
    this.#start = rva;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
