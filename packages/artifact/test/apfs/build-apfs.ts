import { leavesOf, treeNode, writeTreeInfo, type Row } from "./build-tree.js";
import { fileRows, type ApfsSample } from "./file-rows.js";

export interface ApfsVolumeShape {
  readonly name: string;
  readonly items: readonly ApfsSample[];
  readonly encrypted?: boolean;
  readonly sealed?: boolean;
  readonly snapshots?: number;
  /** Names stand without their hash. */
  readonly plainNames?: boolean;
  readonly declaredFiles?: number;
  /** Changes records of the file system tree before they are written. */
  readonly rows?: (rows: Row[]) => void;
}

export interface ApfsShape {
  readonly volumes: readonly ApfsVolumeShape[];
  /** Changes a finished block; its checksum is written afterwards. */
  readonly block?: (block: Buffer, what: string) => void;
  /** Spoils the checksum of blocks of that kind. */
  readonly spoil?: string;
  /** The superblock in block 0 is as good as the one in the checkpoint area, leads nowhere, or is the only one. */
  readonly checkpoint?: "same" | "stale" | "none";
}

const blockBytes = 4096;
const types = { superblock: 0x80000001, checkpointMap: 0x4000000c, map: 0x4000000b, mapTree: 0x40000002, volume: 0x0d, tree: 0x02 } as const;
const mapTreeKind = 0x0b;
const fileTreeKind = 0x0e;
const transaction = 7;

/** An APFS container, block by block, with everything that leads to files and nothing of what manages space. */
export function buildApfs(shape: ApfsShape): Buffer {
  const disk = new Disk(shape);
  const volumes = shape.volumes.map((volume, index) => ({ id: 1000 + index, block: buildVolume(disk, volume, index, 1000 + index) }));
  const map = disk.objectMap(volumes);
  return disk.finish(volumes.map(({ id }) => id), map);
}

function buildVolume(disk: Disk, shape: ApfsVolumeShape, index: number, id: number): number {
  const { rows, files, links, directories } = fileRows(shape.items, { hasHash: shape.plainNames !== true, put: (bytes) => disk.put(bytes) });
  shape.rows?.(rows);
  const firstNode = 5000 + index * 1000;
  const leaves = leavesOf(rows, blockBytes);
  const nodes = leaves.length === 1 ? [{ id: firstNode, rows: leaves[0] ?? [], level: 0 }] : leaves.map((leaf, at) => ({ id: firstNode + 1 + at, rows: leaf, level: 0 }));
  if (leaves.length > 1) {
    const children = nodes.map(({ id: child, rows: [first] }) => ({ key: first?.key ?? Buffer.alloc(8), value: u64(child) }));
    nodes.push({ id: firstNode, rows: children, level: 1 });
  }
  const places = nodes.map((node) => {
    const isRoot = node.id === firstNode;
    const block = treeNode({ rows: node.rows, isRoot, level: node.level, isFixed: false }, blockBytes);
    if (isRoot) writeTreeInfo(block, { keys: rows.length, nodes: nodes.length, isFixed: false, flags: 0x40 });
    return { id: node.id, block: disk.object(block, { id: node.id, type: isRoot ? types.tree : 0x03, subtype: fileTreeKind, what: isRoot ? "root" : "leaf" }) };
  });
  const map = disk.objectMap(places);
  const volume = Buffer.alloc(blockBytes);
  volume.write("APSB", 32);
  volume.writeUInt32LE(index, 36);
  volume.writeBigUInt64LE(2n, 40);
  volume.writeBigUInt64LE(BigInt((shape.plainNames === true ? 0 : 1) | (shape.sealed === true ? 0x20 : 0)), 56);
  [2, 0x40000002, 0x40000002].forEach((type, at) => volume.writeUInt32LE(type, 116 + at * 4));
  [map, firstNode].forEach((value, at) => volume.writeBigUInt64LE(BigInt(value), 128 + at * 8));
  [5000, shape.declaredFiles ?? files, directories, links, 0, shape.snapshots ?? 0].forEach((value, at) => volume.writeBigUInt64LE(BigInt(value), 176 + at * 8));
  volume.fill(index + 1, 240, 256);
  volume.writeBigUInt64LE(shape.encrypted === true ? 0n : 1n, 264);
  volume.write("tests", 272);
  volume.write(shape.name, 704);
  return disk.object(volume, { id, type: types.volume, subtype: 0, what: "volume" });
}

interface ObjectShape {
  readonly id?: number;
  readonly type: number;
  readonly subtype: number;
  readonly what: string;
  readonly xid?: number;
}

class Disk {
  readonly #shape: ApfsShape;
  readonly #blocks: Buffer[] = [];
  #next = 5;

  constructor(shape: ApfsShape) {
    this.#shape = shape;
  }

  /** Plain bytes in blocks of their own; answers the first. */
  put(bytes: Uint8Array): number {
    const number = this.#next;
    for (let at = 0; at < Math.max(bytes.byteLength, 1); at += blockBytes) {
      const block = Buffer.alloc(blockBytes);
      block.set(bytes.subarray(at, at + blockBytes));
      this.#blocks.push(block);
      this.#next += 1;
    }
    return number;
  }

  object(block: Buffer, shape: ObjectShape): number {
    const number = this.#next;
    this.#blocks.push(this.#sealed(block, { id: number, ...shape }));
    this.#next += 1;
    return number;
  }

  objectMap(objects: readonly { readonly id: number; readonly block: number }[]): number {
    const rows = [...objects].sort((a, b) => a.id - b.id).map(({ id, block }) => ({ key: Buffer.concat([u64(id), u64(transaction)]), value: Buffer.concat([u32(0), u32(blockBytes), u64(block)]) }));
    const root = treeNode({ rows, isRoot: true, level: 0, isFixed: true }, blockBytes);
    writeTreeInfo(root, { keys: rows.length, nodes: 1, isFixed: true, flags: 0x12 });
    const tree = this.object(root, { type: types.mapTree, subtype: mapTreeKind, what: "map tree" });
    const map = Buffer.alloc(blockBytes);
    [1, 0, 0x40000002, 0x40000002].forEach((value, at) => map.writeUInt32LE(value, 32 + at * 4));
    map.writeBigUInt64LE(BigInt(tree), 48);
    return this.object(map, { type: types.map, subtype: 0, what: "map" });
  }

  finish(volumes: readonly number[], map: number): Buffer {
    const count = this.#next;
    const { checkpoint = "same" } = this.#shape;
    const oldMap = checkpoint === "stale" ? 0 : map;
    const first = this.#superblock(volumes, oldMap, count, { xid: checkpoint === "stale" ? transaction - 1 : transaction, what: "superblock" });
    const latest = this.#superblock(volumes, map, count, { xid: transaction, what: "checkpoint" });
    const checkpointMap = Buffer.alloc(blockBytes);
    checkpointMap.writeUInt32LE(1, 32);
    const head = [first, this.#sealed(checkpointMap, { id: 1, type: types.checkpointMap, subtype: 0, what: "checkpoint map" }), checkpoint === "none" ? Buffer.alloc(blockBytes) : latest, Buffer.alloc(blockBytes), Buffer.alloc(blockBytes)];
    return Buffer.concat([...head, ...this.#blocks]);
  }

  #superblock(volumes: readonly number[], map: number, count: number, { xid, what }: { readonly xid: number; readonly what: string }): Buffer {
    const block = Buffer.alloc(blockBytes);
    block.write("NXSB", 32);
    block.writeUInt32LE(blockBytes, 36);
    block.writeBigUInt64LE(BigInt(count), 40);
    block.writeBigUInt64LE(2n, 64);
    block.fill(9, 72, 88);
    [9000, xid + 1].forEach((value, at) => block.writeBigUInt64LE(BigInt(value), 88 + at * 8));
    [2, 2].forEach((value, at) => block.writeUInt32LE(value, 104 + at * 4));
    [1, 3].forEach((value, at) => block.writeBigUInt64LE(BigInt(value), 112 + at * 8));
    [0, 0, 0, 2, 0, 0].forEach((value, at) => block.writeUInt32LE(value, 128 + at * 4));
    [1024, map, 1025].forEach((value, at) => block.writeBigUInt64LE(BigInt(value), 152 + at * 8));
    block.writeUInt32LE(100, 180);
    volumes.forEach((id, at) => block.writeBigUInt64LE(BigInt(id), 184 + at * 8));
    return this.#sealed(block, { id: 1, type: types.superblock, subtype: 0, what, xid });
  }

  #sealed(block: Buffer, { id = 0, type, subtype, what, xid = transaction }: ObjectShape): Buffer {
    block.writeBigUInt64LE(BigInt(id), 8);
    block.writeBigUInt64LE(BigInt(xid), 16);
    block.writeUInt32LE(type, 24);
    block.writeUInt32LE(subtype, 28);
    this.#shape.block?.(block, what);
    writeChecksum(block);
    if (this.#shape.spoil === what) block.writeUInt32LE(1, 0);
    return block;
  }
}

/** Fletcher-64 over everything behind it. */
function writeChecksum(block: Buffer): void {
  const modulus = 0xffffffff;
  let [low, high] = [0, 0];
  for (let at = 8; at < block.byteLength; at += 4) {
    low = (low + block.readUInt32LE(at)) % modulus;
    high = (high + low) % modulus;
  }
  const first = modulus - ((low + high) % modulus);
  block.writeUInt32LE(first, 0);
  block.writeUInt32LE(modulus - ((low + first) % modulus), 4);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
