import { checkRange, omission, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { ReaderInput } from "../../format.js";
import { bufferOf, size64 } from "../../reading/piece-window.js";
import type { BlockCodec } from "./block-codecs.js";
import { listedNames, type DirectoryEntry } from "./directory-listing.js";
import { readInode, type DirectoryData, type Inode } from "./inode.js";
import { MetadataBlocks, metadataBytes, type MetadataCursor } from "./metadata.js";
import { superblockBytes, type Superblock } from "./superblock.js";

const fragmentEntryBytes = 16;
const pointerBytes = 8;
const pointersLookedAt = 4096;

export interface FragmentPlace {
  readonly start: number;
  /** Stored bytes and how they are stored; see `storedBlock`. */
  readonly word: number;
}

/** An image whose superblock is read, with its tables. */
export class SquashImage {
  readonly source: ByteSource;
  readonly superblock: Superblock;
  readonly codec: BlockCodec;
  readonly signal: AbortSignal;
  /** Where the image ends, the file at the latest. */
  readonly end: number;
  readonly #metadata: MetadataBlocks;

  constructor(source: ByteSource, parts: { readonly superblock: Superblock; readonly codec: BlockCodec; readonly signal: AbortSignal }) {
    this.source = source;
    this.superblock = parts.superblock;
    this.codec = parts.codec;
    this.signal = parts.signal;
    this.end = Math.min(parts.superblock.bytesUsed, source.size);
    this.#metadata = new MetadataBlocks(source, parts.codec, parts.signal);
  }

  inode(block: number, offset: number): Promise<Inode> {
    const { inodes } = this.superblock.tables;
    return readInode(this.cursor(inodes, inodes + block, offset));
  }

  names({ block, offset, bytes }: DirectoryData): AsyncGenerator<DirectoryEntry, void, undefined> {
    const { directories } = this.superblock.tables;
    return listedNames(this.cursor(directories, directories + block, offset), bytes);
  }

  /** A cursor in the table that starts at `table`; it never leaves that table. */
  cursor(table: number, block: number, offset: number): MetadataCursor {
    return this.#metadata.cursor({ block, offset, end: this.#endOfTable(table) });
  }

  /** Where a fragment's block stands. */
  async fragment(index: number): Promise<FragmentPlace> {
    const { fragments } = this.superblock.tables;
    if (fragments === undefined || index >= this.superblock.fragmentCount) throw brokenData("A file's end stands in a fragment that the image does not have.");
    const perBlock = metadataBytes / fragmentEntryBytes;
    const pointer = fragments + Math.floor(index / perBlock) * pointerBytes;
    checkRange(pointer, pointerBytes, this.end);
    const block = size64(bufferOf(this.source.read(pointer, pointerBytes)), 0);
    const entry = await this.cursor(block, block, (index % perBlock) * fragmentEntryBytes).read(fragmentEntryBytes);
    return { start: size64(entry, 0), word: entry.readUInt32LE(8) };
  }

  /** Says which tables lie outside the image. */
  checkTables({ report }: ReaderInput): void {
    const { tables, idCount, inodeCount, fragmentCount } = this.superblock;
    const lists = [
      ["owners", tables.ids, Math.ceil((idCount * 4) / metadataBytes)],
      ["exported inodes", tables.exports, Math.ceil((inodeCount * 8) / metadataBytes)],
      ["fragments", tables.fragments, Math.ceil((fragmentCount * fragmentEntryBytes) / metadataBytes)],
    ] as const;
    for (const [what, start, pointers] of lists) {
      if (start === undefined || this.#pointersHold(start, pointers)) continue;
      report.omission(omission(`The table of ${what} leads out of the image.`, "malformed"));
    }
    const { attributes } = tables;
    if (attributes !== undefined && (attributes < superblockBytes || attributes + 16 > this.end)) {
      report.omission(omission("The table of extended attributes leads out of the image.", "malformed"));
    }
  }

  #pointersHold(start: number, count: number): boolean {
    if (start < superblockBytes || start + count * pointerBytes > this.end) return false;
    const bytes = bufferOf(this.source.read(start, Math.min(count, pointersLookedAt) * pointerBytes));
    for (let at = 0; at < bytes.byteLength; at += pointerBytes) {
      const pointer = size64(bytes, at);
      if (pointer < superblockBytes || pointer + 2 > start) return false;
    }
    return true;
  }

  /** The next table's start, else the image's end. */
  #endOfTable(table: number): number {
    const { ids, attributes, inodes, directories, fragments, exports } = this.superblock.tables;
    let end = this.end;
    for (const start of [ids, attributes, inodes, directories, fragments, exports]) if (start !== undefined && start > table && start < end) end = start;
    return end;
  }
}
