import type { ByteSource } from "@rea/core";
import { bytesAt, type Partition, type PartitionMap } from "./partition.js";

const sectorBytes = 512;
const mostLogical = 256;
const extended: ReadonlySet<number> = new Set([0x05, 0x0f, 0x85]);
/** What a disk with a GUID table has in its boot record. */
export const protectiveType = "0xee";

/** Master boot record: four partitions, of which an extended one is a chain of records of its own. Undefined when there is none. */
export function bootRecord(source: ByteSource): PartitionMap | undefined {
  const record = bytesAt(source, 0, sectorBytes);
  if (record?.readUInt16BE(510) !== 0x55aa) return undefined;
  const partitions: Partition[] = [];
  for (let index = 0; index < 4; index += 1) {
    const entry = entryOf(record, 446 + index * 16);
    if (entry.type === 0) continue;
    if (extended.has(entry.type)) partitions.push(...logical(source, entry.first, 5 + partitions.filter(({ number }) => number > 4).length));
    else partitions.push(partition(entry, { number: index + 1, base: 0, entryOffset: 446 + index * 16 }));
  }
  return { title: "master boot record", partitions, problems: [], parts: [{ part: "master boot record", offset: 0, length: sectorBytes }] };
}

/** Records of an extended partition: each names a logical one, and the next record. */
function logical(source: ByteSource, start: number, firstNumber: number): readonly Partition[] {
  const found: Partition[] = [];
  const seen = new Set<number>();
  for (let at = start; !seen.has(at) && found.length < mostLogical; ) {
    seen.add(at);
    const record = bytesAt(source, at * sectorBytes, sectorBytes);
    if (record?.readUInt16BE(510) !== 0x55aa) break;
    const [own, next] = [entryOf(record, 446), entryOf(record, 462)];
    if (own.type !== 0) found.push(partition(own, { number: firstNumber + found.length, base: at, entryOffset: at * sectorBytes + 446 }));
    if (!extended.has(next.type)) break;
    at = start + next.first;
  }
  return found;
}

interface RecordEntry {
  readonly type: number;
  readonly first: number;
  readonly sectors: number;
}

function entryOf(record: Buffer, at: number): RecordEntry {
  return { type: record.readUInt8(at + 4), first: record.readUInt32LE(at + 8), sectors: record.readUInt32LE(at + 12) };
}

function partition({ type, first, sectors }: RecordEntry, at: { readonly number: number; readonly base: number; readonly entryOffset: number }): Partition {
  return { number: at.number, name: "", type: `0x${type.toString(16).padStart(2, "0")}`, start: (at.base + first) * sectorBytes, length: sectors * sectorBytes, entryOffset: at.entryOffset };
}
