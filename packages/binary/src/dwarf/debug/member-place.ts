import { DebugCursor } from "./debug-cursor.js";
import type { DebugField } from "./debug-type.js";
import { attribute } from "./dwarf-numbers.js";
import { numberOf, type Entry } from "./entries.js";

/** Where a member lies in its object (DWARF 5 §5.7.6, DWARF 3 §5.5.6 for bit fields counted from the highest bit). */
export function memberPlace(entry: Entry, littleEndian: boolean, storageBytes: number | undefined): Pick<DebugField, "offset" | "bits"> {
  const start = startOf(entry, littleEndian);
  const count = numberOf(entry, attribute.bitSize);
  if (count === undefined) return { offset: start, bits: undefined };
  const first = firstBit(entry, { start, count, littleEndian, storageBytes });
  return first === undefined ? { offset: start, bits: undefined } : { offset: Math.floor(first / 8), bits: { from: first % 8, count } };
}

interface BitField {
  readonly start: number | undefined;
  readonly count: number;
  readonly littleEndian: boolean;
  readonly storageBytes: number | undefined;
}

function firstBit(entry: Entry, { start, count, littleEndian, storageBytes }: BitField): number | undefined {
  const direct = numberOf(entry, attribute.dataBitOffset);
  if (direct !== undefined) return direct + 8 * (entry.attributes.has(attribute.dataMemberLocation) ? (start ?? 0) : 0);
  const value = entry.attributes.get(attribute.bitOffset);
  if (start === undefined) return undefined;
  if (value?.kind !== "constant") return 8 * start;
  const fromTop = Number(BigInt.asIntN(value.bytes === 8 ? 64 : 8 * value.bytes, value.value));
  if (!littleEndian) return 8 * start + fromTop;
  return storageBytes === undefined ? undefined : 8 * start + 8 * storageBytes - fromTop - count;
}

function startOf(entry: Entry, littleEndian: boolean): number | undefined {
  const value = entry.attributes.get(attribute.dataMemberLocation);
  // Members of unions need none.
  if (value === undefined) return 0;
  if (value.kind === "constant" || value.kind === "section_offset") return numberOf(entry, attribute.dataMemberLocation);
  if (value.kind !== "block") return undefined;
  const cursor = new DebugCursor(value.value, littleEndian);
  // `DW_OP_plus_uconst` alone; everything else asks the object.
  if (cursor.end === 0 || cursor.u8() !== 0x23) return undefined;
  const offset = cursor.uleb();
  return cursor.at === cursor.end ? offset : undefined;
}
