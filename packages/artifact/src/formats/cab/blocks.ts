import type { ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";

/** A data block (CFDATA) of a folder. */
export interface Block {
  /** Where its header stands in the file. */
  readonly offset: number;
  readonly dataOffset: number;
  readonly packedBytes: number;
  /** 0 when the block goes on in the next cabinet. */
  readonly plainBytes: number;
  /** 0 when none was written. */
  readonly checksum: number;
}

const headerBytes = 8;

/** The block whose header stands at an offset; undefined outside the file. */
export function blockAt(source: ByteSource, offset: number, reserve: number): Block | undefined {
  if (offset + headerBytes + reserve > source.size) return undefined;
  const bytes = bufferOf(source.read(offset, headerBytes));
  return {
    offset,
    dataOffset: offset + headerBytes + reserve,
    checksum: bytes.readUInt32LE(0),
    packedBytes: bytes.readUInt16LE(4),
    plainBytes: bytes.readUInt16LE(6),
  };
}

/** The checksum a block of these bytes and sizes has: exclusive or of its words, data first. */
export function blockChecksum(data: Uint8Array, plainBytes: number): number {
  const sizes = Buffer.alloc(4);
  sizes.writeUInt16LE(data.byteLength, 0);
  sizes.writeUInt16LE(plainBytes, 2);
  return (folded(data) ^ folded(sizes)) >>> 0;
}

function folded(bytes: Uint8Array): number {
  const words = bufferOf(bytes);
  const whole = words.byteLength - (words.byteLength % 4);
  let sum = 0;
  for (let at = 0; at < whole; at += 4) sum ^= words.readUInt32LE(at);
  // What is left counts as one big-endian number.
  let rest = 0;
  for (let at = whole; at < words.byteLength; at += 1) rest = (rest << 8) | (words[at] ?? 0);
  return sum ^ rest;
}
