import type { ProgramView } from "../program/program-view.js";
import type { ReferencedObject } from "../print/references.js";

/** Entries of functions whose addresses stand in the objects. */
export function functionsInData(objects: Iterable<ReferencedObject>, view: ProgramView): readonly number[] {
  const { cells, targets } = view.program.parts.pointers;
  const found = new Set<number>();
  for (const { va, size, isImport } of objects) {
    const start = isImport ? undefined : view.program.toRva(va);
    if (start === undefined) continue;
    for (let row = 0; row < cells.length; row += 1) {
      const cell = cells[row] ?? 0;
      const fn = cell >= start && cell < start + size ? view.program.functionAt(targets[row] ?? 0) : undefined;
      if (fn !== undefined && fn.entry === targets[row]) found.add(fn.entry);
    }
  }
  return [...found];
}
