import { isFormatError } from "../../findings.js";
import { DebugCursor } from "./debug-cursor.js";
import type { DebugSections } from "./debug-sections.js";

/** A unit of `.debug_info` or `.debug_types` (DWARF 5 §7.5.1). Offsets count from the start of its section. */
export interface UnitHeader {
  readonly section: "info" | "types";
  readonly start: number;
  readonly end: number;
  /** Of the first entry. */
  readonly entries: number;
  readonly version: number;
  readonly offsetSize: 4 | 8;
  readonly addressSize: number;
  readonly abbreviations: number;
  readonly kind: "compile" | "type" | "partial" | "skeleton" | "split";
  /** Of a type unit: its signature, and where its type's entry is. */
  readonly signature: bigint | undefined;
  readonly typeEntry: number | undefined;
}

const mostUnits = 500_000;

/** Headers of all units in order. A damaged one ends the list, as the next one's place is not known then. */
export function readUnits(sections: DebugSections): readonly UnitHeader[] {
  return [...unitsOf(sections, "info"), ...unitsOf(sections, "types")];
}

function unitsOf(sections: DebugSections, section: "info" | "types"): readonly UnitHeader[] {
  const units: UnitHeader[] = [];
  const bytes = sections.bytes(section);
  let at = 0;
  while (at + 11 <= bytes.length) {
    try {
      const unit = readHeader(new DebugCursor(bytes, sections.image.endian === "little", at), section);
      if (unit === undefined) sections.findings.note("debug information", "unsupported_format", "Units of this version of DWARF are passed over; versions 2 to 5 are read.");
      else units.push(unit);
      at = unit?.end ?? nextUnit(bytes, sections.image.endian === "little", at);
    } catch (error) {
      if (!isFormatError(error)) throw error;
      sections.findings.malformed("debug information", at, "a unit is longer than its section");
      return units;
    }
    if (units.length === mostUnits) {
      sections.findings.limited("debug information", "limit_items", 1, mostUnits);
      return units;
    }
  }
  return units;
}

function lengthOf(cursor: DebugCursor): { readonly end: number; readonly offsetSize: 4 | 8 } {
  const short = cursor.u32();
  const offsetSize = short === 0xffffffff ? 8 : 4;
  const length = offsetSize === 8 ? cursor.offset(8) : short;
  const start = cursor.at;
  cursor.take(length);
  cursor.at = start;
  return { end: start + length, offsetSize };
}

function nextUnit(bytes: Uint8Array, littleEndian: boolean, at: number): number {
  return lengthOf(new DebugCursor(bytes, littleEndian, at)).end;
}

function readHeader(cursor: DebugCursor, section: "info" | "types"): UnitHeader | undefined {
  const start = cursor.at;
  const { end, offsetSize } = lengthOf(cursor);
  const version = cursor.u16();
  if (version < 2 || version > 5) return undefined;
  const kind = version >= 5 ? unitKind(cursor.u8()) : section === "types" ? "type" : "compile";
  const [abbreviations, addressSize] = version >= 5 ? sizeFirst(cursor, offsetSize) : [cursor.offset(offsetSize), cursor.u8()];
  let signature: bigint | undefined;
  let typeEntry: number | undefined;
  if (kind === "type") {
    signature = cursor.u64();
    typeEntry = start + cursor.offset(offsetSize);
  } else if (kind === "skeleton" || kind === "split") cursor.take(8);
  return { section, start, end, entries: cursor.at, version, offsetSize, addressSize, abbreviations, kind, signature, typeEntry };
}

function sizeFirst(cursor: DebugCursor, offsetSize: 4 | 8): readonly [number, number] {
  const addressSize = cursor.u8();
  return [cursor.offset(offsetSize), addressSize];
}

function unitKind(value: number): UnitHeader["kind"] {
  switch (value) {
    case 2:
    case 6:
      return "type";
    case 3:
      return "partial";
    case 4:
      return "skeleton";
    case 5:
      return "split";
    default:
      return "compile";
  }
}
