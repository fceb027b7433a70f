import { crc32 } from "node:zlib";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";
import type { BlockSizes } from "./block.js";
import { variableInteger } from "./variable-integer.js";

const longestInteger = 9;

/** Reads a stream's index (the .xz file format, §4), compares it with the blocks that were read, and answers its length. */
export async function readIndex(reader: SequentialReader, blocks: readonly BlockSizes[]): Promise<number> {
  const fields = new IndexFields(reader);
  await fields.bytes(1);
  const count = await fields.integer();
  if (count !== blocks.length) throw brokenData(`The xz index lists ${String(count)} blocks; the stream has ${String(blocks.length)}.`, reader.position);
  for (const block of blocks) {
    const unpadded = await fields.integer();
    const plain = await fields.integer();
    if (unpadded !== block.unpadded || plain !== block.plain) throw brokenData("The xz index gives other sizes than a block has.", reader.position);
  }
  const padding = await fields.bytes((4 - (fields.length % 4)) % 4);
  if (padding.some((byte) => byte !== 0)) throw brokenData("The padding of an xz index is not zero.", reader.position);
  const declared = Buffer.from(await reader.read(4));
  if (declared.byteLength < 4 || declared.readUInt32LE(0) !== fields.crc) throw brokenData("The checksum of an xz index does not hold.", reader.position);
  return fields.length + 4;
}

/** Takes the index's fields from the reader and sums what it took. */
class IndexFields {
  crc = 0;
  length = 0;
  readonly #reader: SequentialReader;

  constructor(reader: SequentialReader) {
    this.#reader = reader;
  }

  async integer(): Promise<number> {
    const at = { value: 0 };
    const value = variableInteger(await this.#reader.peek(longestInteger), at);
    await this.bytes(at.value);
    return value;
  }

  async bytes(length: number): Promise<Uint8Array> {
    const bytes = await this.#reader.read(length);
    if (bytes.byteLength < length) throw brokenData("The xz index is cut short.", this.#reader.position);
    this.crc = crc32(bytes, this.crc);
    this.length += length;
    return bytes;
  }
}
