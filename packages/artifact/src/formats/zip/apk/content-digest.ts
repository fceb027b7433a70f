import { createHash } from "node:crypto";
import { throwIfAborted, type ByteSource } from "@rea/core";

/** The package without its signing block: three spans, the last with a changed offset. */
export interface ApkContent {
  readonly source: ByteSource;
  readonly blockStart: number;
  readonly directoryStart: number;
  readonly endRecord: number;
  readonly signal: AbortSignal;
}

const chunkBytes = 1 << 20;
const leafBytes = 4096;
const saltBytes = 8;
const hashBytes = 32;

/** Pieces in the order they are digested, none across the border of two spans. */
async function* pieces({ source, blockStart, directoryStart, endRecord, signal }: ApkContent): AsyncGenerator<Uint8Array, void, undefined> {
  for (const [start, end] of [[0, blockStart], [directoryStart, endRecord]] as const) {
    for (let at = start; at < end; at += chunkBytes) {
      await new Promise<void>((resume) => setImmediate(resume));
      throwIfAborted(signal, "apk_digest");
      yield source.read(at, Math.min(chunkBytes, end - at));
    }
  }
  // The end record as it was before the signing block moved the directory.
  const record = Buffer.from(source.read(endRecord, source.size - endRecord));
  record.writeUInt32LE(blockStart >>> 0, 16);
  for (let at = 0; at < record.byteLength; at += chunkBytes) yield record.subarray(at, at + chunkBytes);
}

/** Digest of the digests of chunks of a mebibyte (APK Signature Scheme v2, "Integrity-protected contents"), in hexadecimal digits. */
export async function chunkedDigest(content: ApkContent, algorithm: "sha256" | "sha512"): Promise<string> {
  const digests: Buffer[] = [];
  for await (const piece of pieces(content)) digests.push(createHash(algorithm).update(prefix(0xa5, piece.byteLength)).update(piece).digest());
  return createHash(algorithm).update(prefix(0x5a, digests.length)).update(Buffer.concat(digests)).digest("hex");
}

function prefix(mark: number, count: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes[0] = mark;
  bytes.writeUInt32LE(count, 1);
  return bytes;
}

/** Root of the tree of SHA-256 digests of 4 KiB (fs-verity), and the size it covers, in hexadecimal digits. */
export async function verityDigest(content: ApkContent): Promise<string> {
  let level: Buffer[] = [];
  let rest: Uint8Array = Buffer.alloc(0);
  let size = 0;
  for await (const piece of pieces(content)) {
    size += piece.byteLength;
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.byteLength - (bytes.byteLength % leafBytes);
    for (let at = 0; at < whole; at += leafBytes) level.push(leaf(bytes.subarray(at, at + leafBytes)));
    rest = bytes.subarray(whole);
  }
  if (rest.byteLength > 0) level.push(leaf(Buffer.concat([rest, Buffer.alloc(leafBytes - rest.byteLength)])));
  while (level.length > 1) level = levelAbove(level);
  const covered = Buffer.alloc(8);
  covered.writeBigUInt64LE(BigInt(size));
  return Buffer.concat([level[0] ?? Buffer.alloc(hashBytes), covered]).toString("hex");
}

function leaf(block: Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.alloc(saltBytes)).update(block).digest();
}

function levelAbove(level: readonly Buffer[]): Buffer[] {
  const perBlock = leafBytes / hashBytes;
  const above: Buffer[] = [];
  for (let at = 0; at < level.length; at += perBlock) {
    const digests = Buffer.concat(level.slice(at, at + perBlock));
    above.push(leaf(Buffer.concat([digests, Buffer.alloc(leafBytes - digests.byteLength)])));
  }
  return above;
}
