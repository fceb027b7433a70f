import { checkRange, type ByteReader } from "@rea/core";

/** A reading position in exception-handling data. */
export interface Cursor {
  readonly reader: ByteReader;
  /** First offset that does not belong to the data. */
  readonly end: number;
  at: number;
}

/** Where pointers are counted from (LSB: "DWARF Extensions", pointer encodings). */
export interface PointerBases {
  /** Address of a file offset of the data, for pc-relative pointers. */
  readonly vaOf: (offset: number) => bigint;
  readonly bits: 32 | 64;
  readonly text: bigint;
  readonly data: bigint;
}

export const omittedPointer = 0xff;

/** The address (or, with application bits masked off, the plain number) an encoded pointer stands for. */
export function readPointer(cursor: Cursor, encoding: number, bases: PointerBases): bigint {
  if ((encoding & 0x70) === 0x50) alignTo(cursor, bases);
  const place = bases.vaOf(cursor.at);
  const value = readNumber(cursor, encoding & 15, bases.bits);
  if (value === 0n) return 0n;
  return BigInt.asUintN(bases.bits, value + applied(encoding & 0x70, place, bases));
}

function applied(application: number, place: bigint, bases: PointerBases): bigint {
  switch (application) {
    case 0x10:
      return place;
    case 0x20:
      return bases.text;
    case 0x30:
      return bases.data;
    default:
      return 0n;
  }
}

function alignTo(cursor: Cursor, bases: PointerBases): void {
  const width = BigInt(bases.bits / 8);
  const rest = bases.vaOf(cursor.at) % width;
  if (rest !== 0n) cursor.at += Number(width - rest);
}

/** DW_EH_PE value formats; formats that do not exist throw like a read past the end. */
export function readNumber(cursor: Cursor, format: number, bits: 32 | 64): bigint {
  const { reader } = cursor;
  switch (format) {
    case 0x00:
      return bits === 64 ? reader.u64(advance(cursor, 8)) : BigInt(reader.u32(advance(cursor, 4)));
    case 0x01:
      return readUnsigned(cursor);
    case 0x02:
      return BigInt(reader.u16(advance(cursor, 2)));
    case 0x03:
      return BigInt(reader.u32(advance(cursor, 4)));
    case 0x04:
      return reader.u64(advance(cursor, 8));
    case 0x09:
      return readSigned(cursor);
    case 0x0a:
      return BigInt.asIntN(16, BigInt(reader.u16(advance(cursor, 2))));
    case 0x0b:
      return BigInt(reader.i32(advance(cursor, 4)));
    case 0x0c:
      return reader.i64(advance(cursor, 8));
    default:
      checkRange(cursor.at, Number.POSITIVE_INFINITY, cursor.end);
      return 0n;
  }
}

/** Moves on and returns where the bytes started; throws past the end of the data. */
export function advance(cursor: Cursor, length: number): number {
  const start = cursor.at;
  checkRange(start, length, cursor.end);
  cursor.at = start + length;
  return start;
}

/** ULEB128 of at most ten bytes (DWARF §7.6). */
export function readUnsigned(cursor: Cursor): bigint {
  return leb128(cursor).value;
}

/** SLEB128 of at most ten bytes (DWARF §7.6). */
function readSigned(cursor: Cursor): bigint {
  const { value, width } = leb128(cursor);
  return BigInt.asIntN(width, value);
}

function leb128(cursor: Cursor): { readonly value: bigint; readonly width: number } {
  let value = 0n;
  for (let width = 0; width < 70; width += 7) {
    const byte = cursor.reader.u8(advance(cursor, 1));
    value |= BigInt(byte & 0x7f) << BigInt(width);
    if ((byte & 0x80) === 0) return { value, width: width + 7 };
  }
  checkRange(cursor.at, Number.POSITIVE_INFINITY, cursor.end);
  return { value, width: 70 };
}
