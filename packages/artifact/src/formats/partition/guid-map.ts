import { crc32 } from "node:zlib";
import type { ByteSource } from "@rea/core";
import { size64 } from "../../reading/piece-window.js";
import { bytesAt, type MapProblem, type Partition, type PartitionMap } from "./partition.js";

const headerBytes = 92;
const mostEntries = 1024;
const mostTableBytes = 1 << 20;

/** Types that matter for what lies in a partition (UEFI §5.3.3 and the documents of each system). */
const typeNames: ReadonlyMap<string, string> = new Map([
  ["c12a7328-f81f-11d2-ba4b-00a0c93ec93b", "EFI system"],
  ["48465300-0000-11aa-aa11-00306543ecac", "Apple HFS+"],
  ["7c3457ef-0000-11aa-aa11-00306543ecac", "Apple APFS"],
  ["426f6f74-0000-11aa-aa11-00306543ecac", "Apple boot"],
  ["ebd0a0a2-b9e5-4433-87c0-68b6b72699c7", "basic data"],
  ["0fc63daf-8483-4772-8e79-3d69d8477de4", "Linux"],
]);

/** GUID partition table (UEFI §5.3), whatever the sector size; the copy at the disk's end is compared. Undefined when there is none. */
export function guidMap(source: ByteSource): PartitionMap | undefined {
  const sectorBytes = [512, 4096].find((bytes) => bytesAt(source, bytes, 8)?.toString("latin1") === "EFI PART");
  const header = sectorBytes === undefined ? undefined : bytesAt(source, sectorBytes, headerBytes);
  if (sectorBytes === undefined || header === undefined) return undefined;
  const table = tableOf(source, header, sectorBytes);
  const problems = [...headerProblems(header, sectorBytes, table.bytes), ...backupProblems(source, header, sectorBytes)];
  return {
    title: "GUID partition table",
    partitions: partitionsOf(table, sectorBytes),
    problems,
    parts: [
      { part: "GUID partition table", offset: sectorBytes, length: headerBytes },
      { part: "GUID partition entries", offset: table.offset, length: table.bytes.byteLength },
    ],
  };
}

interface Table {
  readonly offset: number;
  readonly entryBytes: number;
  readonly bytes: Buffer;
}

function tableOf(source: ByteSource, header: Buffer, sectorBytes: number): Table {
  const offset = size64(header, 72) * sectorBytes;
  const entryBytes = header.readUInt32LE(84);
  const wanted = Math.min(header.readUInt32LE(80), mostEntries) * entryBytes;
  const isUsable = entryBytes >= 128 && wanted <= mostTableBytes;
  return { offset: Number.isSafeInteger(offset) ? offset : 0, entryBytes, bytes: (isUsable ? bytesAt(source, offset, wanted) : undefined) ?? Buffer.alloc(0) };
}

function partitionsOf({ offset, entryBytes, bytes }: Table, sectorBytes: number): readonly Partition[] {
  const partitions: Partition[] = [];
  for (let index = 0; (index + 1) * entryBytes <= bytes.byteLength && entryBytes > 0; index += 1) {
    const entry = bytes.subarray(index * entryBytes, (index + 1) * entryBytes);
    const type = guid(entry);
    if (type === "00000000-0000-0000-0000-000000000000") continue;
    const first = size64(entry, 32);
    partitions.push({
      number: index + 1,
      name: entry.toString("utf16le", 56, 128).replace(/\0.*$/s, ""),
      type: typeNames.get(type) ?? type,
      start: first * sectorBytes,
      length: (size64(entry, 40) - first + 1) * sectorBytes,
      entryOffset: offset + index * entryBytes,
    });
  }
  return partitions;
}

/** The first three fields are little-endian. */
function guid(entry: Buffer): string {
  const [a, b, c] = [entry.readUInt32LE(0).toString(16).padStart(8, "0"), entry.readUInt16LE(4).toString(16).padStart(4, "0"), entry.readUInt16LE(6).toString(16).padStart(4, "0")];
  return `${a ?? ""}-${b ?? ""}-${c ?? ""}-${entry.toString("hex", 8, 10)}-${entry.toString("hex", 10, 16)}`;
}

function headerProblems(header: Buffer, offset: number, table: Buffer): readonly MapProblem[] {
  const problems: MapProblem[] = [];
  const plain = Buffer.from(header);
  plain.writeUInt32LE(0, 16);
  const effect = "Programs that check go by the copy at the disk's end, others by this one.";
  if (header.readUInt32LE(12) === headerBytes && crc32(plain) !== header.readUInt32LE(16)) {
    problems.push({ kind: "bad_checksum_header", offset: offset + 16, detail: "The CRC-32 of the table's header does not hold.", effect });
  }
  if (table.byteLength === 0 || crc32(table) !== header.readUInt32LE(88)) {
    problems.push({ kind: "bad_checksum_header", offset: offset + 88, detail: "The CRC-32 of the partition entries does not hold, or they lie outside the disk.", effect });
  }
  return problems;
}

/** The copy must name the same entries; where it says so itself it is the copy. */
function backupProblems(source: ByteSource, header: Buffer, sectorBytes: number): readonly MapProblem[] {
  const offset = size64(header, 32) * sectorBytes;
  const copy = bytesAt(source, offset, headerBytes);
  const agrees = copy?.toString("latin1", 0, 8) === "EFI PART" && copy.readUInt32LE(88) === header.readUInt32LE(88) && copy.subarray(56, 72).equals(header.subarray(56, 72));
  if (agrees) return [];
  return [
    {
      kind: "central_local_mismatch",
      offset: Number.isSafeInteger(offset) ? offset : sectorBytes + 32,
      detail: copy === undefined ? "The copy of the table at the disk's end lies outside the disk." : "The copy of the table at the disk's end is missing or names other partitions.",
      effect: "Programs that repair the table from its copy see other partitions.",
    },
  ];
}
