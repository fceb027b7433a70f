import { bufferOf, size64 } from "../../reading/piece-window.js";
import { elsewhere16, elsewhere32 } from "./signatures.js";

/** Header ids of extra fields (APPNOTE 4.5 and 4.6, Info-ZIP). */
export const extraIds = {
  zip64: 0x0001,
  pkwareUnix: 0x000d,
  strongEncryption: 0x0017,
  unicodePath: 0x7075,
  asiUnix: 0x756e,
  aes: 0x9901,
} as const;

/** The first field with this id; undefined when there is none or the list is cut short before it. */
export function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.byteLength; ) {
    const length = extra.readUInt16LE(at + 2);
    const end = at + 4 + length;
    if (end > extra.byteLength) return undefined;
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}

/** Fields of a header that may be continued in the zip64 extra field. */
export interface Wide {
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly offset: number;
  readonly disk: number;
}

export interface Widened extends Wide {
  /** A field that points at the zip64 extra field while that does not have it. */
  readonly lacking: boolean;
  readonly zip64: boolean;
}

/** APPNOTE 4.5.3: only the fields that are all ones in the header are there, in this order. */
export function widen(narrow: Wide, extra: Buffer): Widened {
  const field = extraField(extra, extraIds.zip64);
  let at = 0;
  let lacking = false;
  const next = (value: number, sentinel: number, width: 4 | 8): number => {
    if (value !== sentinel) return value;
    if (field === undefined || at + width > field.byteLength) {
      lacking = true;
      return value;
    }
    at += width;
    return width === 8 ? size64(field, at - 8) : field.readUInt32LE(at - 4);
  };
  const bytes = next(narrow.bytes, elsewhere32, 8);
  const compressedBytes = next(narrow.compressedBytes, elsewhere32, 8);
  const offset = next(narrow.offset, elsewhere32, 8);
  const disk = next(narrow.disk, elsewhere16, 4);
  return { bytes, compressedBytes, offset, disk, lacking, zip64: field !== undefined };
}

export interface UnicodePath {
  readonly nameCrc: number;
  readonly name: Buffer;
}

/** Info-ZIP Unicode Path (APPNOTE 4.6.9), version 1. */
export function unicodePath(extra: Buffer): UnicodePath | undefined {
  const field = extraField(extra, extraIds.unicodePath);
  if (field === undefined || field.byteLength < 5 || field[0] !== 1) return undefined;
  return { nameCrc: field.readUInt32LE(1), name: field.subarray(5) };
}

export interface AesField {
  /** 1: the CRC is that of the content; 2: there is none. */
  readonly vendorVersion: number;
  readonly keyBits: number;
  readonly method: number;
}

/** WinZip AES: version, "AE", strength, the method behind the encryption. */
export function aesField(extra: Buffer): AesField | undefined {
  const field = extraField(extra, extraIds.aes);
  if (field === undefined || field.byteLength < 7) return undefined;
  return { vendorVersion: field.readUInt16LE(0), keyBits: 64 + 64 * (field[4] ?? 0), method: field.readUInt16LE(5) };
}

export interface UnixField {
  readonly mode: number | undefined;
  readonly linkTarget: Uint8Array | undefined;
}

/** ASi Unix and PKWARE Unix fields, which may hold a link's target outside of the member's data. */
export function unixField(extra: Buffer): UnixField {
  const asi = extraField(extra, extraIds.asiUnix);
  if (asi !== undefined && asi.byteLength >= 14) return { mode: asi.readUInt16LE(4), linkTarget: filled(asi.subarray(14)) };
  const pkware = extraField(extra, extraIds.pkwareUnix);
  return { mode: undefined, linkTarget: pkware === undefined ? undefined : filled(pkware.subarray(12)) };
}

function filled(bytes: Buffer): Uint8Array | undefined {
  return bytes.byteLength === 0 ? undefined : Uint8Array.from(bufferOf(bytes));
}
