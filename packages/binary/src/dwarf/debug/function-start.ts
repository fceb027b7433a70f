import { isFormatError } from "../../findings.js";
import type { AttributeValue } from "./attribute-values.js";
import { DebugCursor } from "./debug-cursor.js";
import { attribute } from "./dwarf-numbers.js";
import type { Entries, Entry, Unit } from "./entries.js";
import { listOffset } from "./list-offset.js";

/** Where a function starts: its one range, or the first of several, as compilers write it that move what is seldom run away. */
export function functionStart(entries: Entries, entry: Entry): bigint | undefined {
  const low = entries.addressOf(entry, attribute.lowPc);
  const value = entry.attributes.get(attribute.ranges);
  if (low !== undefined || value === undefined) return low;
  try {
    return entry.unit.version >= 5 ? firstOfNewList(entries, entry.unit, value) : firstOfOldList(entries, entry.unit, value);
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return undefined;
  }
}

/** `.debug_rnglists` (DWARF 5 §7.25). */
function firstOfNewList(entries: Entries, unit: Unit, value: AttributeValue): bigint | undefined {
  const cursor = new DebugCursor(entries.sections.bytes("rnglists"), entries.littleEndian);
  cursor.take(listOffset(unit, value, { cursor, base: unit.rnglistsBase }));
  let base = unit.lowPc;
  for (;;) {
    switch (cursor.u8()) {
      case 1:
        base = entries.addressAt(unit, cursor.uleb());
        continue;
      case 2:
      case 3:
        return entries.addressAt(unit, cursor.uleb());
      case 4:
        return base + cursor.ulebBig();
      case 5:
        base = cursor.unsigned(unit.addressSize);
        continue;
      case 6:
      case 7:
        return cursor.unsigned(unit.addressSize);
      default:
        return undefined;
    }
  }
}

/** `.debug_ranges` (DWARF 4 §2.17.3). */
function firstOfOldList(entries: Entries, unit: Unit, value: AttributeValue): bigint | undefined {
  const cursor = new DebugCursor(entries.sections.bytes("ranges"), entries.littleEndian);
  cursor.take(value.kind === "section_offset" ? value.value : value.kind === "constant" ? Number(value.value) : cursor.end + 1);
  const highest = unit.addressSize === 8 ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  let base = unit.lowPc;
  for (;;) {
    const start = cursor.unsigned(unit.addressSize);
    const end = cursor.unsigned(unit.addressSize);
    if (start === 0n && end === 0n) return undefined;
    if (start !== highest) return base + start;
    base = end;
  }
}
