import type { BinaryImage } from "@rea/binary";
import type { StringRecord } from "../program.js";
import type { MemoryMap } from "./memory-map.js";

/** Strings of the mapped file bytes, sorted by address. */
export function collectStrings(_image: BinaryImage, _memory: MemoryMap): readonly StringRecord[] {
  return [];
}
