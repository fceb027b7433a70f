import { endsFlow, flow, isComputedJump } from "../disassembler/flow.js";
import type { CodeRegion } from "./code-map.js";

/**
 * Where the function at `start` seems to end, read straight on: behind the first instruction that ends flow and lies
 * beyond every place a jump before it goes to. -1 when the bytes do not decode, a jump is computed, or `limit` comes first.
 */
export function straightEnd(region: CodeRegion, start: number, limit: number): number {
  const { decoder } = region;
  let furthest = start;
  let at = start;
  while (at < limit) {
    if (!decoder.decode(at) || isComputedJump(decoder.flow)) return -1;
    const target = decoder.target - region.start;
    const jumps = decoder.flow === flow.jump || decoder.flow === flow.conditionalJump;
    if (jumps && target > furthest && target < limit) furthest = target;
    at += decoder.length;
    if (endsFlow(decoder.flow) && furthest < at) return at;
  }
  return -1;
}
