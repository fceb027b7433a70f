import { throwIfAborted } from "@rea/core";
import { size64, type PieceWindow } from "../../reading/piece-window.js";
import { elsewhere16, elsewhere32, fixedBytes, signatures } from "./signatures.js";

/** What an end record says of the central directory. */
export interface DirectoryFields {
  readonly disk: number;
  readonly directoryDisk: number;
  readonly entries: number;
  readonly directoryBytes: number;
  readonly directoryOffset: number;
}

export interface Zip64End extends DirectoryFields {
  readonly at: number;
  readonly end: number;
  /** How much later the record stands than the locator says. */
  readonly shift: number;
  /** The record has an encryption algorithm: the directory is not readable. */
  readonly encrypts: boolean;
}

export interface EndRecord {
  readonly at: number;
  /** Where record and comment end by its own account; may lie behind the container's end. */
  readonly end: number;
  /** With zip64 values in the place of fields that are all ones. */
  readonly fields: DirectoryFields;
  /** As the 22 bytes themselves say. */
  readonly narrow: DirectoryFields;
  readonly zip64: Zip64End | undefined;
  /** Where a zip64 locator stands that leads to no record. */
  readonly strayLocator: number | undefined;
}

const longestComment = 65_535;

/** Every place in the tail, where end records can stand, that has the signature; last first. */
export function endRecordPlaces(window: PieceWindow): readonly number[] {
  const start = Math.max(0, window.size - longestComment - fixedBytes.end);
  const tail = window.source.read(start, window.size - start);
  return placesOf(tail, start).filter((at) => window.holds(at, fixedBytes.end));
}

const endMark = Buffer.from("PK\u0005\u0006", "latin1");
const piece = 1024 * 1024;

/** The last end record of the whole container, searched backwards; for archives with much data behind them. */
export function lastEndRecordPlace(window: PieceWindow, signal: AbortSignal): number | undefined {
  for (let end = window.size; end > 0; end -= piece) {
    throwIfAborted(signal, "zip_directory");
    const start = Math.max(0, end - piece);
    const length = Math.min(window.size, end + endMark.byteLength - 1) - start;
    const found = placesOf(window.source.read(start, length), start).find((at) => window.holds(at, fixedBytes.end));
    if (found !== undefined) return found;
  }
  return undefined;
}

function placesOf(bytes: Uint8Array, start: number): number[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places: number[] = [];
  for (let at = buffer.lastIndexOf(endMark); at >= 0; at = at === 0 ? -1 : buffer.lastIndexOf(endMark, at - 1)) places.push(start + at);
  return places;
}

/** The end record at a place that has its signature and room for it. */
export function readEndRecord(window: PieceWindow, at: number): EndRecord {
  const bytes = window.bytes(at, fixedBytes.end);
  const narrow: DirectoryFields = {
    disk: bytes.readUInt16LE(4),
    directoryDisk: bytes.readUInt16LE(6),
    entries: bytes.readUInt16LE(10),
    directoryBytes: bytes.readUInt32LE(12),
    directoryOffset: bytes.readUInt32LE(16),
  };
  const locator = at - fixedBytes.zip64Locator;
  const hasLocator = window.u32(locator) === signatures.zip64Locator;
  const zip64 = hasLocator ? zip64End(window, locator) : undefined;
  return {
    at,
    end: at + fixedBytes.end + bytes.readUInt16LE(20),
    narrow,
    fields: zip64 === undefined ? narrow : widened(narrow, zip64),
    zip64,
    strayLocator: hasLocator && zip64 === undefined ? locator : undefined,
  };
}

function widened(narrow: DirectoryFields, wide: DirectoryFields): DirectoryFields {
  return {
    disk: narrow.disk === elsewhere16 ? wide.disk : narrow.disk,
    directoryDisk: narrow.directoryDisk === elsewhere16 ? wide.directoryDisk : narrow.directoryDisk,
    entries: narrow.entries === elsewhere16 ? wide.entries : narrow.entries,
    directoryBytes: narrow.directoryBytes === elsewhere32 ? wide.directoryBytes : narrow.directoryBytes,
    directoryOffset: narrow.directoryOffset === elsewhere32 ? wide.directoryOffset : narrow.directoryOffset,
  };
}

/** The zip64 record where the locator says, or directly before the locator when data stands in front of the archive. */
function zip64End(window: PieceWindow, locator: number): Zip64End | undefined {
  const declared = size64(window.bytes(locator, fixedBytes.zip64Locator), 8);
  return zip64EndAt(window, declared, { declared, locator }) ?? zip64EndAt(window, locator - fixedBytes.zip64End, { declared, locator });
}

function zip64EndAt(window: PieceWindow, at: number, from: { readonly declared: number; readonly locator: number }): Zip64End | undefined {
  if (at + fixedBytes.zip64End > from.locator || window.u32(at) !== signatures.zip64End) return undefined;
  const bytes = window.bytes(at, fixedBytes.zip64End);
  const end = at + 12 + size64(bytes, 4);
  return {
    at,
    end: end >= at + fixedBytes.zip64End && end <= from.locator ? end : at + fixedBytes.zip64End,
    shift: at - from.declared,
    // APPNOTE 7.3.4: version 2 of the record names the algorithm behind the fixed part.
    encrypts: end >= at + fixedBytes.zip64End + 28 && end <= from.locator && window.bytes(at + fixedBytes.zip64End + 18, 2).readUInt16LE(0) !== 0,
    disk: bytes.readUInt32LE(16),
    directoryDisk: bytes.readUInt32LE(20),
    entries: size64(bytes, 32),
    directoryBytes: size64(bytes, 40),
    directoryOffset: size64(bytes, 48),
  };
}

/** The fields in which a zip64 record contradicts what the end record says by itself. */
export function zip64Contradictions({ narrow, zip64 }: EndRecord): readonly string[] {
  if (zip64 === undefined) return [];
  const differs = (own: number, wide: number, sentinel: number): boolean => own !== sentinel && own !== wide;
  const contradictions: string[] = [];
  if (differs(narrow.entries, zip64.entries, elsewhere16)) contradictions.push(`entries ${String(narrow.entries)} and ${String(zip64.entries)}`);
  if (differs(narrow.directoryBytes, zip64.directoryBytes, elsewhere32)) {
    contradictions.push(`directory size ${String(narrow.directoryBytes)} and ${String(zip64.directoryBytes)}`);
  }
  if (differs(narrow.directoryOffset, zip64.directoryOffset, elsewhere32)) {
    contradictions.push(`directory offset ${String(narrow.directoryOffset)} and ${String(zip64.directoryOffset)}`);
  }
  return contradictions;
}
