import type { Omission } from "./omission.js";
import { pageOf, type Page } from "./page.js";

/** A result stands twice in a reply of at most 1 MiB. */
const mostCharacters = 380 * 1024;

/** As `pageOf`, and no larger than fits a reply: what goes beyond is left to the next page. One item is always there. */
export function fittingPageOf<S, T>(all: readonly S[], request: { readonly offset: number; readonly limit: number }, map: (item: S) => T, omissions: readonly Omission[] = []): Page<T> {
  const page = pageOf(all, request, map, omissions);
  let characters = 0;
  let kept = 0;
  for (const item of page.items) {
    characters += JSON.stringify(item).length;
    if (kept > 0 && characters > mostCharacters) break;
    kept += 1;
  }
  return kept === page.items.length ? page : { ...page, items: page.items.slice(0, kept), next_offset: page.offset + kept, has_more: true };
}
