import { createHash } from "node:crypto";
import type { BundleFiles } from "../src/signature/macho-slots.js";

const signatureAt = 0x3000;
const pageBytes = 0x1000;
/** Room for the signature, as the header declares it. */
const signatureBytes = 0x2000;
/** Pages of the sample that its directories seal. */
export const sealedPages = 3;

export interface SignedSample {
  /** Sealed with their real bytes where they are given as such. */
  readonly files: BundleFiles;
  readonly codeLimit?: number;
  /** Makes the CMS signature over the first code directory. */
  readonly cms?: (directory: Uint8Array) => Buffer;
}

const requirements = blob(0xfade0c01, Buffer.alloc(4));
const entitlements = blob(0xfade7171, Buffer.from("<plist><dict><key>com.apple.security.app-sandbox</key><true/></dict></plist>"));
const ticket = blob(0xfade0b02, Buffer.from("ticket"));

/** An arm64 image of three pages with a signature that has a directory of SHA-1 and one of SHA-256 hashes. */
export function buildSignedMachO(sample: SignedSample): Buffer {
  const code = image();
  const limit = sample.codeLimit ?? signatureAt;
  const first = directory(code, { type: 1, algorithm: "sha1", limit, files: sample.files });
  const second = directory(code, { type: 2, algorithm: "sha256", limit, files: sample.files });
  const parts: readonly (readonly [slot: number, bytes: Buffer])[] = [
    [0, first],
    [2, requirements],
    [5, entitlements],
    [0x1000, second],
    ...(sample.cms === undefined ? [] : [[0x10000, blob(0xfade0b01, sample.cms(first))] as const]),
    [0x10002, ticket],
  ];
  return Buffer.concat([code, superBlob(parts), Buffer.alloc(signatureBytes)]).subarray(0, signatureAt + signatureBytes);
}

function image(): Buffer {
  const code = Buffer.alloc(signatureAt);
  for (let at = 0x200; at < signatureAt; at += 1) code[at] = (at * 7) & 0xff;
  const words = (at: number, ...values: readonly number[]) => values.forEach((value, index) => code.writeUInt32LE(value >>> 0, at + index * 4));
  words(0, 0xfeedfacf, 0x0100000c, 0, 2, 2, 72 + 16, 0, 0);
  words(32, 0x19, 72);
  code.write("__TEXT", 40, "latin1");
  code.writeBigUInt64LE(0x1_0000_0000n, 56);
  code.writeBigUInt64LE(BigInt(signatureAt), 64);
  code.writeBigUInt64LE(BigInt(signatureAt), 80);
  words(32 + 72, 0x1d, 16, signatureAt, signatureBytes);
  return code;
}

interface DirectoryOptions {
  readonly type: number;
  readonly algorithm: string;
  readonly limit: number;
  readonly files: BundleFiles;
}

function directory(code: Buffer, { type, algorithm, limit, files }: DirectoryOptions): Buffer {
  const hash = (bytes: Uint8Array) => createHash(algorithm).update(bytes).digest();
  const none = Buffer.alloc(hash(code).byteLength);
  const sealed = (file: BundleFiles["infoPlist"]) => (file instanceof Uint8Array ? hash(file) : none);
  // From slot 5 down to 1.
  const special = [hash(entitlements), none, sealed(files.codeResources), hash(requirements), sealed(files.infoPlist)];
  const pages = Array.from({ length: Math.ceil(limit / pageBytes) }, (_, page) => hash(code.subarray(page * pageBytes, Math.min(limit, (page + 1) * pageBytes))));
  const identifier = Buffer.from("com.example.sample\0");
  const team = Buffer.from("TEAM123456\0");
  const fixed = 96;
  const head = Buffer.alloc(fixed);
  const hashesAt = fixed + identifier.byteLength + team.byteLength + special.length * none.byteLength;
  const fields = [0x20500, 0x10000, hashesAt, fixed, special.length, pages.length, limit];
  fields.forEach((value, index) => head.writeUInt32BE(value, 8 + index * 4));
  head[36] = none.byteLength;
  head[37] = type;
  head[39] = 12;
  head.writeUInt32BE(fixed + identifier.byteLength, 48);
  head.writeUInt32BE(0x000d0100, 88);
  const bytes = Buffer.concat([head, identifier, team, ...special, ...pages]);
  bytes.writeUInt32BE(0xfade0c02, 0);
  bytes.writeUInt32BE(bytes.byteLength, 4);
  return bytes;
}

function blob(magic: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(magic, 0);
  head.writeUInt32BE(8 + content.byteLength, 4);
  return Buffer.concat([head, content]);
}

function superBlob(parts: readonly (readonly [slot: number, bytes: Buffer])[]): Buffer {
  const index = Buffer.alloc(4 + parts.length * 8);
  index.writeUInt32BE(parts.length, 0);
  let offset = 8 + index.byteLength;
  parts.forEach(([slot, bytes], at) => {
    index.writeUInt32BE(slot, 4 + at * 8);
    index.writeUInt32BE(offset, 8 + at * 8);
    offset += bytes.byteLength;
  });
  return blob(0xfade0cc0, Buffer.concat([index, ...parts.map(([, bytes]) => bytes)]));
}
