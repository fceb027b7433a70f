import { flow } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { WorkBounds } from "./work-bounds.js";
import { zeroFill } from "./region-probes.js";

/** Longest entry of a procedure linkage table: a jump through the slot, then the push and jump that bind it lazily. */
const longestStub = 16;

/** Longest head of such a table: the code that calls the loader. */
const longestHead = 32;

/** Work over claimed code is counted once for so many bytes, less one. */
const coarse = 0xffff;

interface Fill {
  readonly alignment: number;
  readonly bounds: WorkBounds;
}

/**
 * Bytes of fill between functions: behind an instruction that some function owns, as far as only no-operations, traps and
 * zero bytes follow; and the lazy half of an import's stub and the head of
 * their table, which only lead to the loader. What else stands in a gap is not
 * counted.
 */
export function paddingBytes(code: CodeMap, isStub: (rva: number) => boolean, bounds: WorkBounds): number {
  let total = 0;
  for (const region of code.regions) total += paddingIn(region, isStub, { alignment: code.alignment, bounds });
  return total;
}

function paddingIn(region: CodeRegion, isStub: (rva: number) => boolean, { alignment, bounds }: Fill): number {
  let total = 0;
  let at = 0;
  while (at < region.marks.length) {
    const length = region.claimed.has(at) ? (region.marks[at] ?? 0) & 15 : 0;
    if (length > 0) {
      at += length;
      if ((at & coarse) < length) bounds.worked(coarse >>> 3);
      continue;
    }
    const end = nextClaimed(region, at);
    bounds.worked((end - at) >>> 3);
    if (at > 0) total += (isStubTail(region, end, at, isStub) ? end : fillEnd(region, at, end, alignment)) - at;
    else if (end <= longestHead && isStub(region.start + end)) total += end;
    at = end;
  }
  return total;
}

function isStubTail(region: CodeRegion, end: number, at: number, isStub: (rva: number) => boolean): boolean {
  const entry = region.entries.floor(at - 1);
  return entry >= 0 && end - entry <= longestStub && isStub(region.start + entry);
}

function nextClaimed(region: CodeRegion, from: number): number {
  let at = from;
  while (at < region.marks.length && !region.claimed.has(at)) at += 1;
  return at;
}

/** Where the fill that begins at `start` ends; an instruction that reaches over the end of the gap is none. */
function fillEnd(region: CodeRegion, start: number, end: number, alignment: number): number {
  let at = start;
  while (at < end) {
    const zeros = zeroFill(region, at, alignment);
    if (zeros > 0) {
      at += zeros;
      continue;
    }
    const { decoder } = region;
    const fills = decoder.decode(at) && (decoder.flow === flow.padding || decoder.flow === flow.trap);
    if (!fills || at + decoder.length > end) break;
    at += decoder.length;
  }
  return at;
}
