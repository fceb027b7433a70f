/** The first items that have room in so many bytes of JSON; at least `least` of them. */
export function fitting<T>(items: readonly T[], maximumBytes: number, least = 0): T[] {
  let room = maximumBytes;
  const kept: T[] = [];
  for (const item of items) {
    room -= Buffer.byteLength(JSON.stringify(item)) + 1;
    if (room < 0 && kept.length >= least) break;
    kept.push(item);
  }
  return kept;
}

/**
 * Bytes that the items of a page may take. A reply holds a result twice and must stay below 1 MiB, one by default below
 * 64 KiB; who asks for many items is given more.
 */
export function pageBytes(limit: number): number {
  return Math.min(320 * 1024, Math.max(20 * 1024, limit * 1024));
}
