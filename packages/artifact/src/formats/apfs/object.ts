import { brokenData } from "../../codecs/broken-data.js";

const checksumBytes = 8;
const modulus = 0xffff_ffff;

/** True when an object has the Fletcher-64 checksum that stands at its start (Apple File System Reference, "Objects"). */
export function hasValidChecksum(block: Buffer): boolean {
  let low = 0;
  let high = 0;
  for (let at = checksumBytes; at + 4 <= block.byteLength; at += 4) {
    low = (low + block.readUInt32LE(at)) % modulus;
    high = (high + low) % modulus;
  }
  const first = modulus - ((low + high) % modulus);
  const second = modulus - ((low + first) % modulus);
  return block.readUInt32LE(0) === first && block.readUInt32LE(4) === second;
}

/** A 64-bit number of a record; throws `artifact_operation_failed` where the record is too short. */
export function long(bytes: Buffer, at: number): bigint {
  if (at + 8 > bytes.byteLength) throw brokenData("A record of an APFS container is cut short.");
  return bytes.readBigUInt64LE(at);
}

/** A 64-bit number used as a block, size or count; throws `artifact_operation_failed` beyond 2^53. */
export function whole(bytes: Buffer, at: number): number {
  const value = long(bytes, at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw brokenData("An APFS container has a number that no disk reaches.");
  return Number(value);
}

/** A name or other text up to its NUL. */
export function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
