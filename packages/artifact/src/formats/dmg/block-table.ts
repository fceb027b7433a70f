import { checksumOf, size, type UdifChecksum } from "./trailer.js";

/** How the bytes of a chunk are stored; the number stands for kinds that are not known. */
export type ChunkKind = "zero" | "raw" | "ignore" | "adc" | "zlib" | "bzip2" | "lzfse" | "lzma" | number;

/** A stretch of a table's sectors. */
export interface Chunk {
  readonly kind: ChunkKind;
  /** From the table's first sector. */
  readonly sector: number;
  readonly sectors: number;
  /** From the data fork's start. */
  readonly offset: number;
  readonly length: number;
}

/** One table (`mish`): the chunks of a partition, or of everything outside partitions. */
export interface BlockTable {
  readonly sector: number;
  readonly sectors: number;
  readonly checksum: UdifChecksum;
  /** In the table's order, comments and terminator left out. */
  readonly chunks: readonly Chunk[];
  readonly declaredChunks: number;
  /** Chunks that stand behind a terminator; no program reads them. */
  readonly behindEnd: number;
  readonly hasEnd: boolean;
}

const headerBytes = 204;
const chunkBytes = 40;
const comment = 0x7ffffffe;
const terminator = 0xffffffff;

const kinds: ReadonlyMap<number, ChunkKind> = new Map<number, ChunkKind>([
  [0, "zero"],
  [1, "raw"],
  [2, "ignore"],
  [0x80000004, "adc"],
  [0x80000005, "zlib"],
  [0x80000006, "bzip2"],
  [0x80000007, "lzfse"],
  [0x80000008, "lzma"],
]);

/** Reads a table; undefined when it is none. */
export function blockTable(bytes: Buffer): BlockTable | undefined {
  if (bytes.byteLength < headerBytes || bytes.toString("latin1", 0, 4) !== "mish") return undefined;
  const declaredChunks = bytes.readUInt32BE(200);
  const base = size(bytes, 24);
  const chunks: Chunk[] = [];
  let behindEnd = 0;
  let hasEnd = false;
  for (let index = 0; index < declaredChunks; index += 1) {
    const at = headerBytes + index * chunkBytes;
    if (at + chunkBytes > bytes.byteLength) break;
    const number = bytes.readUInt32BE(at);
    if (hasEnd) behindEnd += 1;
    else if (number === terminator) hasEnd = true;
    else if (number !== comment) {
      chunks.push({
        kind: kinds.get(number) ?? number,
        sector: size(bytes, at + 8),
        sectors: size(bytes, at + 16),
        offset: base + size(bytes, at + 24),
        length: size(bytes, at + 32),
      });
    }
  }
  return { sector: size(bytes, 8), sectors: size(bytes, 16), checksum: checksumOf(bytes, 64), chunks, declaredChunks, behindEnd, hasEnd };
}

/** Chunks that fit into a table's bytes. */
export function roomForChunks(bytes: Buffer): number {
  return Math.max(0, Math.floor((bytes.byteLength - headerBytes) / chunkBytes));
}
