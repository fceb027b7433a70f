import { scanStrings, type BinaryImage, type StringScan } from "@rea/binary";
import type { StringRecord } from "../program.js";
import type { MemoryMap } from "./memory-map.js";

/** Strings of the mapped data, sorted by address. Texts are decoded when asked for. */
export function collectStrings(image: BinaryImage, memory: MemoryMap): readonly StringRecord[] {
  const scan = scanStrings(image);
  const found: StringRecord[] = [];
  for (let index = 0; index < scan.count; index += 1) {
    const row = scan.row(index);
    const rva = row.va === undefined ? undefined : memory.toRva(row.va);
    if (rva !== undefined) found.push(new ScannedString(scan, index, rva));
  }
  return found.sort((a, b) => a.rva - b.rva);
}

class ScannedString implements StringRecord {
  readonly rva: number;
  readonly byteLength: number;
  readonly encoding: StringRecord["encoding"];
  readonly terminated: boolean;
  readonly #scan: StringScan;
  readonly #index: number;

  constructor(scan: StringScan, index: number, rva: number) {
    const row = scan.row(index);
    this.#scan = scan;
    this.#index = index;
    this.rva = rva;
    this.byteLength = row.byteLength;
    this.encoding = row.encoding;
    this.terminated = row.terminated;
  }

  text(): string {
    return this.#scan.text(this.#index);
  }
}
