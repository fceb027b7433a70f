import { sourceSlice, type ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";

/** A stretch of allocation blocks. */
export interface Extent {
  readonly start: number;
  readonly count: number;
}

/** Where a fork lies, as its record says: the first eight extents, the others stand in the overflow tree. */
export interface ForkData {
  readonly logicalBytes: number;
  readonly totalBlocks: number;
  readonly extents: readonly Extent[];
}

export interface HfsVolume {
  /** The volume, offsets counted from its start. */
  readonly source: ByteSource;
  /** Of the volume in the container: not 0 for one inside an HFS wrapper. */
  readonly offset: number;
  readonly blockBytes: number;
  readonly totalBlocks: number;
  readonly fileCount: number;
  readonly folderCount: number;
  readonly isJournaled: boolean;
  readonly journalInfoBlock: number;
  readonly extents: ForkData;
  readonly catalog: ForkData;
  readonly attributes: ForkData;
}

const headerOffset = 1024;
const headerBytes = 512;
const journaled = 0x2000;
/** Extents in one record. */
export const extentsOfRecord = 8;

/** Reads the volume header (TN1150), inside an HFS wrapper where there is one; undefined when it makes no sense. */
export function hfsVolume(container: ByteSource): HfsVolume | undefined {
  if (container.size < headerOffset + headerBytes) return undefined;
  const header = bufferOf(container.read(headerOffset, headerBytes));
  if (header.toString("latin1", 0, 2) !== "BD") return volumeOf(container, 0, header);
  const embedded = embeddedRange(header);
  if (embedded.offset + embedded.length > container.size || embedded.length < headerOffset + headerBytes) return undefined;
  const source = sourceSlice(container, embedded.offset, embedded.length);
  return volumeOf(source, embedded.offset, bufferOf(source.read(headerOffset, headerBytes)));
}

/** Inside Macintosh: Files, "Master Directory Blocks": the embedded volume's place in allocation blocks of the wrapper. */
function embeddedRange(block: Buffer): { readonly offset: number; readonly length: number } {
  const blockBytes = block.readUInt32BE(0x14);
  const start = block.readUInt16BE(0x1c) * 512 + block.readUInt16BE(0x7e) * blockBytes;
  return { offset: start, length: block.readUInt16BE(0x80) * blockBytes };
}

function volumeOf(source: ByteSource, offset: number, header: Buffer): HfsVolume | undefined {
  const signature = header.toString("latin1", 0, 2);
  const blockBytes = header.readUInt32BE(40);
  const isPowerOfTwo = blockBytes >= 512 && (blockBytes & (blockBytes - 1)) === 0;
  if ((signature !== "H+" && signature !== "HX") || !isPowerOfTwo) return undefined;
  return {
    source,
    offset,
    blockBytes,
    totalBlocks: header.readUInt32BE(44),
    fileCount: header.readUInt32BE(32),
    folderCount: header.readUInt32BE(36),
    isJournaled: (header.readUInt32BE(4) & journaled) !== 0,
    journalInfoBlock: header.readUInt32BE(12),
    extents: forkData(header, 192),
    catalog: forkData(header, 272),
    attributes: forkData(header, 352),
  };
}

/** A fork's record of 80 bytes. */
export function forkData(bytes: Buffer, at: number): ForkData {
  const logical = bytes.readBigUInt64BE(at);
  return {
    logicalBytes: logical > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(logical),
    totalBlocks: bytes.readUInt32BE(at + 12),
    extents: extentsAt(bytes, at + 16),
  };
}

/** Eight extents; those without blocks end the list. */
export function extentsAt(bytes: Buffer, at: number): readonly Extent[] {
  const extents: Extent[] = [];
  for (let index = 0; index < extentsOfRecord; index += 1) {
    const count = bytes.readUInt32BE(at + index * 8 + 4);
    if (count === 0) break;
    extents.push({ start: bytes.readUInt32BE(at + index * 8), count });
  }
  return extents;
}
