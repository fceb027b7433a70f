import { tarNumber } from "./tar-number.js";

export const blockBytes = 512;

/** Who wrote the header, by its magic: plain Unix V7, POSIX ustar (pax too), GNU tar before pax, star. */
export type TarDialect = "v7" | "ustar" | "gnu" | "star";

/** One header block (POSIX.1-2001 pax, "ustar Interchange Format"; GNU tar manual, "Basic Tar Format"). */
export interface TarHeader {
  readonly block: Uint8Array;
  readonly dialect: TarDialect;
  /** The prefix included where the dialect has one. */
  readonly name: Uint8Array;
  readonly link: Uint8Array;
  readonly typeflag: string;
  /** Undefined when the fields are malformed or out of range. */
  readonly size: number | undefined;
  readonly mode: number | undefined;
  /** True when bytes stand where a prefix would be and the dialect has none. */
  readonly strayPrefix: boolean;
  /** The sum of all bytes, those of its own field as blanks. */
  readonly sum: number;
}

const checksumStart = 148;
const checksumEnd = 156;

/** Reads a header; undefined when its checksum does not hold. `block` is kept. */
export function parseTarHeader(block: Uint8Array): TarHeader | undefined {
  const sum = heldSum(block);
  if (sum === undefined) return undefined;
  const dialect = dialectOf(block);
  const prefix = text(block, 345, dialect === "star" ? 131 : 155);
  const hasPrefix = dialect === "ustar" || dialect === "star";
  const name = text(block, 0, 100);
  return {
    block,
    dialect,
    name: hasPrefix && prefix.byteLength > 0 ? Buffer.concat([prefix, Buffer.from("/"), name]) : name,
    link: text(block, 157, 100),
    typeflag: String.fromCharCode(block[156] ?? 0),
    size: tarNumber(block.subarray(124, 136)),
    mode: tarNumber(block.subarray(100, 108)),
    strayPrefix: dialect === "v7" && prefix.byteLength > 0,
    sum,
  };
}

/** The sum of all bytes with the field itself as blanks, where it is the declared one; old writers added them up as signed. */
function heldSum(block: Uint8Array): number | undefined {
  const declared = tarNumber(block.subarray(checksumStart, checksumEnd));
  let unsigned = 0x20 * (checksumEnd - checksumStart);
  let above = 0;
  for (let at = 0; at < blockBytes; at += 1) {
    if (at >= checksumStart && at < checksumEnd) continue;
    const byte = block[at] ?? 0;
    unsigned += byte;
    if (byte > 127) above += 1;
  }
  return declared === unsigned || declared === unsigned - 256 * above ? unsigned : undefined;
}

function dialectOf(block: Uint8Array): TarDialect {
  const magic = Buffer.from(block.subarray(257, 265)).toString("latin1");
  if (magic === "ustar  \0") return "gnu";
  if (!magic.startsWith("ustar")) return "v7";
  return isStar(block) ? "star" : "ustar";
}

/** star marks its headers at the end, or shows by times in octal where ustar's prefix would go on. */
function isStar(block: Uint8Array): boolean {
  const latin = Buffer.from(block.subarray(475, 512)).toString("latin1");
  if (latin.endsWith("tar\0")) return true;
  return /^\0[0-7]{11} [0-7]{11} /.test(latin);
}

/** Bytes of a field up to a NUL. */
function text(block: Uint8Array, offset: number, length: number): Uint8Array {
  const field = block.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

/** True for a block of zeros, two of which end an archive. */
export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** Bytes up to the next block. */
export function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}
