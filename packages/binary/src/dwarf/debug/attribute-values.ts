import { checkRange } from "@rea/core";
import type { DebugCursor } from "./debug-cursor.js";
import { form } from "./dwarf-numbers.js";
import type { UnitHeader } from "./units.js";

/** What an attribute says, before indexes and references of its unit are followed. */
export type AttributeValue =
  | { readonly kind: "address"; readonly value: bigint }
  | { readonly kind: "address_index"; readonly value: number }
  /** Unsigned, as the bits stand; `signed` where the form says that it has a sign. */
  | { readonly kind: "constant"; readonly value: bigint; readonly bytes: number; readonly isSigned: boolean }
  | { readonly kind: "flag"; readonly value: boolean }
  | { readonly kind: "block"; readonly value: Uint8Array }
  /** Offset in `.debug_str` or `.debug_line_str`, or index into `.debug_str_offsets`, or the bytes themselves. */
  | { readonly kind: "string"; readonly value: Uint8Array }
  | { readonly kind: "string_offset"; readonly value: number; readonly section: "str" | "line_str" }
  | { readonly kind: "string_index"; readonly value: number }
  /** Offset in the unit's own section. */
  | { readonly kind: "reference"; readonly value: number }
  /** Offset in `.debug_info`. */
  | { readonly kind: "far_reference"; readonly value: number }
  | { readonly kind: "signature"; readonly value: bigint }
  | { readonly kind: "section_offset"; readonly value: number }
  | { readonly kind: "list_index"; readonly value: number }
  /** In another file. */
  | { readonly kind: "elsewhere" };

const constant = (value: bigint, bytes: number, isSigned = false): AttributeValue => ({ kind: "constant", value, bytes, isSigned });

/** Reads one value and moves behind it; an unknown form throws like a read past the end, as what follows has no place. */
export function readValue(cursor: DebugCursor, kind: number, unit: UnitHeader, implicit: bigint | undefined): AttributeValue {
  switch (kind) {
    case form.addr:
      return { kind: "address", value: cursor.unsigned(unit.addressSize) };
    case form.block1:
      return block(cursor, cursor.u8());
    case form.block2:
      return block(cursor, cursor.u16());
    case form.block4:
      return block(cursor, cursor.u32());
    case form.block:
    case form.exprloc:
      return block(cursor, cursor.uleb());
    case form.data1:
      return constant(BigInt(cursor.u8()), 1);
    case form.data2:
      return constant(BigInt(cursor.u16()), 2);
    case form.data4:
      return constant(BigInt(cursor.u32()), 4);
    case form.data8:
      return constant(cursor.u64(), 8);
    case form.data16:
      return block(cursor, 16);
    case form.sdata:
      return constant(cursor.slebBig(), 8, true);
    case form.udata:
      return constant(cursor.ulebBig(), 8);
    case form.implicitConst:
      return constant(implicit ?? 0n, 8, true);
    case form.flag:
      return { kind: "flag", value: cursor.u8() !== 0 };
    case form.flagPresent:
      return { kind: "flag", value: true };
    case form.string:
      return { kind: "string", value: cursor.text() };
    default:
      return readReference(cursor, kind, unit);
  }
}

function readReference(cursor: DebugCursor, kind: number, unit: UnitHeader): AttributeValue {
  const near = (value: number): AttributeValue => ({ kind: "reference", value: unit.start + value });
  switch (kind) {
    case form.ref1:
      return near(cursor.u8());
    case form.ref2:
      return near(cursor.u16());
    case form.ref4:
      return near(cursor.u32());
    case form.ref8:
      return near(cursor.offset(8));
    case form.refUdata:
      return near(cursor.uleb());
    case form.refAddr:
      // DWARF 2 wrote an address there.
      return { kind: "far_reference", value: unit.version <= 2 ? Number(cursor.unsigned(unit.addressSize)) : cursor.offset(unit.offsetSize) };
    case form.refSig8:
      return { kind: "signature", value: cursor.u64() };
    case form.strp:
      return { kind: "string_offset", value: cursor.offset(unit.offsetSize), section: "str" };
    case form.lineStrp:
      return { kind: "string_offset", value: cursor.offset(unit.offsetSize), section: "line_str" };
    case form.secOffset:
      return { kind: "section_offset", value: cursor.offset(unit.offsetSize) };
    case form.loclistx:
    case form.rnglistx:
      return { kind: "list_index", value: cursor.uleb() };
    case form.refSup4:
      cursor.take(4);
      return { kind: "elsewhere" };
    case form.refSup8:
      cursor.take(8);
      return { kind: "elsewhere" };
    case form.strpSup:
    case form.gnuRefAlt:
    case form.gnuStrpAlt:
      cursor.offset(unit.offsetSize);
      return { kind: "elsewhere" };
    case form.indirect:
      return readIndirect(cursor, unit);
    default:
      return readIndex(cursor, kind);
  }
}

function readIndirect(cursor: DebugCursor, unit: UnitHeader): AttributeValue {
  const kind = cursor.uleb();
  if (kind === form.indirect) return unknownForm(cursor);
  return readValue(cursor, kind, unit, kind === form.implicitConst ? cursor.slebBig() : undefined);
}

function readIndex(cursor: DebugCursor, kind: number): AttributeValue {
  switch (kind) {
    case form.strx:
    case form.gnuStrIndex:
      return { kind: "string_index", value: cursor.uleb() };
    case form.strx1:
      return { kind: "string_index", value: cursor.u8() };
    case form.strx2:
      return { kind: "string_index", value: cursor.u16() };
    case form.strx3:
      return { kind: "string_index", value: cursor.u24() };
    case form.strx4:
      return { kind: "string_index", value: cursor.u32() };
    case form.addrx:
    case form.gnuAddrIndex:
      return { kind: "address_index", value: cursor.uleb() };
    case form.addrx1:
      return { kind: "address_index", value: cursor.u8() };
    case form.addrx2:
      return { kind: "address_index", value: cursor.u16() };
    case form.addrx3:
      return { kind: "address_index", value: cursor.u24() };
    case form.addrx4:
      return { kind: "address_index", value: cursor.u32() };
    default:
      return unknownForm(cursor);
  }
}

function block(cursor: DebugCursor, length: number): AttributeValue {
  const at = cursor.take(length);
  return { kind: "block", value: cursor.bytes.subarray(at, at + length) };
}

function unknownForm(cursor: DebugCursor): AttributeValue {
  checkRange(cursor.at, Number.POSITIVE_INFINITY, cursor.end);
  return { kind: "elsewhere" };
}
