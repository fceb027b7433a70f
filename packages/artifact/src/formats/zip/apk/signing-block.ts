import { bufferOf, size64 } from "../../../reading/piece-window.js";

/** A value of the signing block (APK Signature Scheme v2, "APK Signing Block"). */
export interface BlockPair {
  readonly id: number;
  readonly value: Buffer;
}

/** The signature schemes that are read, newest first. */
export const schemeIds = { "apk-v3.1": 0x1b93ad61, "apk-v3": 0xf05368c0, "apk-v2": 0x7109871a } as const;
export type ApkScheme = keyof typeof schemeIds;

const sizeBytes = 8;
const mostPairs = 10_000;

/** Pairs of id and value of a whole block, sizes and magic included; those before the first damage. */
export function blockPairs(block: Uint8Array): readonly BlockPair[] {
  const bytes = bufferOf(block);
  const end = bytes.byteLength - sizeBytes - 16;
  const pairs: BlockPair[] = [];
  for (let at = sizeBytes; at + sizeBytes + 4 <= end && pairs.length < mostPairs; ) {
    const length = size64(bytes, at);
    if (length < 4 || at + sizeBytes + length > end) break;
    pairs.push({ id: bytes.readUInt32LE(at + sizeBytes), value: bytes.subarray(at + sizeBytes + 4, at + sizeBytes + length) });
    at += sizeBytes + length;
  }
  return pairs;
}

/** Values with a length of 32 bits before each; undefined where one leaves its data. */
export function lengthPrefixed(bytes: Buffer): readonly Buffer[] | undefined {
  const values: Buffer[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const value = prefixedAt(bytes, at);
    if (value === undefined || values.length > mostPairs) return undefined;
    values.push(value);
    at += 4 + value.byteLength;
  }
  return values;
}

/** One value with its length before it; undefined where it leaves its data. */
export function prefixedAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + 4 > bytes.byteLength) return undefined;
  const length = bytes.readUInt32LE(at);
  return at + 4 + length > bytes.byteLength ? undefined : bytes.subarray(at + 4, at + 4 + length);
}
