/** How many nodes each file may have so that all together stay within a bound: small files keep theirs, large ones share what is left evenly. */
export function shareNodes(counts: readonly number[], total: number): number {
  const ordered = [...counts].sort((a, b) => a - b);
  let left = total;
  for (const [index, count] of ordered.entries()) {
    const share = Math.floor(left / (ordered.length - index));
    if (count > share) return share;
    left -= count;
  }
  return ordered.at(-1) ?? 0;
}
