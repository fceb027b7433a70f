import type { BinaryImage } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";
import { firstAtLeast } from "./sort-order.js";

/** Cells that the loader fills with addresses of the image itself. */
export interface Pointers {
  /** Cell → where it points, both RVAs; in order of cells. */
  readonly targets: ReadonlyMap<number, number>;
  /** True when some cell lies in executable bytes: constants in instructions are relocated one by one. */
  readonly inCode: boolean;
  /** True when a cell starts inside the half-open range. */
  readonly relocated: (start: number, end: number) => boolean;
}

/** Reads the relocations of an image as pointers from cell to target. */
export function readPointers(image: BinaryImage, memory: MemoryMap): Pointers {
  const pairs: { readonly cell: number; readonly target: number }[] = [];
  for (const relocation of image.relocations().items) {
    if (relocation.target === undefined) continue;
    const cell = memory.toRva(relocation.va);
    const target = memory.toRva(relocation.target);
    if (cell !== undefined && target !== undefined && memory.rangeAt(target) !== undefined) pairs.push({ cell, target });
  }
  pairs.sort((a, b) => a.cell - b.cell);
  const cells = Float64Array.from(pairs, (pair) => pair.cell);
  return {
    targets: new Map(pairs.map((pair) => [pair.cell, pair.target] as const)),
    inCode: memory.code.some((range) => firstAtLeast(cells, range.start) < firstAtLeast(cells, range.end)),
    relocated: (start, end) => (cells[firstAtLeast(cells, start)] ?? end) < end,
  };
}
