import { createHash } from "node:crypto";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An integrity record as packers write it, with blocks of `blockSize`. */
export function integrityOf(content: string | Uint8Array, blockSize = 4 * 1024 * 1024): { [key: string]: Json } {
  const bytes = Buffer.from(content);
  const blocks: string[] = [];
  for (let at = 0; at === 0 || at < bytes.byteLength; at += blockSize) blocks.push(sha256(bytes.subarray(at, at + blockSize)));
  return { algorithm: "SHA256", hash: sha256(bytes), blockSize, blocks };
}

export interface AsarShape {
  /** What the size fields say in the place of the truth. */
  readonly first?: number;
  readonly headerBytes?: number;
  readonly payloadBytes?: number;
  readonly jsonBytes?: number;
  readonly padding?: Uint8Array;
  readonly trailing?: Uint8Array;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

/** An archive with this header, given as JSON or as its very text, and this data behind it. */
export function buildAsar(header: Json, data: string | Uint8Array, shape: AsarShape = {}): Buffer {
  const json = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const padding = shape.padding ?? Buffer.alloc((4 - (json.byteLength % 4)) % 4);
  const payload = 4 + json.byteLength + padding.byteLength;
  return Buffer.concat([
    u32(shape.first ?? 4),
    u32(shape.headerBytes ?? payload + 4),
    u32(shape.payloadBytes ?? payload),
    u32(shape.jsonBytes ?? json.byteLength),
    json,
    padding,
    Buffer.from(data),
    shape.trailing ?? Buffer.alloc(0),
  ]);
}

/** A file's node. */
export function fileNode(content: string, offset: number, more: { readonly [key: string]: Json } = {}): { [key: string]: Json } {
  return { size: Buffer.byteLength(content), offset: String(offset), integrity: integrityOf(content), ...more };
}
