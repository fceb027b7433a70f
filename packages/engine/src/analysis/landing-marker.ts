import type { CodeRegion } from "./code-map.js";

/** True for instructions that only mark a place to jump to: ENDBR64 and ENDBR32; BTI with its targets. */
export function isMarker({ bytes }: CodeRegion, at: number): boolean {
  const word = ((bytes[at + 3] ?? 0) << 24) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at] ?? 0);
  return word >>> 0 === 0xfa1e0ff3 || word >>> 0 === 0xfb1e0ff3 || (word & 0xffffff3f) >>> 0 === 0xd503241f;
}
