/** Half-open ranges of addresses; sorted and without overlap where a function says so. */
export type Ranges = readonly (readonly [number, number])[];

/** Sorted ranges, overlapping and touching ones made one. */
export function joined(ranges: Ranges): [number, number][] {
  const result: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Addresses in all ranges together. */
export const total = (ranges: Ranges): number => ranges.reduce((sum, [start, end]) => sum + end - start, 0);

/** Parts of the first that are in the second; both sorted, each without overlap. */
export function inside(ranges: Ranges, others: Ranges): [number, number][] {
  const result: [number, number][] = [];
  let other = 0;
  for (const [start, end] of ranges) {
    while ((others[other]?.[1] ?? Infinity) <= start) other += 1;
    for (let at = other; (others[at]?.[0] ?? Infinity) < end; at += 1) {
      result.push([Math.max(start, others[at]?.[0] ?? 0), Math.min(end, others[at]?.[1] ?? 0)]);
    }
  }
  return result;
}

/** Parts of the first that are not in the second. */
export function without(ranges: Ranges, others: Ranges): [number, number][] {
  const holes: [number, number][] = [];
  let from = -Infinity;
  for (const [start, end] of joined(others)) {
    holes.push([from, start]);
    from = end;
  }
  holes.push([from, Infinity]);
  return inside(joined(ranges), holes);
}

/** True when one of the sorted ranges holds the address. */
export function within(address: number, ranges: Ranges): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.[1] ?? 0) <= address) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.[0] ?? Infinity) <= address;
}
