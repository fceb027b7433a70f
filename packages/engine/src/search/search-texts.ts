import { omission, type Omission } from "@rea/core";
import type { SearchHits } from "./search-cache.js";
import type { TextMatcher } from "./text-matcher.js";

export interface TextSearch {
  readonly count: number;
  /** Texts to match at an index; the first that matches decides. */
  readonly textsAt: (index: number) => readonly string[];
  readonly matches: TextMatcher;
  readonly checkpoint: () => void;
  /** What is searched, in the plural. */
  readonly what: string;
  readonly limits?: SearchLimits;
}

/** In UTF-16 code units. */
export interface SearchLimits {
  readonly perText: number;
  readonly total: number;
}

const standardLimits: SearchLimits = { perText: 1024 * 1024, total: 64 * 1024 * 1024 };
const checkEvery = 256;

/** Indices whose text matches, in order. The work is bounded by what is read, never by time, so results repeat. */
export function searchTexts(search: TextSearch): SearchHits {
  const limits = search.limits ?? standardLimits;
  const indices: number[] = [];
  let left = limits.total;
  let cut = 0;
  let index = 0;
  for (; index < search.count && left > 0; index += 1) {
    if (index % checkEvery === 0) search.checkpoint();
    const texts = search.textsAt(index);
    if (texts.some((text) => text.length > limits.perText)) cut += 1;
    left -= texts.reduce((sum, text) => sum + Math.min(text.length, limits.perText), 0);
    if (texts.some((text) => search.matches(head(text, limits.perText)))) indices.push(index);
  }
  return { indices, omissions: omissionsOf(search, { cut, unread: search.count - index, limits }) };
}

function head(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit);
}

function omissionsOf(
  search: TextSearch,
  { cut, unread, limits }: { readonly cut: number; readonly unread: number; readonly limits: SearchLimits },
): Omission[] {
  const omissions: Omission[] = [];
  if (cut > 0) {
    omissions.push(
      omission(`the ends of long ${search.what}`, "limit_entry_bytes", {
        count: cut,
        limit: limits.perText,
        how_to_continue: "Read the bytes of long items with read_bytes.",
      }),
    );
  }
  if (unread > 0) {
    omissions.push(
      omission(search.what, "limit_operations", {
        count: unread,
        limit: limits.total,
        how_to_continue: "Page the list operation of the same items for the rest.",
      }),
    );
  }
  return omissions;
}
