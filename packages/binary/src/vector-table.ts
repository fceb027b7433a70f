import { address, ByteReader, type Address, type ByteSource } from "@rea/core";
import type { EntryPoint } from "./image.js";

const wordBytes = 4;
/** Exceptions of the processor itself, and interrupts at most (Armv7-M Architecture Reference Manual, §B1.5.2 and §B1.5.3). */
const ownVectors = 16;
const mostVectors = 512;
const fewestHandlers = 3;
/** Where such processors have their memory: §B3.1, "The system address map". */
const memory = { start: 0x1000_0000, end: 0x8000_0000 } as const;

/**
 * Handlers in the table with which the memory of a Cortex-M processor begins: the first stack pointer, then addresses with
 * bit 0 set, or zero where there is no handler. Empty when the bytes are no such table. Addresses keep bit 0.
 */
export function vectorTable(source: ByteSource, base: Address): readonly EntryPoint[] {
  const count = Math.min(mostVectors, Math.floor(source.size / wordBytes));
  if (count < ownVectors) return [];
  const reader = new ByteReader(source, "little");
  const stack = reader.u32(0);
  if (stack % wordBytes !== 0 || stack < memory.start || stack > memory.end) return [];
  const handlers = new Set<bigint>();
  for (let vector = 1; vector < count; vector += 1) {
    const value = BigInt(reader.u32(vector * wordBytes));
    const isHandler = (value & 1n) === 1n && value >= base + BigInt(ownVectors * wordBytes) && value < base + BigInt(source.size);
    if (isHandler) handlers.add(value);
    // The processor starts at the first one.
    else if (value !== 0n && vector >= ownVectors) break;
    else if (value !== 0n || vector === 1) return [];
  }
  return handlers.size < fewestHandlers ? [] : [...handlers].map((va): EntryPoint => ({ va: address(va), kind: "entry" }));
}
