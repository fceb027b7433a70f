import type { BinaryImage } from "@rea/binary";
import { DataWords } from "./data-words.js";
import { lastAtOrBelow, type MappedRange, type MemoryMap } from "./memory-map.js";
import type { WorkBounds } from "./work-bounds.js";

/** Cells of data whose value is an address of the image, where no relocation says that they are pointers. */
export interface ValuePointers {
  /** Cell → where it points, both RVAs; in order of cells. */
  readonly targets: ReadonlyMap<number, number>;
  /** The same for cells that may as well be short texts: pointers where they lead to a known place. */
  readonly doubtful: ReadonlyMap<number, number>;
  /** Cells left out because there were more than are kept. */
  readonly leftOut: number;
}

/** Lower images have addresses that are usual numbers. */
const lowestBase = 0x1_0000n;
const mostPointers = 2_000_000;
const nothing: ValuePointers = { targets: new Map(), doubtful: new Map(), leftOut: 0 };

/**
 * Looks at every aligned word of the data of an image that no loader moves. Such words are pointers almost without exception
 * (files that kept their relocations say so) when they lead into a section; the exceptions are short texts that read as an
 * address, which stay doubtful but beside another pointer. Cells of imports and of relocations are somebody else's.
 */
export function valuePointers(image: BinaryImage, memory: MemoryMap, { known, bounds }: { readonly known: ReadonlyMap<number, number>; readonly bounds: WorkBounds }): ValuePointers {
  if (!isFixed(image) || memory.base + BigInt(lowest(memory)) < lowestBase) return nothing;
  const skip = new Set<number>();
  for (const { slots } of bounds.watched(image.imports().items)) for (const va of slots) skip.add(memory.toRva(va) ?? -1);
  const search = { image, memory, bounds, words: new DataWords(image, memory), places: mappedPlaces(image, memory) };
  const targets = new Map<number, number>();
  const doubtful = new Map<number, number>();
  let leftOut = 0;
  for (const range of dataRanges(image, memory)) {
    for (const { cell, target, isSure } of pointersIn(range, search)) {
      if (skip.has(cell) || known.has(cell)) continue;
      if (targets.size + doubtful.size < mostPointers) (isSure ? targets : doubtful).set(cell, target);
      else leftOut += 1;
    }
  }
  return { targets, doubtful, leftOut };
}

/** The image runs at the address it was linked for, and nothing in it tells pointers from numbers. */
function isFixed({ format, header }: BinaryImage): boolean {
  if (format === "raw") return true;
  if (format === "elf") return header.type === "ET_EXEC";
  if (format === "pe") return header.flags.includes("IMAGE_FILE_RELOCS_STRIPPED");
  return header.type === "MH_EXECUTE" && !header.flags.includes("MH_PIE");
}

function lowest({ segments }: MemoryMap): number {
  return segments[0]?.start ?? 0;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Data of the file, tables for loaders and debuggers left out; without sections all that is mapped and no code. */
function dataRanges(image: BinaryImage, memory: MemoryMap): readonly Place[] {
  const declared = image.sections().items.flatMap(({ kind, va, file }) => {
    const start = va === undefined || (kind !== "data" && kind !== "rodata") ? undefined : memory.toRva(va);
    return start === undefined || file === undefined ? [] : [{ start, end: start + file.size }];
  });
  if (image.sections().items.length > 0) return disjoint(declared);
  return disjoint(memory.segments.filter((range) => !isCode(memory, range)).map(({ start, fileEnd }) => ({ start, end: fileEnd })));
}

/** What a pointer may lead to: code, data and zero-filled memory. */
function mappedPlaces(image: BinaryImage, memory: MemoryMap): readonly Place[] {
  const sections = image.sections().items.flatMap(({ kind, va, virtualSize }) => {
    const isPlace = kind === "data" || kind === "rodata" || kind === "bss" || kind === "code";
    const start = va === undefined || !isPlace ? undefined : memory.toRva(va);
    return start === undefined ? [] : [{ start, end: Math.min(start + Number(virtualSize), memory.size) }];
  });
  return disjoint(sections.length > 0 ? sections : memory.segments);
}

function isCode({ code }: MemoryMap, range: MappedRange): boolean {
  return code.some(({ start, end }) => start === range.start && end === range.fileEnd);
}

function disjoint(places: readonly Place[]): readonly Place[] {
  const kept: Place[] = [];
  let covered = 0;
  for (const { start, end } of [...places].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (end <= Math.max(start, covered)) continue;
    kept.push({ start: Math.max(start, covered), end });
    covered = end;
  }
  return kept;
}

interface Search {
  readonly image: BinaryImage;
  readonly memory: MemoryMap;
  readonly bounds: WorkBounds;
  readonly words: DataWords;
  readonly places: readonly Place[];
}

interface ValuePointer {
  readonly cell: number;
  readonly target: number;
  readonly isSure: boolean;
}

function* pointersIn(range: Place, search: Search): Generator<ValuePointer, void, undefined> {
  const { words, bounds } = search;
  let before = false;
  for (let cell = Math.ceil(range.start / words.size) * words.size; cell + words.size <= range.end; cell += words.size) {
    bounds.worked(1);
    const target = targetOf(cell, search);
    const plain = target >= 0 && !words.isText(cell);
    if (target >= 0) yield { cell, target, isSure: plain || before || isPlain(cell + words.size, range, search) };
    before = plain;
  }
}

function isPlain(cell: number, range: Place, search: Search): boolean {
  return cell + search.words.size <= range.end && targetOf(cell, search) >= 0 && !search.words.isText(cell);
}

/** The address that the word leads to, -1 for none. Bit 0 of an address of ARM code names its instruction set. */
function targetOf(cell: number, { image, memory, words, places }: Search): number {
  const target = words.targetAt(cell);
  const place = places[lastAtOrBelow(places, target)];
  if (target < 0 || place === undefined || target >= place.end) return -1;
  const odd = image.architecture === "arm" && target % 2 === 1;
  return odd && memory.code.some(({ start, end }) => target >= start && target < end) ? target - 1 : target;
}
