import { escapeUntrusted, truncateCodePoints } from "@rea/core";

/** Text of the target as results show it: cut on a code point first, escaped then. */

export interface ShownValue {
  value: string;
  value_truncated: boolean;
}

const listLimit = 1024;
const searchLimit = 4096;

/** A value of a list or a dossier. */
export function listValue(text: string): ShownValue {
  return shown(text, listLimit);
}

/** A value of a search result. */
export function searchValue(text: string): ShownValue {
  return shown(text, searchLimit);
}

/** A name where no flag can say that it was cut: the cut shows as an ellipsis. */
export function shownName(text: string): string {
  const { value, value_truncated: cut } = shown(text, listLimit);
  return cut ? `${value}…` : value;
}

/** Text of several lines, such as a comment. */
export function shownLines(text: string): string {
  return escapeUntrusted(text, { multiline: true });
}

function shown(text: string, limit: number): ShownValue {
  const cut = truncateCodePoints(text, limit);
  return { value: escapeUntrusted(cut.text), value_truncated: cut.truncated };
}
