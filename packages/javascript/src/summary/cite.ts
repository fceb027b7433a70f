import { escapeUntrusted, type Citation } from "@rea/core";
import type { Span } from "../facts/fact.js";
import type { LinkedScript } from "../link/linked-application.js";

/** A range of a file; originals are told by search, not here. */
export function cite({ path }: Pick<LinkedScript, "path">, { start, end, line, column }: Span): Citation {
  return { path: escapeUntrusted(path), start, end, line: Math.max(1, line), column, original: null };
}

/** Text of the target for a result field. */
export function shown(text: string): string {
  return escapeUntrusted(text.length > 1000 ? `${text.slice(0, 1000)}…` : text);
}

export function shownOrNull(text: string | null): string | null {
  return text === null ? null : shown(text);
}

/** The first items of a list, and how many there are. */
export function firstOf<T>(items: readonly T[], most: number): { items: T[]; returned: number; total: number; truncated: boolean } {
  const kept = items.slice(0, most);
  return { items: kept, returned: kept.length, total: items.length, truncated: kept.length < items.length };
}
