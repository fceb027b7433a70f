import { inflateSync } from "node:zlib";
import { throwIfAborted, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { bufferOf } from "../../reading/piece-window.js";

const magic = Buffer.from("37e45396c9dbd607", "hex");
const pointerBytes = 4;

/** The plain data of a file that is compressed block by block (zisofs, as the field ZF announces it). */
export async function* zisofsContent(source: ByteSource, signal: AbortSignal, used: { bytes: number }): AsyncGenerator<Uint8Array, void, undefined> {
  const { plainBytes, headerBytes, blockBytes } = header(source);
  const zeros = new Uint8Array(blockBytes);
  for (let index = 0, left = plainBytes; left > 0; index += 1) {
    throwIfAborted(signal, "decompress");
    const pointers = bufferOf(source.read(headerBytes + index * pointerBytes, pointerBytes * 2));
    const start = pointers.readUInt32LE(0);
    const length = pointers.readUInt32LE(4) - start;
    const plain = Math.min(blockBytes, left);
    if (length < 0) throw brokenData("The blocks of a compressed file are out of order.", start);
    // A block of zeros is not stored; it costs nothing and is no compression.
    used.bytes += length === 0 ? plain : length;
    const bytes = length === 0 ? zeros.subarray(0, plain) : inflated(source.read(start, length), plain);
    if (bytes.byteLength !== plain) throw brokenData("A compressed block gives another number of bytes than belong there.", start);
    yield await Promise.resolve(bytes);
    left -= plain;
  }
}

function header(source: ByteSource): { readonly plainBytes: number; readonly headerBytes: number; readonly blockBytes: number } {
  const bytes = bufferOf(source.read(0, 16));
  const shift = bytes.readUInt8(13);
  if (!magic.equals(bytes.subarray(0, 8)) || shift < 15 || shift > 17) throw brokenData("A compressed file does not start as one.");
  return { plainBytes: bytes.readUInt32LE(8), headerBytes: bytes.readUInt8(12) * 4, blockBytes: 2 ** shift };
}

function inflated(block: Uint8Array, maximum: number): Uint8Array {
  try {
    return inflateSync(block, { maxOutputLength: maximum });
  } catch (error) {
    if (error instanceof Error && "code" in error) throw brokenData("A compressed block is damaged.");
    throw error;
  }
}
