export interface EscapeOptions {
  /** Keep line feed and tab as they are: for fields that hold several lines. */
  readonly multiline?: boolean;
}

// C1, bidirectional and invisible characters, and halves of surrogate pairs. What the named ranges and
// Default_Ignorable_Code_Point have in common is listed twice on purpose: the list is the rule's own.
const hidden =
  "\\u0080-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\p{Default_Ignorable_Code_Point}\\p{Surrogate}";
// A backslash is escaped only where it could be read back as an escape.
const backslash = "\\\\(?=[ux]\\{)";
const unsafeInLine = new RegExp(`[\\u0000-\\u001f\\u007f${hidden}]|${backslash}`, "gu");
const unsafeInLines = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f${hidden}]|${backslash}`, "gu");
// Printable ASCII without the backslash: nothing to do.
const harmless = /^[ -[\]-~]*$/;

/**
 * Makes text of a target safe to show: control, bidirectional, invisible and unpaired characters become `\u{hex}`.
 * Reversible with `unescapeUntrusted`. Apply it once, when a result is normalised: a second pass escapes the escapes.
 * Joins and digests use the original text.
 */
export function escapeUntrusted(text: string, options: EscapeOptions = {}): string {
  if (harmless.test(text)) return text;
  const unsafe = options.multiline === true ? unsafeInLines : unsafeInLine;
  return text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The text that `escapeUntrusted` was given. Escapes of bytes (`\x{80}`) stay as they are. */
export function unescapeUntrusted(text: string): string {
  return text.replace(/\\u\{([0-9a-f]{1,6})\}/g, (escape, hex: string) => {
    const codePoint = Number.parseInt(hex, 16);
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : escape;
  });
}

/** Cuts after `max` code points, never inside a surrogate pair. Cut first, escape then: an escape is several characters. */
export function truncateCodePoints(text: string, max: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  let end = 0;
  for (let taken = 0; taken < max && end < text.length; taken += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return { text: text.slice(0, end), truncated: end < text.length };
}
