/** Position of the last row at or below an address, of rows sorted by address; -1 where all are above. */
export function lastAtOrBelow(rows: readonly { readonly va: bigint }[], va: bigint): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.va ?? 0n) <= va) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
