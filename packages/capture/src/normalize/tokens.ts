/** Half-open range of UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const word = /[\p{L}\p{N}\p{M}_]/u;

/** True when a letter, mark or digit of any script, or `_`, stands right before `index`. */
export function wordBefore(text: string, index: number): boolean {
  const unit = text.charCodeAt(index - 1);
  const start = unit >= 0xdc00 && unit <= 0xdfff ? index - 2 : index - 1;
  return index > 0 && word.test(String.fromCodePoint(text.codePointAt(Math.max(0, start)) ?? 0));
}

/** The same for what begins at `index`. */
export function wordAt(text: string, index: number): boolean {
  return index < text.length && word.test(String.fromCodePoint(text.codePointAt(index) ?? 0));
}

/** False when an edge of the range lies inside a word, so that replacing it would cut a token. */
export function isWholeToken(text: string, { start, end }: TextRange): boolean {
  const cutsBefore = wordBefore(text, start) && wordAt(text, start);
  const cutsAfter = wordBefore(text, end) && wordAt(text, end);
  return start < end && !cutsBefore && !cutsAfter;
}

/** Every number written in ASCII digits that touches no other letter or digit, and no decimal part. */
export function* wholeNumbers(text: string): Generator<TextRange> {
  for (const { index: start, 0: digits } of text.matchAll(/[0-9]+/g)) {
    const end = start + digits.length;
    const fraction = isDigit(text, end + 1) && (text[end] === "." || text[end] === ",");
    if (!fraction && !wordBefore(text, start) && !wordAt(text, end)) yield { start, end };
  }
}

/** True for an ASCII digit at `index`. */
export function isDigit(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 48 && unit <= 57;
}
