import { address, omission, type Address, type ByteSource, type Omission } from "@rea/core";
import type { BinaryImage } from "./image.js";
import { sourceRegion, stringRegions, type StringRegion } from "./string-regions.js";
import { scanBytes, scanUnits, type StringEncoding } from "./string-scan.js";
import { StringRows } from "./string-rows.js";

export type { StringEncoding } from "./string-scan.js";

export interface StringScanOptions {
  /** Least number of characters, default 4: shorter runs are mostly code and tables. */
  readonly minimum?: number;
  /** Most strings kept, default one million; beyond it the scan stops and says so. */
  readonly maximumItems?: number;
  /**
   * `data`, the default: the mapped parts that hold neither code nor tables of linker or unwinder, or everything mapped where sections
   * do not tell. `mapped`: everything the loader maps from the file. `file`: every byte.
   */
  readonly scope?: "data" | "mapped" | "file";
  /** Called now and then; may throw to stop the search. */
  readonly pause?: () => void;
}

export interface StringRow {
  /** Undefined for bytes that are not mapped. */
  readonly va: Address | undefined;
  /** File offset, counted from the start of the image's source. */
  readonly offset: number;
  readonly byteLength: number;
  readonly encoding: StringEncoding;
  /** A NUL of the encoding's width follows. */
  readonly terminated: boolean;
}

/** The found strings in file order, held as numbers; rows and texts are made when asked for. */
export interface StringScan {
  readonly count: number;
  readonly minimum: number;
  readonly omissions: readonly Omission[];
  /** The row at `index`; throws a RangeError outside 0..count. */
  row(index: number): StringRow;
  /** Decoded text; bytes that are not valid UTF-8 cannot occur. `maximumBytes` cuts long texts, never inside a character. */
  text(index: number, maximumBytes?: number): string;
  rows(): IterableIterator<StringRow>;
  countOf(encoding: StringEncoding): number;
}

const defaultMinimum = 4;
const defaultMaximum = 1_000_000;
const pieceBytes = 64 * 1024 * 1024;
/** No text of any encoding has four zero bytes in it. */
const betweenTexts = Buffer.alloc(4);
const cutBytes = 1 << 20;

/**
 * Searches an image for ASCII, UTF-8, UTF-16LE and UTF-16BE text: runs of printable characters, tab, line feed and carriage
 * return, and ESC where it starts a terminal sequence. Linear in the bytes searched. Where bytes
 * can be read as text in several ways, 8-bit text wins, then UTF-16 at even addresses in the machine's byte order.
 */
export function scanStrings(image: BinaryImage, options: StringScanOptions = {}): StringScan {
  const { regions, omissions } = stringRegions(image, options.scope ?? "data");
  return scanRegions(image.source, regions, { ...options, big: image.endian === "big", omissions });
}

/** The same search over bytes that are no image. */
export function scanSourceStrings(source: ByteSource, options: Omit<StringScanOptions, "scope"> = {}): StringScan {
  return scanRegions(source, [sourceRegion(source)], { ...options, big: false, omissions: [] });
}

interface RegionScan extends StringScanOptions {
  readonly big: boolean;
  /** What could not be read of the parts to search. */
  readonly omissions: readonly Omission[];
}

function scanRegions(source: ByteSource, regions: readonly StringRegion[], options: RegionScan): StringScan {
  const { big, pause = () => undefined } = options;
  const minimum = Math.max(1, options.minimum ?? defaultMinimum);
  const rows = new StringRows(options.maximumItems ?? defaultMaximum);
  for (const [index, region] of regions.entries()) {
    for (let at = 0; at < region.size && !rows.full; ) {
      const offset = region.offset + at;
      const bytes = pieceAt(source, offset, region.size - at);
      scanPiece(bytes, { offset, region: index, odd: ((region.va ?? 0n) + BigInt(at)) % 2n === 1n, big, minimum, pause }, rows);
      at += bytes.byteLength;
    }
  }
  return resultOf(source, regions, { rows, minimum, unread: options.omissions });
}

/** The next bytes to search; what is cut off from a longer part is cut between texts where that is near. */
function pieceAt(source: ByteSource, offset: number, left: number): Uint8Array {
  const bytes = source.read(offset, Math.min(pieceBytes, left));
  if (bytes.byteLength === left) return bytes;
  const gap = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf(betweenTexts);
  return gap < bytes.byteLength - cutBytes ? bytes : bytes.subarray(0, gap + betweenTexts.length);
}

interface Piece {
  readonly offset: number;
  readonly region: number;
  /** The first byte stands at an odd address. */
  readonly odd: boolean;
  /** Byte order of the machine, whose reading of UTF-16 comes first. */
  readonly big: boolean;
  readonly minimum: number;
  readonly pause: () => void;
}

function scanPiece(bytes: Uint8Array, piece: Piece, rows: StringRows): void {
  const first = rows.count;
  const sink = {
    found: (at: number, byteLength: number, encoding: StringEncoding, terminated: boolean): void =>
      rows.add({ offset: piece.offset + at, byteLength, encoding, terminated, region: piece.region }),
    pause: piece.pause,
  };
  scanBytes(bytes, piece.minimum, sink);
  const even = piece.odd ? 1 : 0;
  const passes = [
    { phase: even, big: piece.big, asciiOnly: false, foreign: false },
    { phase: even, big: !piece.big, asciiOnly: true, foreign: true },
    { phase: 1 - even, big: piece.big, asciiOnly: true, foreign: false },
    { phase: even, big: !piece.big, asciiOnly: false, foreign: true },
  ];
  for (const pass of passes) {
    const known = rows.count;
    const taken = (from: number, to: number): boolean => rows.overlaps(first, known, piece.offset + from, piece.offset + to);
    scanUnits(bytes, { ...pass, minimum: piece.minimum, taken }, sink);
    rows.merge(first, known);
  }
}

interface Found {
  readonly rows: StringRows;
  readonly minimum: number;
  readonly unread: readonly Omission[];
}

function resultOf(source: ByteSource, regions: readonly StringRegion[], { rows, minimum, unread }: Found): StringScan {
  const row = (index: number): StringRow => {
    const at = rows.at(index);
    const region = regions[at.region];
    const va = region?.va === undefined ? undefined : address(region.va + BigInt(at.offset - region.offset));
    return { va, offset: at.offset, byteLength: at.byteLength, encoding: at.encoding, terminated: at.terminated };
  };
  return {
    count: rows.count,
    minimum,
    omissions: [...stopped(regions, rows), ...unread],
    row,
    text: (index, maximumBytes = Number.MAX_SAFE_INTEGER) => decode(source, rows.at(index), maximumBytes),
    *rows() {
      for (let index = 0; index < rows.count; index += 1) yield row(index);
    },
    countOf: (encoding) => rows.countOf(encoding),
  };
}

function decode(
  source: ByteSource,
  at: { readonly offset: number; readonly byteLength: number; readonly encoding: StringEncoding },
  maximumBytes: number,
): string {
  return decodeText(source.read(at.offset, Math.min(at.byteLength, maximumBytes)), at.encoding);
}

/** Where the search ended because the greatest number of strings was reached; `count` is in bytes. */
function stopped(regions: readonly StringRegion[], rows: StringRows): Omission[] {
  if (!rows.full) return [];
  const last = rows.count === 0 ? undefined : rows.at(rows.count - 1);
  const end = last === undefined ? 0 : last.offset + last.byteLength;
  const count = regions.reduce((sum, { offset, size }) => sum + Math.max(0, offset + size - Math.max(offset, end)), 0);
  const how_to_continue = `The bytes from file offset 0x${end.toString(16)} on were not searched; raise the minimum length, or read them with read_bytes.`;
  return [omission("strings", "limit_items", { count, limit: rows.maximum, how_to_continue })];
}

/** Text of bytes that the search found to be text, or of a part of them that starts with a character. */
export function decodeText(text: Uint8Array, encoding: StringEncoding): string {
  const bytes = Buffer.from(text);
  if (encoding === "ascii") return bytes.toString("latin1");
  if (encoding === "utf-8") return wholeCharacters(bytes).toString("utf8");
  const even = bytes.subarray(0, bytes.length & ~1);
  return (encoding === "utf-16be" ? even.swap16() : even).toString("utf16le");
}

/** Drops a character that the cut left incomplete. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const first = bytes[start] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}
