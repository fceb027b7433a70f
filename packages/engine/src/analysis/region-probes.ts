import { flow } from "../disassembler/flow.js";
import type { CodeRegion } from "./code-map.js";

/** True when the bytes are padding, or no instruction at all. */
export function isPadding(region: CodeRegion, at: number): boolean {
  if (!region.decoder.decode(at)) return true;
  return region.decoder.flow === flow.padding || region.decoder.flow === flow.trap;
}

/** True when an instruction decoded earlier reaches over `at`. */
export function coveredByEarlier(region: CodeRegion, at: number): boolean {
  for (let back = 1; back <= 15 && back <= at; back += 1) {
    if (((region.marks[at - back] ?? 0) & 15) > back) return true;
  }
  return false;
}

/** Size of the zero bytes at `at` when they can only be fill: one whole place of an instruction, all zero; else 0. */
export function zeroFill(region: CodeRegion, at: number, alignment: number): number {
  const size = alignment - ((region.start + at) % alignment);
  for (let index = 0; index < size; index += 1) if (region.bytes[at + index] !== 0) return 0;
  return size;
}

/** Offset of the decoded instruction that ends at `end`, the shortest of several; -1 without one. */
export function endingAt(region: CodeRegion, end: number): number {
  for (let back = 1; back <= 15 && back <= end; back += 1) {
    if (((region.marks[end - back] ?? 0) & 15) === back) return end - back;
  }
  return -1;
}
