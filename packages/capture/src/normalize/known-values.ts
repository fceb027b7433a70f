import { wholeNumbers, wordAt, wordBefore, type TextRange } from "./tokens.js";

/** A value that differs from run to run, and the word that stands for it. */
export interface KnownValue {
  readonly value: string;
  readonly alias: string;
}

/** Smaller numbers cannot be told from counts. */
const leastPid = 100;

/** Places of process numbers, with the word for each. */
export function* processNumbers(text: string, pids: ReadonlyMap<number, string>): Generator<TextRange & { readonly alias: string }> {
  for (const range of wholeNumbers(text)) {
    const value = range.end - range.start > 10 ? 0 : Number(text.slice(range.start, range.end));
    const alias = value < leastPid ? undefined : pids.get(value);
    if (alias !== undefined && text[range.start - 1] !== ".") yield { ...range, alias };
  }
}

/** Places of a value as a whole: a path up to a separator or the end of its name, any other value as a word. */
export function* placesOf(text: string, value: string): Generator<TextRange> {
  if (value === "") return;
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
    const end = start + value.length;
    if (!wordBefore(text, start) && !wordAt(text, end) && !continuesName(text, end)) yield { start, end };
  }
}

/** `/tmp/a` is no part of `/tmp/a-b` or `/tmp/a.txt`, but of `/tmp/a.` at the end of a sentence. */
function continuesName(text: string, end: number): boolean {
  return /[.+~@%-]/.test(text[end] ?? "") && wordAt(text, end + 1);
}
