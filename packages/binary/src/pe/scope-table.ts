import { wordAt, type CalledParts, type DataContext, type HandledRange } from "./language-data.js";

const entrySize = 16;
/** More than compilers nest in one function. */
const mostScopes = 4095;
/** In place of a filter: the block behind `__except` is run whatever was thrown. */
const always = 1;

/**
 * The filters and bodies of `__finally` in a table of scopes (`__C_specific_handler`, x64 exception handling,
 * "struct SCOPE_TABLE"): entries of begin, end, what is called and where to go on. Nothing names the form of language data:
 * undefined unless each scope lies in the range, and what it calls and where it goes on are as they must be.
 */
export function partsOfScopes({ start, end, data }: HandledRange, { file, budget, isCode }: DataContext): CalledParts | undefined {
  const count = wordAt(file, data) ?? 0;
  if (count === 0 || count > Math.min(mostScopes, budget) || end === undefined) return undefined;
  const parts = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const at = data + 4 + index * entrySize;
    const [from = 0, to = 0, called = 0, next = end] = [0, 4, 8, 12].map((field) => wordAt(file, at + field));
    if (from < start || to > end || from >= to || !isCall(called, next, { start, end })) return undefined;
    if (called === always) continue;
    if (!isCode(called)) return undefined;
    // A library's filter may serve several functions; a part stands behind the function it belongs to.
    if (called < start || called >= end) parts.add(called);
  }
  return parts.size > 0 ? { parts, entries: count } : undefined;
}

/** Behind a filter goes on the block of its `__except`, inside the range; nothing does behind the body of a `__finally`. */
function isCall(called: number, next: number, { start, end }: { readonly start: number; readonly end: number }): boolean {
  if (called === 0) return false;
  return next === 0 ? called !== always : next >= start && next < end;
}
