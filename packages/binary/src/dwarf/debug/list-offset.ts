import type { AttributeValue } from "./attribute-values.js";
import { DebugCursor } from "./debug-cursor.js";
import type { Unit } from "./entries.js";

/**
 * Where a list begins that an attribute names by offset, or by index into the unit's table of offsets at `base`
 * (DWARF 5 §7.28, §7.29). Behind the end of the section for a value of another form.
 */
export function listOffset(unit: Unit, value: AttributeValue, { cursor, base }: { readonly cursor: DebugCursor; readonly base: number }): number {
  if (value.kind === "section_offset") return value.value;
  if (value.kind !== "list_index") return cursor.end + 1;
  const table = new DebugCursor(cursor.bytes, cursor.littleEndian);
  table.take(base);
  table.take(value.value * unit.offsetSize);
  return base + table.offset(unit.offsetSize);
}
