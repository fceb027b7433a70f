import { ByteReader, type ByteSource } from "@rea/core";
import { isUniversal } from "./macho/index.js";

/** Checks for formats whose start alone does not tell them. All return false for data that is too short. */

export function isJavaClass(source: ByteSource): boolean {
  if (source.size < 10) return false;
  const reader = new ByteReader(source, "big");
  const major = reader.u16(6);
  return reader.u32(0) === 0xcafebabe && major >= 45 && major < 256 && reader.u16(8) > 0 && !isUniversal(source);
}

/** ASAR header pickle: a size of 4, the header's size, its payload size, the JSON's size, then JSON. */
export function isAsar(source: ByteSource): boolean {
  if (source.size < 18) return false;
  const reader = new ByteReader(source);
  const [pickle, header, payload, json] = [0, 4, 8, 12].map((at) => reader.u32(at));
  if (pickle !== 4 || header === undefined || payload === undefined || json === undefined) return false;
  return payload <= header && json <= payload && header - json < 16 && reader.u8(16) === 0x7b && reader.u8(17) === 0x22;
}

/** A tar header's checksum is the sum of its 512 bytes with the checksum field taken as blanks; signed in old writers. */
export function isTarHeader(source: ByteSource): boolean {
  if (source.size < 512) return false;
  const bytes = source.read(0, 512);
  if (bytes[0] === 0 || !isChecksumField(bytes)) return false;
  const text = Buffer.from(bytes.subarray(148, 156)).toString("latin1").replace(/[\0 ]+$/, "").trimStart();
  if (!/^[0-7]{1,7}$/.test(text)) return false;
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < 512; at += 1) {
    const byte = at >= 148 && at < 156 ? 0x20 : (bytes[at] ?? 0);
    unsigned += byte;
    signed += byte < 128 ? byte : byte - 256;
  }
  const declared = Number.parseInt(text, 8);
  return declared === unsigned || declared === signed;
}

/** Digits, blanks and NULs only; told without making text of them. */
function isChecksumField(bytes: Uint8Array): boolean {
  for (let at = 148; at < 156; at += 1) {
    const byte = bytes[at] ?? 0;
    // White space beyond the blank may stand in front.
    if (byte > 0x37 && byte !== 0xa0) return false;
  }
  return true;
}

/** LZMA-alone: properties byte, a dictionary size that is a power of two (or 3 · 2ⁿ), and a plausible length. */
export function isLzmaAlone(source: ByteSource): boolean {
  if (source.size < 14) return false;
  const reader = new ByteReader(source);
  const dictionary = reader.u32(1);
  const length = reader.u64(5);
  const power = dictionary !== 0 && ((dictionary & (dictionary - 1)) === 0 || ((dictionary / 3) & (dictionary / 3 - 1)) === 0);
  const sized = length === 0xffff_ffff_ffff_ffffn || length < 1n << 38n;
  return reader.u8(0) === 0x5d && power && dictionary >= 4096 && sized && reader.u8(13) === 0;
}

/** The first KiB of text, for formats that are told by what they say. */
function leadingText(source: ByteSource): string {
  const bytes = Buffer.from(source.read(0, Math.min(source.size, 1024)));
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString("utf16le") : bytes.toString("latin1").replace(/^\u00ef\u00bb\u00bf/, "");
}

export function isXmlPlist(source: ByteSource): boolean {
  const text = leadingText(source).trimStart();
  return text.startsWith("<") && /<!DOCTYPE\s+plist\b|<plist[\s>]/.test(text);
}

/** Comments and trailing data up to this length do not hide the end record. */
const zipTailBytes = 1024;

/**
 * A ZIP archive with something in front of it: an end record near the end that leads to a central directory, by its
 * offset or by its size, whose first record leads to a local header.
 */
export function hasZipEnd(source: ByteSource): boolean {
  if (source.size < 22 + 46 + 30) return false;
  const start = Math.max(0, source.size - zipTailBytes - 22);
  const bytes = source.read(start, source.size - start);
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = tail.lastIndexOf("PK\u0005\u0006", tail.byteLength - 22, "latin1");
  if (at < 0) return false;
  const declared = tail.readUInt32LE(at + 16);
  const starts = [start + at - tail.readUInt32LE(at + 12), declared];
  return starts.some((directory) => leadsToMember(source, directory, directory - declared));
}

function leadsToMember(source: ByteSource, directory: number, shift: number): boolean {
  if (directory < 0 || directory + 46 > source.size) return false;
  const reader = new ByteReader(source);
  if (reader.u32(directory) !== 0x02014b50) return false;
  const member = reader.u32(directory + 42) + shift;
  return member >= 0 && member + 30 <= source.size && reader.u32(member) === 0x04034b50;
}
