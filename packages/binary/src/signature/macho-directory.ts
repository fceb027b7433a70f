import { createHash } from "node:crypto";
import { ByteReader, memorySource } from "@rea/core";
import { decodeName } from "../name-text.js";
import type { HashName } from "./object-identifiers.js";
import type { SignatureBlob } from "./super-blob.js";

/** A code directory (`CS_CodeDirectory`): the list of hashes that a signature signs. */
export interface MachoDirectory {
  readonly slot: number;
  readonly bytes: Uint8Array;
  readonly version: number;
  readonly flags: number;
  readonly identifier: string | undefined;
  readonly team: string | undefined;
  readonly hash: MachoHash | undefined;
  readonly hashType: number;
  readonly hashBytes: number;
  /** 0 when all of the code is one page. */
  readonly pageBytes: number;
  /** Bytes of the image from its start that have page hashes. */
  readonly codeLimit: number;
  readonly codeSlots: number;
  readonly specialSlots: number;
  readonly scattered: boolean;
  readonly execSegment: { readonly base: number; readonly limit: number; readonly flags: number } | undefined;
  /** Version of the hardened runtime, as `major.minor.patch`. */
  readonly runtime: string | undefined;
  /** SHA-1 or SHA-256 of the directory, cut to 20 bytes: what the system knows the code by. */
  readonly cdhash: string | undefined;
  /** Declared hash of page `index`, or of the special slot `-index`; throws outside the directory. */
  slotHash(index: number): string;
}

export interface MachoHash {
  readonly title: string;
  readonly algorithm: HashName | "sha384";
  /** Bytes that are kept of the digest. */
  readonly kept: number;
}

const hashTypes: { readonly [type: number]: MachoHash | undefined } = {
  1: { title: "sha1", algorithm: "sha1", kept: 20 },
  2: { title: "sha256", algorithm: "sha256", kept: 32 },
  3: { title: "sha256-truncated", algorithm: "sha256", kept: 20 },
  4: { title: "sha384", algorithm: "sha384", kept: 48 },
  5: { title: "sha512", algorithm: "sha512", kept: 64 },
};

const flagNames: readonly (readonly [bit: number, name: string])[] = [
  [0x1, "host"],
  [0x2, "adhoc"],
  [0x10, "installer"],
  [0x100, "force-hard"],
  [0x200, "force-kill"],
  [0x400, "force-expiration"],
  [0x800, "restrict"],
  [0x1000, "enforcement"],
  [0x2000, "library-validation"],
  [0x10000, "runtime"],
  [0x20000, "linker-signed"],
];

export function directoryFlags(flags: number): string[] {
  const named = flagNames.filter(([bit]) => (flags & bit) !== 0);
  const rest = named.reduce((left, [bit]) => left & ~bit, flags) >>> 0;
  return [...named.map(([, name]) => name), ...(rest === 0 ? [] : [`0x${rest.toString(16)}`])];
}

/** Reads a code directory; throws `artifact_operation_failed` (reason `format`) when its fixed fields are cut off. */
export function readDirectory({ slot, bytes }: SignatureBlob): MachoDirectory {
  const reader = new ByteReader(memorySource(bytes), "big");
  const version = reader.u32(8);
  const hashType = reader.u8(37);
  const hashBytes = reader.u8(36);
  const hash = hashTypes[hashType];
  const hashOffset = reader.u32(16);
  const shift = reader.u8(39);
  const wideLimit = version >= 0x20300 ? reader.size64(56) : 0;
  return {
    slot,
    bytes,
    version,
    flags: reader.u32(12),
    identifier: nameAt(reader, reader.u32(20)),
    team: version >= 0x20200 ? nameAt(reader, reader.u32(48)) : undefined,
    hash: hash?.kept === hashBytes ? hash : undefined,
    hashType,
    hashBytes,
    pageBytes: shift === 0 ? 0 : 2 ** Math.min(shift, 40),
    codeLimit: wideLimit > 0 ? wideLimit : reader.u32(32),
    codeSlots: reader.u32(28),
    specialSlots: reader.u32(24),
    scattered: version >= 0x20100 && reader.u32(44) !== 0,
    execSegment: version >= 0x20400 ? execSegment(reader) : undefined,
    runtime: version >= 0x20500 ? versionText(reader.u32(88)) : undefined,
    cdhash: hash === undefined ? undefined : createHash(hash.algorithm).update(bytes).digest("hex").slice(0, 40),
    slotHash: (index) => Buffer.from(reader.bytes(hashOffset + index * hashBytes, hashBytes)).toString("hex"),
  };
}

function nameAt(reader: ByteReader, offset: number): string | undefined {
  if (offset === 0 || offset >= reader.size) return undefined;
  return decodeName(reader.cstring(offset, 1024).bytes);
}

function execSegment(reader: ByteReader): MachoDirectory["execSegment"] {
  const cut = (value: bigint) => Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : value);
  return { base: cut(reader.u64(64)), limit: cut(reader.u64(72)), flags: cut(reader.u64(80)) };
}

function versionText(value: number): string | undefined {
  return value === 0 ? undefined : `${String(value >>> 16)}.${String((value >> 8) & 0xff)}.${String(value & 0xff)}`;
}
