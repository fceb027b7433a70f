import { crc32 } from "node:zlib";
import { inflateWhole, startInflates } from "../../codecs/deflate.js";
import { aesField, extraField, extraIds } from "./extra-fields.js";
import { aesMethod, deflateMethod, methodName, storedMethod } from "./methods.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import type { MemberFields } from "./records.js";
import { flagBits } from "./signatures.js";
import type { WorkAllowance } from "./work-allowance.js";

/** How a header says its member is encrypted; undefined when it does not. */
export function encryptionName(fields: MemberFields): string | undefined {
  if (fields.method === aesMethod) return aesName(fields);
  if ((fields.flags & flagBits.encrypted) === 0) return undefined;
  if ((fields.flags & flagBits.strong) !== 0 || extraField(fields.extra, extraIds.strongEncryption) !== undefined) {
    return "PKWARE strong encryption";
  }
  return "the classic ZIP cipher";
}

function aesName(fields: MemberFields): string {
  const aes = aesField(fields.extra);
  if (aes === undefined) return "AES, without the field that says how";
  return `WinZip AES-${String(aes.keyBits)} (AE-${String(aes.vendorVersion)}, ${methodName(aes.method) ?? "unknown method"} inside)`;
}

const wholeBytes = 64 * 1024;
const outputBytes = 1024 * 1024;
/** The classic cipher puts this many bytes in front of the data. */
const cipherHeaderBytes = 12;

export interface FlaggedData {
  readonly window: PieceWindow;
  readonly dataOffset: number;
  readonly allowance: WorkAllowance;
}

/**
 * Whether data that is flagged as encrypted lies there in plain: stored data without room for the cipher's header,
 * deflated data that inflates (small data whole and with the right CRC), other data with its codec's own signature.
 */
export function liesPlain(fields: MemberFields, { window, dataOffset, allowance }: FlaggedData): boolean {
  if (fields.method === aesMethod || !window.holds(dataOffset, fields.compressedBytes)) return false;
  if (fields.method === storedMethod) {
    return fields.compressedBytes < cipherHeaderBytes || fields.compressedBytes === fields.bytes;
  }
  const length = Math.min(fields.compressedBytes, wholeBytes);
  if (!allowance.spend(length + outputBytes)) return false;
  const start = window.source.read(dataOffset, length);
  if (fields.method !== deflateMethod) return hasCodecSignature(fields.method, start);
  if (fields.compressedBytes > length || fields.bytes > outputBytes) return startInflates(start, outputBytes);
  const whole = inflateWhole(start, outputBytes, fields.bytes);
  return whole !== undefined && whole.bytes.byteLength === fields.bytes && crc32(whole.bytes) === fields.crc32;
}

const codecSignatures: { readonly [method: number]: string | undefined } = {
  12: "425a68",
  20: "28b52ffd",
  93: "28b52ffd",
  95: "fd377a585a00",
};

function hasCodecSignature(method: number, start: Uint8Array): boolean {
  const signature = codecSignatures[method];
  return signature !== undefined && Buffer.from(start.subarray(0, 8)).toString("hex").startsWith(signature);
}
