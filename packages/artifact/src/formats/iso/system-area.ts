import type { FoundPart } from "../../format.js";
import { size64, type PieceWindow } from "../../reading/piece-window.js";

export const systemAreaBytes = 32 * 1024;
const block = 512;
const mostPartitions = 128;

/** What the 32 KiB in front of the descriptors hold, which ISO 9660 leaves to others. */
export interface SystemArea {
  readonly parts: readonly FoundPart[];
  /** Partition maps name a volume of HFS or HFS+. */
  readonly hasHfs: boolean;
}

/** Partition maps in front of the volume: MBR, GPT and Apple's, as hybrid images for disks and USB sticks have them. */
export function readSystemArea(window: PieceWindow): SystemArea {
  if (!window.holds(0, systemAreaBytes)) return { parts: [], hasHfs: false };
  const area = Buffer.from(window.bytes(0, systemAreaBytes));
  const apple = applePartitions(area);
  const found = [...masterBootRecord(area), ...guidPartitions(area, window), ...apple.map(({ offset, length }) => ({ part: "partition of the Apple partition map", offset, length }))];
  const inside = found.filter(({ offset, length }) => length > 0 && window.holds(offset, length));
  const other = inside.length === 0 && area.some((byte) => byte !== 0) ? [{ part: "system area in front of the volume", offset: 0, length: systemAreaBytes }] : [];
  return { parts: [...inside, ...other], hasHfs: apple.some(({ type }) => type.startsWith("Apple_HFS")) };
}

function masterBootRecord(area: Buffer): readonly FoundPart[] {
  if (area.readUInt16LE(510) !== 0xaa55) return [];
  const rows = [446, 462, 478, 494].filter((at) => area[at + 4] !== 0 && [0, 0x80].includes(area.readUInt8(at)));
  const partitions = rows.map((at) => ({ part: "partition of the master boot record", offset: area.readUInt32LE(at + 8) * block, length: area.readUInt32LE(at + 12) * block }));
  return [{ part: "master boot record", offset: 0, length: block }, ...partitions];
}

function guidPartitions(area: Buffer, window: PieceWindow): readonly FoundPart[] {
  if (area.toString("latin1", block, block + 8) !== "EFI PART") return [];
  const start = size64(area, block + 72) * block;
  const count = Math.min(area.readUInt32LE(block + 80), mostPartitions);
  const stride = area.readUInt32LE(block + 84);
  const header = { part: "header of the GUID partition table", offset: block, length: block };
  if (stride < 128 || stride > 4096 || !window.holds(start, count * stride)) return [header];
  const table = Buffer.from(window.bytes(start, count * stride));
  const partitions = Array.from({ length: count }, (_, index) => index * stride)
    .filter((at) => table.subarray(at, at + 16).some((byte) => byte !== 0))
    .map((at) => {
      const offset = size64(table, at + 32) * block;
      return { part: "partition of the GUID partition table", offset, length: size64(table, at + 40) * block + block - offset };
    });
  const backup = { part: "backup of the GUID partition table", offset: size64(area, block + 32) * block - count * stride, length: count * stride + block };
  return [header, { part: "GUID partition table", offset: start, length: count * stride }, ...partitions, backup];
}

interface ApplePartition {
  readonly offset: number;
  readonly length: number;
  readonly type: string;
}

/** Inside Macintosh, "Partition map": entries of one device block each, behind the driver descriptor. */
function applePartitions(area: Buffer): readonly ApplePartition[] {
  const device = area.toString("latin1", 0, 2) === "ER" ? area.readUInt16BE(2) : block;
  if (![512, 1024, 2048].includes(device) || area.toString("latin1", device, device + 2) !== "PM") return [];
  const count = Math.min(area.readUInt32BE(device + 4), Math.floor(area.byteLength / device) - 1);
  const rows = Array.from({ length: count }, (_, index) => (index + 1) * device).filter((at) => area.toString("latin1", at, at + 2) === "PM");
  return rows.map((at) => ({
    offset: area.readUInt32BE(at + 8) * device,
    length: area.readUInt32BE(at + 12) * device,
    type: area.toString("latin1", at + 48, at + 80).replace(/\0.*$/su, ""),
  }));
}
