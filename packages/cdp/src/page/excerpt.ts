/** The beginning of a list: as many items as fit into so many bytes of JSON, and no more than `most`. */
export function excerptOf<T>(items: readonly T[], room: { readonly bytes: number; readonly most: number }): { items: T[]; returned: number; total: number; truncated: boolean } {
  const kept: T[] = [];
  let bytes = 0;
  for (const item of items.slice(0, room.most)) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > room.bytes) break;
    kept.push(item);
  }
  return { items: kept, returned: kept.length, total: items.length, truncated: kept.length < items.length };
}

/** How often each word occurs, the most frequent first, equal ones by name. */
export function countedWords(words: Iterable<string>, most: number): { name: string; count: number }[] {
  const counted = new Map<string, number>();
  for (const word of words) counted.set(word, (counted.get(word) ?? 0) + 1);
  return [...counted]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, most);
}
