import { checkRange } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { EntryContent } from "../../format.js";
import { bufferOf } from "../../reading/piece-window.js";
import type { FileData } from "./inode.js";
import type { MetadataCursor } from "./metadata.js";
import type { SquashImage } from "./squash-image.js";

const storedFlag = 0x0100_0000;
const wordBytes = 4;
const wordsATime = 1024;

/** Bytes a block takes in the image, from its word in a list of sizes; 0 for a hole. */
export function storedBytes(word: number): number {
  return word & (storedFlag - 1);
}

/** How many blocks a file has beside its fragment. */
export function blockCount({ bytes, fragment }: FileData, blockBytes: number): number {
  return fragment === undefined ? Math.ceil(bytes / blockBytes) : Math.floor(bytes / blockBytes);
}

/** Words of a list of sizes, a few at a time. */
export async function* sizeWords(cursor: MetadataCursor, count: number): AsyncGenerator<number, void, undefined> {
  for (let left = count; left > 0; left -= wordsATime) {
    const list = await cursor.read(Math.min(left, wordsATime) * wordBytes);
    for (let at = 0; at < list.byteLength; at += wordBytes) yield list.readUInt32LE(at);
  }
}

/** Decodes data blocks of an image and keeps the last fragments, which many small files share. */
export class FileContents {
  readonly #image: SquashImage;
  readonly #fragments = new Map<number, Uint8Array>();
  readonly #keptFragments: number;
  readonly #zeros: Uint8Array;

  constructor(image: SquashImage) {
    const { blockBytes } = image.superblock;
    this.#image = image;
    this.#keptFragments = Math.max(1, Math.floor((4 * 1024 * 1024) / blockBytes));
    this.#zeros = new Uint8Array(blockBytes);
  }

  content(file: FileData): EntryContent {
    // Holes cost nothing and are no compression, so that they count as read.
    const used = { bytes: 0 };
    return { stream: () => this.#stream(file, used), inputBytes: () => used.bytes };
  }

  async *#stream(file: FileData, used: { bytes: number }): AsyncGenerator<Uint8Array, void, undefined> {
    const { blockBytes, tables } = this.#image.superblock;
    const count = blockCount(file, blockBytes);
    const sizes = this.#image.cursor(tables.inodes, file.sizes.block, file.sizes.offset);
    let at = file.start;
    let left = file.bytes;
    for await (const word of sizeWords(sizes, count)) {
      const plain = Math.min(blockBytes, left);
      const stored = storedBytes(word);
      used.bytes += stored === 0 ? plain : stored;
      yield stored === 0 ? this.#zeros.subarray(0, plain) : await this.#block(at, word, plain);
      at += stored;
      left -= plain;
    }
    if (file.fragment === undefined || left === 0) return;
    const fragment = await this.#fragment(file.fragment.index);
    const end = file.fragment.offset + left;
    if (end > fragment.byteLength) throw brokenData("A file's end reaches past the end of its fragment.");
    used.bytes += left;
    yield fragment.subarray(file.fragment.offset, end);
  }

  /** A block that must give exactly `plain` bytes. */
  async #block(at: number, word: number, plain: number): Promise<Uint8Array> {
    const bytes = await this.#decoded(at, word);
    if (bytes.byteLength !== plain) throw brokenData(`A data block gives ${String(bytes.byteLength)} bytes, not the ${String(plain)} that belong there.`, at);
    return bytes;
  }

  async #fragment(index: number): Promise<Uint8Array> {
    const known = this.#fragments.get(index);
    if (known !== undefined) return known;
    const { start, word } = await this.#image.fragment(index);
    const bytes = await this.#decoded(start, word);
    const [oldest] = this.#fragments.keys();
    if (oldest !== undefined && this.#fragments.size >= this.#keptFragments) this.#fragments.delete(oldest);
    this.#fragments.set(index, bytes);
    return bytes;
  }

  async #decoded(at: number, word: number): Promise<Uint8Array> {
    const { source, superblock, codec, signal, end } = this.#image;
    const stored = storedBytes(word);
    if (stored > superblock.blockBytes || word >= storedFlag * 2) throw brokenData("A data block declares an impossible size.", at);
    checkRange(at, stored, end);
    const bytes = bufferOf(source.read(at, stored));
    return (word & storedFlag) === 0 ? codec(bytes, superblock.blockBytes, signal) : bytes;
  }
}
