import { wordAt, type CalledParts, type DataContext } from "./language-data.js";
import type { PeFile } from "./pe-file.js";

const magics: ReadonlySet<number> = new Set([0x19930520, 0x19930521, 0x19930522]);
const actionSize = 8;
const tryBlockSize = 20;
const handlerSize = 20;

/** True where a `FuncInfo` stands, which its magic number tells. */
export function isFunctionInfo(file: PeFile, rva: number): boolean {
  return magics.has(wordAt(file, rva) ?? 0);
}

/**
 * The parts that a `FuncInfo` (`__CxxFrameHandler3`) lists: its unwind map and the handlers of its try blocks. Throws the
 * range error where a table reaches past the data of its section.
 */
export function partsOfFunctionInfo(info: number, { file, budget }: DataContext): CalledParts {
  const word = (rva: number): number => file.aside.u32(file.offsetOf(rva, 4));
  const parts = new Set<number>();
  let entries = 0;
  /** RVAs of the entries of a table, as many as may still be read. */
  const rows = (count: number, rva: number, size: number): readonly number[] => {
    const most = Math.min(count, budget - entries);
    if (most > 0) file.offsetOf(rva, most * size);
    entries += Math.max(0, most);
    return Array.from({ length: Math.max(0, most) }, (_, index) => rva + index * size);
  };
  for (const action of rows(word(info + 4), word(info + 8), actionSize)) parts.add(word(action + 4));
  for (const block of rows(word(info + 12), word(info + 16), tryBlockSize)) {
    for (const handler of rows(word(block + 12), word(block + 16), handlerSize)) parts.add(word(handler + 12));
  }
  parts.delete(0);
  return { parts, entries };
}
