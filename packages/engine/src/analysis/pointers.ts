import type { BinaryImage } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";
import { firstAtLeast } from "./sort-order.js";
import { WorkBounds } from "./work-bounds.js";

/** Cells that hold addresses of the image itself. */
export interface Pointers {
  /** Cell → where it points, both RVAs; in order of cells. */
  readonly targets: ReadonlyMap<number, number>;
  /** Of these, cells that relocation fills. */
  readonly relocatedTargets: ReadonlyMap<number, number>;
  /** Of these, cells that no relocation but only their value speaks for. */
  readonly byValue: ReadonlyMap<number, number>;
  /** Further cells whose value may as well be a short text. */
  readonly doubtful: ReadonlyMap<number, number>;
  /** True when some cell lies in executable bytes: constants in instructions are relocated one by one. */
  readonly inCode: boolean;
  /** Cells that relocation fills, sorted, and the target of each, as columns. */
  readonly columns: PointerColumns;
  /** True when a cell that relocation fills starts inside the half-open range. */
  readonly relocated: (start: number, end: number) => boolean;
}

export interface PointerColumns {
  readonly cells: Float64Array;
  readonly targets: Float64Array;
}

/** Cell → target, in order of cells. */
export function pointerTargets({ cells, targets }: PointerColumns): ReadonlyMap<number, number> {
  return new Map(Array.from(cells, (cell, row) => [cell, targets[row] ?? 0] as const));
}

/** Reads the relocations of an image as pointers from cell to target. */
export function readPointers(image: BinaryImage, memory: MemoryMap, bounds = new WorkBounds({})): Pointers {
  const pairs: { readonly cell: number; readonly target: number }[] = [];
  bounds.checkStop();
  for (const relocation of bounds.watched(image.relocations().items)) {
    if (relocation.target === undefined) continue;
    const cell = memory.toRva(relocation.va);
    const target = memory.toRva(relocation.target);
    if (cell !== undefined && target !== undefined && memory.rangeAt(target) !== undefined) pairs.push({ cell, target });
  }
  pairs.sort(bounds.watchedOrder((a, b) => a.cell - b.cell));
  const cells = Float64Array.from(pairs, (pair) => pair.cell);
  const columns = { cells, targets: Float64Array.from(pairs, (pair) => pair.target) };
  const targets = pointerTargets(columns);
  return {
    targets,
    relocatedTargets: targets,
    byValue: new Map(),
    doubtful: new Map(),
    inCode: memory.code.some((range) => firstAtLeast(cells, range.start) < firstAtLeast(cells, range.end)),
    columns,
    relocated: relocatedRanges(cells),
  };
}

/** The test for ranges in which one of the sorted cells starts. */
export function relocatedRanges(cells: Float64Array): Pointers["relocated"] {
  return (start, end) => (cells[firstAtLeast(cells, start)] ?? end) < end;
}

/** The pointers with further ones that were found by value. */
export function withValues(pointers: Pointers, { targets, doubtful }: Pick<Pointers, "targets" | "doubtful">): Pointers {
  if (targets.size === 0) return { ...pointers, doubtful };
  const all = [...pointers.targets, ...targets].sort(([a], [b]) => a - b);
  return { ...pointers, targets: new Map(all), byValue: targets, doubtful };
}
