import type { Facet } from "@rea/core";

/** A bounded collection inside a dossier. */
export interface Collection<T> {
  items: T[];
  returned: number;
  total: number | null;
  truncated: boolean;
  next_offset: number | null;
}

/** The part of a list from `offset` on that a dossier shows. */
export function collectionFacet<S, T>(
  all: readonly S[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  show: (item: S) => T,
): Facet<Collection<T>> {
  const items = all.slice(offset, offset + limit).map(show);
  const end = offset + items.length;
  const truncated = end < all.length;
  return {
    state: "available",
    value: { items, returned: items.length, total: all.length, truncated, next_offset: truncated ? end : null },
  };
}

export function unavailable(reason: string, remediation: string): { state: "unavailable"; reason: string; remediation: string } {
  return { state: "unavailable", reason, remediation };
}
