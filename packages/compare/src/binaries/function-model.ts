import type { NativeFingerprint } from "@rea/core";

const lanes = 24;

/** A function of one side, ready for matching. Positions count in the list of its side, which is sorted by address. */
export interface FunctionModel {
  readonly position: number;
  readonly print: NativeFingerprint;
  readonly sketch: Uint32Array;
  /** Hashes of strings, names of imports and constants that it uses. */
  readonly strings: readonly string[];
  readonly imports: readonly string[];
  readonly constants: readonly string[];
  /** Positions of what it calls, in the order of the calls. */
  readonly calls: readonly number[];
  /** Positions of what calls it, ascending. */
  readonly callers: readonly number[];
}

/** The functions of one side. */
export function functionModels(prints: readonly NativeFingerprint[]): readonly FunctionModel[] {
  const calls = prints.map((print) => (print.calls === "" ? [] : print.calls.split(",").map(Number).filter((position) => position < prints.length)));
  const callers: Set<number>[] = prints.map(() => new Set());
  calls.forEach((list, from) => {
    for (const to of list) if (to !== from) callers[to]?.add(from);
  });
  return prints.map((print, position) => ({
    position,
    print,
    sketch: sketchOf(print.sketch),
    strings: hashes(print.strings),
    imports: hashes(print.imports),
    constants: hashes(print.constants),
    calls: calls[position] ?? [],
    callers: [...(callers[position] ?? [])].sort((a, b) => a - b),
  }));
}

/** True for a function with a body of this file. */
export function hasBody({ print }: FunctionModel): boolean {
  return !print.external && print.instructions > 0;
}

/** Share of runs of operations that two functions have in common, 0 to 1, estimated from their sketches. */
export function likeness(left: FunctionModel, right: FunctionModel): number {
  if (left.print.operations === right.print.operations) return 1;
  let equal = 0;
  for (let lane = 0; lane < lanes; lane += 1) if (left.sketch[lane] === right.sketch[lane]) equal += 1;
  return equal / lanes;
}

/** The smaller number of instructions over the greater, 0 to 1. */
export function sizeRatio(left: FunctionModel, right: FunctionModel): number {
  const [a, b] = [left.print.instructions, right.print.instructions];
  return Math.max(a, b) === 0 ? 1 : Math.min(a, b) / Math.max(a, b);
}

function sketchOf(text: string): Uint32Array {
  return Uint32Array.from({ length: lanes }, (_, lane) => Number.parseInt(text.slice(lane * 8, lane * 8 + 8), 16));
}

function hashes(text: string): string[] {
  return text.match(/.{8}/gu) ?? [];
}
