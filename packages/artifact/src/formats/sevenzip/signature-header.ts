import { crc32 } from "node:zlib";
import type { ByteSource } from "@rea/core";
import { bufferOf, size64 } from "../../reading/piece-window.js";

const signatureBytes = Buffer.from("377abcaf271c", "hex");
export const startBytes = 32;
/** Programs that carry an archive are looked through this far. */
const longestPrefix = 1024 * 1024;

/** The fixed header at the start of an archive, which leads to the list of members at its end. */
export interface SignatureHeader {
  /** Where the archive starts: 0 unless something stands before it. */
  readonly offset: number;
  readonly major: number;
  readonly minor: number;
  /** Whether its own CRC-32 holds. */
  readonly intact: boolean;
  /** Where the list of members stands, from behind this header. */
  readonly nextOffset: number;
  readonly nextBytes: number;
  readonly nextCrc: number;
}

/** Finds the header at the start, or behind a prefix (a self-extracting program) where its checksum holds. */
export function signatureHeader(source: ByteSource): SignatureHeader | undefined {
  const first = headerAt(source, 0);
  if (first !== undefined) return first;
  const front = bufferOf(source.read(0, Math.min(longestPrefix, source.size)));
  for (let at = front.indexOf(signatureBytes, 1); at >= 0; at = front.indexOf(signatureBytes, at + 1)) {
    const found = headerAt(source, at);
    if (found?.intact === true && found.nextBytes > 0) return found;
  }
  return undefined;
}

function headerAt(source: ByteSource, offset: number): SignatureHeader | undefined {
  if (offset + startBytes > source.size) return undefined;
  const bytes = bufferOf(source.read(offset, startBytes));
  if (!bytes.subarray(0, 6).equals(signatureBytes)) return undefined;
  return {
    offset,
    major: bytes.readUInt8(6),
    minor: bytes.readUInt8(7),
    intact: crc32(bytes.subarray(12, 32)) === bytes.readUInt32LE(8),
    nextOffset: size64(bytes, 12),
    nextBytes: size64(bytes, 20),
    nextCrc: bytes.readUInt32LE(28),
  };
}
