import type { ByteSource } from "@rea/core";
import { bytesAt, type MapProblem, type Partition, type PartitionMap } from "./partition.js";

const entryBytes = 512;
const mostEntries = 1024;
const blockSizes = [512, 2048, 4096];

/**
 * Apple partition map: a driver descriptor in the first block, then an entry for each partition in a block of its own
 * (Inside Macintosh: Devices, "SCSI Manager"). Undefined when there is none.
 */
export function appleMap(source: ByteSource): PartitionMap | undefined {
  const descriptor = bytesAt(source, 0, entryBytes);
  if (descriptor?.toString("latin1", 0, 2) !== "ER") return undefined;
  const declared = descriptor.readUInt16BE(2);
  const spacing = [declared, ...blockSizes].find((bytes) => blockSizes.includes(bytes) && isEntry(source, bytes));
  if (spacing === undefined) return undefined;
  const count = bytesAt(source, spacing, entryBytes)?.readUInt32BE(4) ?? 0;
  const partitions: Partition[] = [];
  let read = 0;
  for (; read < Math.min(count, mostEntries); read += 1) {
    const offset = spacing * (read + 1);
    const entry = bytesAt(source, offset, entryBytes);
    if (entry?.toString("latin1", 0, 2) !== "PM") break;
    partitions.push(partitionOf(entry, { number: read + 1, entryOffset: offset, blockBytes: spacing }));
  }
  return {
    title: "Apple partition map",
    partitions,
    problems: read === count ? [] : [countProblem(spacing, count, read)],
    parts: [{ part: "Apple partition map", offset: 0, length: spacing * (read + 1) }],
  };
}

function isEntry(source: ByteSource, offset: number): boolean {
  return bytesAt(source, offset, 2)?.toString("latin1") === "PM";
}

function partitionOf(entry: Buffer, at: { readonly number: number; readonly entryOffset: number; readonly blockBytes: number }): Partition {
  const text = (offset: number): string => entry.toString("latin1", offset, offset + 32).replace(/\0.*$/s, "");
  return {
    number: at.number,
    name: text(16),
    type: text(48),
    start: entry.readUInt32BE(8) * at.blockBytes,
    length: entry.readUInt32BE(12) * at.blockBytes,
    entryOffset: at.entryOffset,
  };
}

function countProblem(offset: number, declared: number, read: number): MapProblem {
  return {
    kind: "entry_count_mismatch",
    offset: offset + 4,
    detail: `The map declares ${String(declared)} partitions, ${String(read)} were found.`,
    effect: "Programs that trust the count see other partitions.",
  };
}
