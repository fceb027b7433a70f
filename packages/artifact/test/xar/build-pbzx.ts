import { execFileSync } from "node:child_process";

export interface PbzxShape {
  readonly chunkBytes?: number;
  /** Makes the stored form of a chunk; stored plainly unless said. */
  readonly compress?: (chunk: Uint8Array) => Buffer;
}

/** A pbzx stream in chunks of 16 MiB, or smaller ones of which the last alone is marked as such. */
export function buildPbzx(plain: Uint8Array, { chunkBytes = 1 << 24, compress = (chunk) => Buffer.from(chunk) }: PbzxShape = {}): Buffer {
  const parts: Uint8Array[] = [Buffer.concat([Buffer.from("pbzx"), u64(1 << 24)])];
  for (let at = 0; at < plain.byteLength; at += chunkBytes) {
    const chunk = Buffer.from(plain.subarray(at, at + chunkBytes));
    const stored = compress(chunk);
    parts.push(u64(chunk.byteLength), u64(stored.byteLength), stored);
  }
  return Buffer.concat(parts);
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** The xz program's form of a chunk. */
export function xzOf(chunk: Uint8Array): Buffer {
  return execFileSync("xz", ["-c", "--check=crc64"], { input: chunk, maxBuffer: 1 << 28 });
}
