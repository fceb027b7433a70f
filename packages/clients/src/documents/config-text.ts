/** What is wrong with a configuration, and where; line and column count from 1. */
export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  /** One clause, without anything from the file. */
  readonly what: string;
}

/** The text of a configuration file, and what stands before it. */
export interface ConfigText {
  readonly mark: "" | "\uFEFF";
  readonly text: string;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a file so that encoding it again gives the same bytes, or says why that cannot be done. */
export function decodeConfig(bytes: Uint8Array): ConfigText | ConfigProblem {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { line: 1, column: 1, what: "the file is UTF-16, which is not read; save it as UTF-8" };
  }
  try {
    const decoded = decoder.decode(bytes);
    return decoded.startsWith("\uFEFF") ? { mark: "\uFEFF", text: decoded.slice(1) } : { mark: "", text: decoded };
  } catch {
    return { ...placeOf(invalidPrefix(bytes)), what: "the file is not valid UTF-8" };
  }
}

/** The text up to the first byte that is not UTF-8. */
function invalidPrefix(bytes: Uint8Array): string {
  const lenient = new TextDecoder("utf-8").decode(bytes);
  let from = lenient.indexOf("\uFFFD");
  // A replacement character that the file holds itself is no error.
  while (from !== -1 && Buffer.from(lenient.slice(0, from + 1)).equals(bytes.subarray(0, Buffer.byteLength(lenient.slice(0, from + 1))))) {
    from = lenient.indexOf("\uFFFD", from + 1);
  }
  return lenient.slice(0, Math.max(0, from));
}

/** Line and column of the end of a piece of text that starts the file. */
function placeOf(before: string): { readonly line: number; readonly column: number } {
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - lineStart + 1 };
}

/** A problem at an offset of the text. */
export function problemAt(text: string, offset: number, what: string): ConfigProblem {
  return { ...placeOf(text.slice(0, offset)), what };
}

/** Line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return placeOf(text.slice(0, offset)).line;
}

/** The line break that the text uses first; a line feed when it has none. */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  const feed = text.indexOf("\n");
  return feed > 0 && text.charAt(feed - 1) === "\r" ? "\r\n" : "\n";
}

/** Replaces one range of the text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; the order they are given in does not matter. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new Error("two edits of a configuration overlap");
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
