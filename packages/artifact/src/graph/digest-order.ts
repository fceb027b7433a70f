import type { Pace } from "../walk/paced-sort.js";

/** Digits of a digest that a key begins with: 28 bits, so that 25 are left of a whole number for the index. */
const keyDigits = 7;
const indexes = 2 ** 25;
/** Sorted at once. */
const stretch = 64 * 1024;
const keyedAtOnce = 4096;

/**
 * The order of digests (hexadecimal digits, lower case, all of one length, or empty) as their indexes; equal ones stay in the order
 * in which they were given. Numbers are compared instead of texts where their beginnings differ.
 */
export async function orderOfDigests(digests: readonly string[], pace: Pace): Promise<Uint32Array> {
  if (digests.length > indexes) throw new RangeError("More digests than can be sorted together.");
  const keys = await sortedKeys(digests, pace);
  const order = new Uint32Array(keys.length);
  for (let at = 0; at < keys.length; at += keyedAtOnce) {
    if (pace.due()) await pace.take();
    fillOrder(order, { keys, digests, from: at });
  }
  return order;
}

function fillOrder(order: Uint32Array, { keys, digests, from }: { readonly keys: Float64Array; readonly digests: readonly string[]; readonly from: number }): void {
  const end = Math.min(keys.length, from + keyedAtOnce);
  for (let at = from; at < end; at += 1) {
    const key = keys[at] ?? 0;
    order[at] = key % indexes;
    if (at > 0 && sameStart(key, keys[at - 1] ?? 0)) sinkInto(order, at, digests);
  }
}

function sameStart(a: number, b: number): boolean {
  return Math.floor(a / indexes) === Math.floor(b / indexes);
}

/** Digests with one beginning are few: each is moved in front of the greater ones. */
function sinkInto(order: Uint32Array, last: number, digests: readonly string[]): void {
  const index = order[last] ?? 0;
  const digest = digests[index] ?? "";
  const start = digest.slice(0, keyDigits);
  let at = last;
  for (; at > 0; at -= 1) {
    const before = order[at - 1] ?? 0;
    const other = digests[before] ?? "";
    if (!other.startsWith(start) || other <= digest) break;
    order[at] = before;
  }
  order[at] = index;
}

async function sortedKeys(digests: readonly string[], pace: Pace): Promise<Float64Array> {
  const keys = new Float64Array(digests.length);
  for (let at = 0; at < keys.length; at += keyedAtOnce) {
    if (pace.due()) await pace.take();
    fillKeys(keys, digests, at);
  }
  for (let at = 0; at < keys.length; at += stretch) {
    if (pace.due()) await pace.take();
    keys.subarray(at, at + stretch).sort();
  }
  return keys.length > stretch ? mergedKeys(keys, pace) : keys;
}

function fillKeys(keys: Float64Array, digests: readonly string[], from: number): void {
  const end = Math.min(keys.length, from + keyedAtOnce);
  for (let at = from; at < end; at += 1) keys[at] = startOf(digests[at] ?? "") * indexes + at;
}

async function mergedKeys(sorted: Float64Array, pace: Pace): Promise<Float64Array> {
  let from: Float64Array = sorted;
  let into: Float64Array = new Float64Array(sorted.length);
  for (let width = stretch; width < sorted.length; width *= 2) {
    for (let at = 0; at < sorted.length; at += 2 * width) await merge({ from, into, at, middle: Math.min(at + width, sorted.length), end: Math.min(at + 2 * width, sorted.length) }, pace);
    [from, into] = [into, from];
  }
  return from;
}

interface Merging {
  readonly from: Float64Array;
  readonly into: Float64Array;
  readonly at: number;
  readonly middle: number;
  readonly end: number;
}

async function merge({ from, into, at, middle, end }: Merging, pace: Pace): Promise<void> {
  let left = at;
  let right = middle;
  for (let to = at; to < end; to += 1) {
    if (to % stretch === 0 && pace.due()) await pace.take();
    const takesLeft = right >= end || (left < middle && (from[left] ?? 0) <= (from[right] ?? 0));
    into[to] = (takesLeft ? from[left] : from[right]) ?? 0;
    if (takesLeft) left += 1;
    else right += 1;
  }
}

/** The first digits as a number; 0 for an empty text, which stands in front of all others. */
function startOf(digest: string): number {
  let value = 0;
  for (let at = 0; at < keyDigits && at < digest.length; at += 1) {
    const code = digest.charCodeAt(at);
    value = value * 16 + (code < 58 ? code - 48 : code - 87);
  }
  return value;
}
