import type { ByteSource } from "@rea/core";
import { bufferOf, size64 } from "../../reading/piece-window.js";

export const superblockBytes = 96;
/** Data blocks of version 4 have from 4 KiB to 1 MiB. */
const smallestBlock = 4096;
const largestBlock = 1024 * 1024;

/** Where a structure of the image starts, counted from its first byte; undefined when the image has none. */
export interface SquashTables {
  readonly ids: number | undefined;
  readonly attributes: number | undefined;
  readonly inodes: number;
  readonly directories: number;
  readonly fragments: number | undefined;
  readonly exports: number | undefined;
}

/** Superblock of version 4, little-endian throughout. */
export interface Superblock {
  readonly inodeCount: number;
  readonly blockBytes: number;
  /** Whether the two fields that give the block size agree. */
  readonly blockSizeAgrees: boolean;
  readonly fragmentCount: number;
  readonly compression: number;
  readonly idCount: number;
  /** Block and offset of the root's inode, packed as in the image. */
  readonly rootInode: bigint;
  readonly bytesUsed: number;
  readonly tables: SquashTables;
}

export type SuperblockAnswer =
  | { readonly kind: "read"; readonly superblock: Superblock }
  | { readonly kind: "other_version"; readonly version: number }
  | { readonly kind: "malformed"; readonly why: string };

/** Reads the superblock. Versions 1 to 3 have their version at the same place, in either byte order. */
export function readSuperblock(source: ByteSource): SuperblockAnswer {
  if (source.size < superblockBytes) return { kind: "malformed", why: "The image ends inside its superblock." };
  const bytes = bufferOf(source.read(0, superblockBytes));
  const little = bytes.toString("latin1", 0, 4) === "hsqs";
  const version = little ? bytes.readUInt16LE(28) : bytes.readUInt16BE(28);
  if (!little || version !== 4) return { kind: "other_version", version };
  const blockBytes = blockSize(bytes);
  if (blockBytes === undefined) return { kind: "malformed", why: "The block size of the image is none that the format knows." };
  return { kind: "read", superblock: fields(bytes, blockBytes) };
}

function fields(bytes: Buffer, blockBytes: number): Superblock {
  const table = (at: number): number | undefined => (bytes.readBigUInt64LE(at) === 0xffff_ffff_ffff_ffffn ? undefined : size64(bytes, at));
  return {
    inodeCount: bytes.readUInt32LE(4),
    blockBytes,
    blockSizeAgrees: bytes.readUInt32LE(12) === 2 ** bytes.readUInt16LE(22),
    fragmentCount: bytes.readUInt32LE(16),
    compression: bytes.readUInt16LE(20),
    idCount: bytes.readUInt16LE(26),
    rootInode: bytes.readBigUInt64LE(32),
    bytesUsed: size64(bytes, 40),
    tables: {
      ids: table(48),
      attributes: table(56),
      inodes: size64(bytes, 64),
      directories: size64(bytes, 72),
      fragments: table(80),
      exports: table(88),
    },
  };
}

/** The declared size where it is possible, else the one its logarithm gives. */
function blockSize(bytes: Buffer): number | undefined {
  const candidates = [bytes.readUInt32LE(12), 2 ** bytes.readUInt16LE(22)];
  return candidates.find((size) => size >= smallestBlock && size <= largestBlock && Number.isInteger(Math.log2(size)));
}
