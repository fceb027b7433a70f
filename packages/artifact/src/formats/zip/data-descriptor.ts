import { size64, type PieceWindow } from "../../reading/piece-window.js";
import { signatures } from "./signatures.js";

/** CRC and sizes behind a member's data (APPNOTE 4.3.9). */
export interface DataDescriptor {
  readonly at: number;
  readonly length: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

/** The four forms: with and without signature, with sizes of four and of eight bytes. */
const forms = [
  { signed: true, width: 4 },
  { signed: true, width: 8 },
  { signed: false, width: 4 },
  { signed: false, width: 8 },
] as const;

export interface KnownSizes {
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

/** The descriptor at `at` in the form that says what is known already; undefined when no form does. */
export function descriptorLike(window: PieceWindow, at: number, known: KnownSizes): DataDescriptor | undefined {
  return descriptorsAt(window, at).find(
    (found) => found.crc32 === known.crc32 && found.compressedBytes === known.compressedBytes && found.bytes === known.bytes,
  );
}

/**
 * The descriptor at `at` in a form whose compressed size is the distance from the data's start; among several the one with
 * a record, or the end of the searched range, behind it.
 */
export function descriptorBehind(window: PieceWindow, dataOffset: number, { at, limit }: { readonly at: number; readonly limit: number }): DataDescriptor | undefined {
  const fitting = descriptorsAt(window, at).filter((found) => found.compressedBytes === at - dataOffset && at + found.length <= limit);
  return fitting.find(({ length }) => at + length === limit || records.has(window.u32(at + length) ?? 0)) ?? fitting[0];
}

const records: ReadonlySet<number> = new Set(Object.values(signatures));

/** A descriptor with its signature at `at` whatever it says; the wide form where the narrow one ends in no record. */
export function signedDescriptor(window: PieceWindow, at: number): DataDescriptor | undefined {
  return window.u32(at) === signatures.descriptor ? descriptorsAt(window, at)[0] : undefined;
}

function descriptorsAt(window: PieceWindow, at: number): readonly DataDescriptor[] {
  const isSigned = window.u32(at) === signatures.descriptor;
  return forms.flatMap(({ signed, width }) => {
    const length = (signed ? 8 : 4) + 2 * width;
    if ((signed && !isSigned) || !window.holds(at, length)) return [];
    const fields = window.bytes(at, length).subarray(signed ? 4 : 0);
    const size = (from: number): number => (width === 8 ? size64(fields, from) : fields.readUInt32LE(from));
    return [{ at, length, crc32: fields.readUInt32LE(0), compressedBytes: size(4), bytes: size(4 + width) }];
  });
}
