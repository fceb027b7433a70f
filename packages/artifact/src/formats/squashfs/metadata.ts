import { checkRange, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { bufferOf } from "../../reading/piece-window.js";
import type { BlockCodec } from "./block-codecs.js";

/** Plain bytes of a full metadata block. */
export const metadataBytes = 8192;
const keptBlocks = 128;
const storedFlag = 0x8000;

interface MetadataBlock {
  readonly bytes: Buffer;
  /** Where the next block starts. */
  readonly next: number;
}

/** Metadata blocks of an image, decoded once and kept while they are in use; a megabyte at most. */
export class MetadataBlocks {
  readonly #source: ByteSource;
  readonly #codec: BlockCodec;
  readonly #signal: AbortSignal;
  readonly #kept = new Map<number, MetadataBlock>();

  constructor(source: ByteSource, codec: BlockCodec, signal: AbortSignal) {
    this.#source = source;
    this.#codec = codec;
    this.#signal = signal;
  }

  /** A cursor at a byte of the plain data that starts with the block at `start` of the image; `end` is the table's. */
  cursor(place: MetadataPlace): MetadataCursor {
    return new MetadataCursor(this, place);
  }

  async block(at: number, end: number): Promise<MetadataBlock> {
    const known = this.#kept.get(at);
    if (known !== undefined) {
      this.#kept.delete(at);
      this.#kept.set(at, known);
      return known;
    }
    const block = await this.#read(at, Math.min(end, this.#source.size));
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= keptBlocks) this.#kept.delete(oldest);
    this.#kept.set(at, block);
    return block;
  }

  async #read(at: number, end: number): Promise<MetadataBlock> {
    checkRange(at, 2, end);
    const header = bufferOf(this.#source.read(at, 2)).readUInt16LE(0);
    const length = header & ~storedFlag;
    if (length === 0 || length > metadataBytes) throw brokenData("A metadata block declares an impossible size.", at);
    checkRange(at + 2, length, end);
    const stored = this.#source.read(at + 2, length);
    const bytes = (header & storedFlag) === 0 ? await this.#codec(stored, metadataBytes, this.#signal) : stored;
    return { bytes: bufferOf(bytes), next: at + 2 + length };
  }
}

/** A byte of plain metadata. */
export interface MetadataPlace {
  /** Start of its block in the image. */
  readonly block: number;
  /** Bytes into the plain block. */
  readonly offset: number;
  /** Behind the last block of the table. */
  readonly end: number;
}

/** Reads plain metadata from block to block. */
export class MetadataCursor {
  readonly #blocks: MetadataBlocks;
  readonly #end: number;
  #block: number;
  #offset: number;

  constructor(blocks: MetadataBlocks, { block, offset, end }: MetadataPlace) {
    this.#blocks = blocks;
    this.#block = block;
    this.#offset = offset;
    this.#end = end;
  }

  get place(): MetadataPlace {
    return { block: this.#block, offset: this.#offset, end: this.#end };
  }

  /** Exactly `length` bytes; throws `artifact_operation_failed` when the table ends before. */
  async read(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = length; left > 0; ) {
      const { bytes, next } = await this.#blocks.block(this.#block, this.#end);
      if (this.#offset > bytes.byteLength) throw brokenData("A reference leads behind the end of its metadata block.", this.#block);
      const piece = bytes.subarray(this.#offset, this.#offset + left);
      left -= piece.byteLength;
      this.#offset += piece.byteLength;
      pieces.push(piece);
      if (left === 0) break;
      this.#block = next;
      this.#offset = 0;
    }
    return pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces);
  }
}
