import { coverageOf, type Coverage, type Omission } from "./omission.js";

export interface Page<T> {
  items: T[];
  coverage: { state: Coverage["state"]; omissions: Omission[] };
  offset: number;
  limit: number;
  total: number | null;
  next_offset: number | null;
  has_more: boolean;
}

/** Cuts one page out of a whole list; concatenated pages equal the list. Coverage speaks of the list, not of the page. */
export function pageOf<S, T>(
  all: readonly S[],
  request: { readonly offset: number; readonly limit: number },
  map: (item: S) => T,
  omissions: readonly Omission[] = [],
): Page<T> {
  const items = all.slice(request.offset, request.offset + request.limit).map(map);
  const end = request.offset + items.length;
  const more = end < all.length;
  return {
    items,
    coverage: coverageOf(omissions),
    offset: request.offset,
    limit: request.limit,
    total: all.length,
    next_offset: more ? end : null,
    has_more: more,
  };
}
