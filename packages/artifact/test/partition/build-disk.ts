import { crc32 } from "node:zlib";

const sector = 512;

export interface PartitionShape {
  readonly name?: string;
  readonly type?: string;
  readonly first: number;
  readonly data: Uint8Array;
}

/** An Apple partition map of 512-byte blocks, or of larger ones. */
export function appleDisk(partitions: readonly PartitionShape[], { blockBytes = sector, count = partitions.length + 1, sectors = 200 } = {}): Buffer {
  const disk = Buffer.alloc(sectors * sector);
  disk.write("ER");
  disk.writeUInt16BE(blockBytes, 2);
  disk.writeUInt32BE(disk.byteLength / blockBytes, 4);
  const map = { name: "Apple", type: "Apple_partition_map", first: 1, data: Buffer.alloc((partitions.length + 1) * blockBytes) };
  [map, ...partitions].forEach(({ name = "", type = "Apple_HFS", first, data }, index) => {
    const at = (index + 1) * blockBytes;
    disk.write("PM", at);
    disk.writeUInt32BE(count, at + 4);
    disk.writeUInt32BE(first, at + 8);
    disk.writeUInt32BE(data.byteLength / blockBytes, at + 12);
    disk.write(name, at + 16);
    disk.write(type, at + 48);
  });
  for (const { first, data } of partitions) Buffer.from(data).copy(disk, first * blockBytes);
  return disk;
}

const types: { readonly [name: string]: string } = { hfs: "005346480000aa11aa1100306543ecac", apfs: "ef57347c0000aa11aa1100306543ecac", efi: "28732ac11ff8d211ba4b00a0c93ec93b" };

/** A GUID partition table with its copy and a protective boot record. */
export function guidDisk(partitions: readonly PartitionShape[], { sectorBytes = sector, sectors = 200 } = {}): Buffer {
  const disk = Buffer.alloc(sectors * sectorBytes);
  bootEntry(disk, 0, { type: 0xee, first: 1, sectors: sectors - 1 });
  const entries = Buffer.alloc(128 * 128);
  partitions.forEach(({ name = "", type = "hfs", first, data }, index) => {
    const at = index * 128;
    Buffer.from(types[type] ?? type, "hex").copy(entries, at);
    entries.fill(index + 1, at + 16, at + 32);
    entries.writeBigUInt64LE(BigInt(first), at + 32);
    entries.writeBigUInt64LE(BigInt(first + data.byteLength / sectorBytes - 1), at + 40);
    entries.write(name, at + 56, "utf16le");
    Buffer.from(data).copy(disk, first * sectorBytes);
  });
  const entrySectors = entries.byteLength / sectorBytes;
  const place = (own: number, other: number, table: number): void => {
    const header = Buffer.alloc(92);
    header.write("EFI PART");
    header.writeUInt32LE(0x10000, 8);
    header.writeUInt32LE(92, 12);
    [own, other, 2 + entrySectors, sectors - entrySectors - 2].forEach((value, index) => header.writeBigUInt64LE(BigInt(value), 24 + index * 8));
    header.fill(7, 56, 72);
    header.writeBigUInt64LE(BigInt(table), 72);
    header.writeUInt32LE(128, 80);
    header.writeUInt32LE(128, 84);
    header.writeUInt32LE(crc32(entries), 88);
    header.writeUInt32LE(crc32(header), 16);
    header.copy(disk, own * sectorBytes);
    entries.copy(disk, table * sectorBytes);
  };
  place(1, sectors - 1, 2);
  place(sectors - 1, 1, sectors - 1 - entrySectors);
  return disk;
}

export interface BootEntry {
  readonly type: number;
  readonly first: number;
  readonly sectors: number;
}

/** Writes an entry and the mark of a boot record. */
export function bootEntry(disk: Buffer, index: number, { type, first, sectors }: BootEntry, record = 0): void {
  const at = record * sector + 446 + index * 16;
  disk.writeUInt8(type, at + 4);
  disk.writeUInt32LE(first, at + 8);
  disk.writeUInt32LE(sectors, at + 12);
  disk.writeUInt16BE(0x55aa, record * sector + 510);
}
