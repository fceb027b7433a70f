import { address, ByteReader, type Address } from "@rea/core";
import { isFormatError } from "../findings.js";
import type { BinaryImage, UnwindRange } from "../image.js";
import { advance, omittedPointer, readNumber, readPointer, readUnsigned, type Cursor, type PointerBases } from "./encoded-pointer.js";

/** Instructions of a function that an exception may leave, and where the function goes on then. */
export interface ExceptionSite {
  readonly start: Address;
  /** Exclusive. */
  readonly end: Address;
  readonly landingPad: Address;
}

/** More than functions have. */
const mostSites = 65_536;

/**
 * Call sites with a landing pad, from the language data of a range (Itanium C++ ABI: Exception Handling, "LSDA"), as far as
 * they can be read. None for ranges whose data has another form.
 */
export function exceptionSites(image: BinaryImage, range: UnwindRange): readonly ExceptionSite[] {
  const sites: ExceptionSite[] = [];
  if (range.lsda === undefined || image.format === "pe") return sites;
  const place = placeOf(image, range.lsda);
  if (place === undefined) return sites;
  try {
    for (const site of readSites(place, range, image.bits)) if (sites.push(site) === mostSites) break;
  } catch (error) {
    if (!isFormatError(error)) throw error;
  }
  return sites;
}

interface Place {
  readonly cursor: Cursor;
  readonly bases: PointerBases;
}

function placeOf(image: BinaryImage, va: bigint): Place | undefined {
  const segment = image.segments().items.find((one) => va >= one.va && va < one.va + BigInt(one.file.size));
  if (segment === undefined) return undefined;
  const { offset, size } = segment.file;
  return {
    cursor: { reader: new ByteReader(image.source, image.endian), at: offset + Number(va - segment.va), end: offset + size },
    bases: { vaOf: (at) => segment.va + BigInt(at - offset), bits: image.bits, text: 0n, data: 0n },
  };
}

function* readSites({ cursor, bases }: Place, range: UnwindRange, bits: 32 | 64): Generator<ExceptionSite, void, undefined> {
  const byte = (): number => cursor.reader.u8(advance(cursor, 1));
  const padEncoding = byte();
  const padStart = padEncoding === omittedPointer ? range.start : readPointer(cursor, padEncoding, bases);
  if (byte() !== omittedPointer) readUnsigned(cursor);
  const format = byte() & 15;
  const length = Number(readUnsigned(cursor));
  const end = Math.min(cursor.end, cursor.at + length);
  while (cursor.at < end) {
    const [from, size, pad] = [readNumber(cursor, format, bits), readNumber(cursor, format, bits), readNumber(cursor, format, bits)];
    readUnsigned(cursor);
    if (pad === 0n || size <= 0n) continue;
    const start = BigInt.asUintN(bits, range.start + from);
    yield { start: address(start), end: address(BigInt.asUintN(64, start + size)), landingPad: address(BigInt.asUintN(bits, padStart + pad)) };
  }
}
