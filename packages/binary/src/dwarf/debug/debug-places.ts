import { isFormatError } from "../../findings.js";
import type { AttributeValue } from "./attribute-values.js";
import { DebugCursor } from "./debug-cursor.js";
import type { DebugFunction, DebugPlace } from "./debug-type.js";
import { attribute } from "./dwarf-numbers.js";
import type { Entries, Entry, Unit } from "./entries.js";
import { listOffset } from "./list-offset.js";

const mostPlaces = 1000;

type Place = DebugPlace["place"];

/** Where a variable is, from its own location or the list it names. Empty where nothing is said or readable. */
export function placesOf(entries: Entries, entry: Entry): readonly DebugPlace[] {
  const value = entry.attributes.get(attribute.location);
  if (value === undefined) return [];
  if (value.kind === "block") return [{ start: undefined, end: undefined, place: placeOf(value.value, entries.littleEndian) }];
  try {
    return entry.unit.version >= 5 ? newList(entries, entry.unit, value) : oldList(entries, entry.unit, value);
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return [];
  }
}

export function frameBaseOf(entries: Entries, entry: Entry): DebugFunction["frameBase"] {
  const value = entry.attributes.get(attribute.frameBase);
  if (value?.kind !== "block") return { kind: "other" };
  const [operation, ...rest] = value.value;
  if (operation === 0x9c && rest.length === 0) return { kind: "call_frame" };
  if (operation !== undefined && operation >= 0x50 && operation <= 0x6f && rest.length === 0) return { kind: "register", register: operation - 0x50, offset: 0 };
  if (operation === undefined || operation < 0x70 || operation > 0x8f) return { kind: "other" };
  const cursor = new DebugCursor(value.value, entries.littleEndian, 1);
  const offset = attempt(() => Number(cursor.slebBig()));
  return offset === undefined || cursor.at !== cursor.end ? { kind: "other" } : { kind: "register", register: operation - 0x70, offset };
}

/** A register, or an offset from the frame base; everything else is `other`. */
function placeOf(code: Uint8Array, littleEndian: boolean): Place {
  const [operation] = code;
  if (operation === undefined) return other;
  if (operation >= 0x50 && operation <= 0x6f && code.length === 1) return { kind: "register", register: operation - 0x50 };
  const cursor = new DebugCursor(code, littleEndian, 1);
  if (operation === 0x90) {
    const register = attempt(() => cursor.uleb());
    return register === undefined || cursor.at !== cursor.end ? other : { kind: "register", register };
  }
  if (operation !== 0x91) return other;
  const offset = attempt(() => Number(cursor.slebBig()));
  return offset === undefined || cursor.at !== cursor.end ? other : { kind: "frame", offset };
}

const other: Place = { kind: "other" };

/** `.debug_loclists` (DWARF 5 §7.7.3). */
function newList(entries: Entries, unit: Unit, value: AttributeValue): readonly DebugPlace[] {
  const cursor = new DebugCursor(entries.sections.bytes("loclists"), entries.littleEndian);
  cursor.take(listOffset(unit, value, { cursor, base: unit.loclistsBase }));
  const found: DebugPlace[] = [];
  let base = unit.lowPc;
  while (found.length < mostPlaces) {
    const kind = cursor.u8();
    if (kind === 0) return found;
    if (kind === 6) {
      base = cursor.unsigned(unit.addressSize);
      continue;
    }
    if (kind === 1) {
      base = entries.addressAt(unit, cursor.uleb());
      continue;
    }
    const range = listRange(entries, unit, { kind, base, cursor });
    if (range === undefined) return found;
    const place = placeOf(block(cursor, cursor.uleb()), entries.littleEndian);
    found.push({ ...range, place });
  }
  return found;
}

function listRange(entries: Entries, unit: Unit, { kind, base, cursor }: { readonly kind: number; readonly base: bigint; readonly cursor: DebugCursor }): { readonly start: bigint | undefined; readonly end: bigint | undefined } | undefined {
  switch (kind) {
    case 2:
      return { start: entries.addressAt(unit, cursor.uleb()), end: entries.addressAt(unit, cursor.uleb()) };
    case 3: {
      const start = entries.addressAt(unit, cursor.uleb());
      return { start, end: start + cursor.ulebBig() };
    }
    case 4: {
      const start = base + cursor.ulebBig();
      return { start, end: base + cursor.ulebBig() };
    }
    case 5:
      return { start: undefined, end: undefined };
    case 7: {
      const start = cursor.unsigned(unit.addressSize);
      return { start, end: cursor.unsigned(unit.addressSize) };
    }
    case 8: {
      const start = cursor.unsigned(unit.addressSize);
      return { start, end: start + cursor.ulebBig() };
    }
    default:
      return undefined;
  }
}

/** `.debug_loc` (DWARF 4 §2.6.2). */
function oldList(entries: Entries, unit: Unit, value: AttributeValue): readonly DebugPlace[] {
  const cursor = new DebugCursor(entries.sections.bytes("loc"), entries.littleEndian);
  const offset = value.kind === "section_offset" ? value.value : value.kind === "constant" ? Number(value.value) : cursor.end + 1;
  cursor.take(offset);
  const found: DebugPlace[] = [];
  const highest = unit.addressSize === 8 ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  let base = unit.lowPc;
  while (found.length < mostPlaces) {
    const start = cursor.unsigned(unit.addressSize);
    const end = cursor.unsigned(unit.addressSize);
    if (start === 0n && end === 0n) return found;
    if (start === highest) {
      base = end;
      continue;
    }
    found.push({ start: base + start, end: base + end, place: placeOf(block(cursor, cursor.u16()), entries.littleEndian) });
  }
  return found;
}

function block(cursor: DebugCursor, length: number): Uint8Array {
  const at = cursor.take(length);
  return cursor.bytes.subarray(at, at + length);
}

function attempt(read: () => number): number | undefined {
  try {
    return read();
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return undefined;
  }
}
