import type { PlacedRange } from "./provider-facts.js";

export interface AddressShift {
  /** To be added to the other's addresses. */
  readonly shift: bigint;
  /** Ranges that both know by name, and how many of them the shift brings together. */
  readonly common: number;
  readonly together: number;
}

/**
 * How far one provider's placing lies from another's: engines load position-independent programs at bases of their own.
 * Decided by the names of sections, whatever the most of them say; a name that one of them uses twice says nothing.
 */
export function addressShift(reference: readonly PlacedRange[], other: readonly PlacedRange[]): AddressShift {
  const places = uniqueStarts(reference);
  const votes = new Map<bigint, number>();
  let common = 0;
  for (const [name, start] of uniqueStarts(other)) {
    const here = places.get(name);
    if (here === undefined) continue;
    common += 1;
    votes.set(here - start, (votes.get(here - start) ?? 0) + 1);
  }
  // The smaller shift wins a tie, so that the order of the names does not matter.
  const [best] = [...votes].sort(([a, many], [b, more]) => more - many || (magnitude(a) < magnitude(b) ? -1 : 1));
  return best === undefined ? { shift: 0n, common: 0, together: 0 } : { shift: best[0], common, together: best[1] };
}

function uniqueStarts(ranges: readonly PlacedRange[]): Map<string, bigint> {
  const starts = new Map<string, bigint>();
  const twice = new Set<string>();
  for (const { name, start } of ranges) {
    if (starts.has(name) && starts.get(name) !== start) twice.add(name);
    starts.set(name, start);
  }
  for (const name of ["", ...twice]) starts.delete(name);
  return starts;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
