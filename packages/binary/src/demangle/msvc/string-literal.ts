import { refuse } from "../refusal.js";
import { isDigit, type Reader } from "./reader.js";

const mostBytes = 128;
const mangledBytes = 32;

/** `??_C@_`: width, length in bytes, checksum, and the first bytes of the text. */
export function readStringLiteral(reader: Reader): string {
  reader.expect("@_");
  const isWide = reader.take("1");
  if (!isWide) reader.expect("0");
  const byteLength = reader.unsigned();
  if (byteLength < (isWide ? 2n : 1n)) refuse();
  const checksumEnd = reader.text.indexOf("@", reader.at);
  if (checksumEnd < 0) refuse();
  reader.at = checksumEnd + 1;
  return isWide ? wideText(reader, byteLength) : narrowText(reader, byteLength);
}

function wideText(reader: Reader, byteLength: bigint): string {
  const units: number[] = [];
  while (!reader.take("@")) {
    const high = readByte(reader);
    units.push((high << 8) | readByte(reader));
    if (units.length > mostBytes) refuse();
  }
  const length = Number(byteLength / 2n) - 1;
  if (byteLength % 2n === 1n || units.length > length + 1) refuse();
  return shownText("L", units.slice(0, length), units.length < length);
}

/** The length counts the terminator, which not every compiler writes; long texts are cut. */
function narrowText(reader: Reader, byteLength: bigint): string {
  const bytes: number[] = [];
  while (!reader.take("@")) {
    if (bytes.length >= mostBytes) refuse();
    bytes.push(readByte(reader));
  }
  const width = characterWidth(bytes, byteLength);
  const characters = Array.from({ length: Math.floor(bytes.length / width) }, (_, index) =>
    bytes.slice(index * width, (index + 1) * width).reduceRight((value, byte) => value * 256 + byte, 0),
  );
  const length = Number(byteLength / BigInt(width)) - 1;
  if (characters.length > length + 1) refuse();
  return shownText(width === 1 ? "" : width === 2 ? "u" : "U", characters.slice(0, length), characters.length < length);
}

/** The name does not say how wide the characters of a narrow literal are; zero bytes tell. */
function characterWidth(bytes: readonly number[], byteLength: bigint): 1 | 2 | 4 {
  if (byteLength % 2n === 1n) return 1;
  const isFour = byteLength % 4n === 0n;
  if (byteLength < BigInt(mangledBytes)) {
    const zeros = bytes.length - (bytes.findLastIndex((byte) => byte !== 0) + 1);
    return zeros >= 4 && isFour ? 4 : zeros >= 2 ? 2 : 1;
  }
  const zeros = bytes.filter((byte) => byte === 0).length;
  if (zeros >= Math.floor((2 * bytes.length) / 3) && isFour) return 4;
  return zeros >= Math.floor(bytes.length / 3) ? 2 : 1;
}

const escapedSigns = [",", "/", "\\", ":", ".", " ", "\n", "\t", "'", "-"];

/** A character as it is, or behind `?`: `$` and two digits `A`…`P`, a digit for a sign, or a letter for one with bit 7 set. */
function readByte(reader: Reader): number {
  const char = reader.next();
  if (char !== "?") return char.charCodeAt(0) & 0xff;
  const code = reader.next();
  if (code === "$") return (nibble(reader) << 4) | nibble(reader);
  if (isDigit(code)) return (escapedSigns[Number(code)] ?? "").charCodeAt(0);
  return /[A-Za-z]/.test(code) ? code.charCodeAt(0) | 0x80 : refuse();
}

function nibble(reader: Reader): number {
  const value = reader.next().charCodeAt(0) - 0x41;
  return value >= 0 && value <= 15 ? value : refuse();
}

const escapes: ReadonlyMap<number, string> = new Map([
  [0, "\\0"], [7, "\\a"], [8, "\\b"], [9, "\\t"], [10, "\\n"], [11, "\\v"], [12, "\\f"], [13, "\\r"], [0x22, '\\"'], [0x27, "\\'"], [0x5c, "\\\\"],
]);

function shownText(prefix: string, characters: readonly number[], cut: boolean): string {
  const text = characters.map((code) => {
    const escaped = escapes.get(code);
    if (escaped !== undefined) return escaped;
    if (code > 0x1f && code < 0x7f) return String.fromCharCode(code);
    const hex = code.toString(16).toUpperCase();
    return `\\x${hex.length % 2 === 1 ? "0" : ""}${hex}`;
  });
  return `${prefix}"${text.join("")}"${cut ? "..." : ""}`;
}
