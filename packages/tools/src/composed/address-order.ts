/** Order of `0x…` addresses without leading zeros: by number, other address spaces after, by text. */
export function compareAddresses(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorted by number, without repetition. */
export function sortedAddresses(addresses: Iterable<string>): string[] {
  return [...new Set(addresses)].sort(compareAddresses);
}
