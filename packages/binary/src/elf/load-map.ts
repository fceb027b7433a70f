import type { FileRange } from "../image.js";
import { programTypes, type ProgramHeader } from "./program-headers.js";

/** Translates addresses to file offsets through PT_LOAD, as a loader would. */
export interface LoadMap {
  /** File bytes that stand at `va`, up to the end of their segment; undefined where the file backs nothing. */
  at(va: bigint): FileRange | undefined;
}

interface Mapping {
  readonly va: bigint;
  readonly end: bigint;
  readonly offset: number;
}

/** Later segments win where two overlap, as with a loader that maps in order. */
export function loadMap(programs: readonly ProgramHeader[], fileSize: number): LoadMap {
  const mappings = programs
    .filter((program) => program.type === programTypes.load && program.offset < fileSize && program.fileSize > 0)
    .map((program): Mapping => {
      const size = Math.min(program.fileSize, fileSize - program.offset);
      return { va: program.va, end: program.va + BigInt(size), offset: program.offset };
    })
    .sort((left, right) => (left.va < right.va ? -1 : left.va > right.va ? 1 : 0));
  return {
    at(va) {
      const mapping = lastStartingAt(mappings, va);
      if (mapping === undefined || va >= mapping.end) return undefined;
      const into = Number(va - mapping.va);
      return { offset: mapping.offset + into, size: Number(mapping.end - va) };
    },
  };
}

function lastStartingAt(mappings: readonly Mapping[], va: bigint): Mapping | undefined {
  let low = 0;
  let high = mappings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const mapping = mappings[middle];
    if (mapping !== undefined && mapping.va <= va) low = middle + 1;
    else high = middle;
  }
  return mappings[low - 1];
}
