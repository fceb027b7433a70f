import type { Row } from "./build-tree.js";

export interface ApfsSample {
  readonly path: readonly string[];
  readonly folder?: boolean;
  readonly data?: string | Uint8Array;
  readonly link?: string;
  readonly resource?: Uint8Array;
  readonly compression?: Uint8Array;
  readonly attributes?: readonly string[];
  /** Another name of the file of that path. */
  readonly same?: readonly string[];
  readonly mode?: number;
  /** Blocks of 4096 bytes for each extent. */
  readonly extentBlocks?: number;
  /** Bytes of a hole behind the data. */
  readonly hole?: number;
  /** The extents stand under another id, as those of clones do. */
  readonly isClone?: boolean;
  readonly size?: number;
  /** A compressed file has its data as well. */
  readonly both?: boolean;
}

export interface FileRows {
  readonly rows: Row[];
  readonly files: number;
  readonly links: number;
  readonly directories: number;
}

const blockBytes = 4096;

interface Writing {
  readonly hasHash: boolean;
  /** Puts bytes on the disk; answers the block. */
  readonly put: (bytes: Uint8Array) => number;
}

/** All records of a volume in the order of the tree. */
export function fileRows(items: readonly ApfsSample[], writing: Writing): FileRows {
  const rows: Row[] = [];
  const ids = new Map([["", 2]]);
  let next = 16;
  let nameIndex = 0;
  const name = (parent: number, text: string, id: number, type: number): void => {
    nameIndex += 1;
    rows.push({ key: nameKey(parent, text, writing.hasHash, nameIndex), value: Buffer.concat([u64(id), u64(0), u16(type)]) });
  };
  const inode = (id: number, parent: number, mode: number, extra: InodeExtra): void => {
    rows.push({ key: recordKey(id, 3), value: inodeValue(id, parent, mode, extra) });
  };
  name(1, "root", 2, 4);
  name(1, "private-dir", 3, 4);
  inode(2, 1, 0o040755, { name: "root" });
  inode(3, 1, 0o040700, { name: "private-dir" });
  const counts = { files: 0, links: 0, directories: 0 };
  for (const item of items) {
    const text = item.path.at(-1) ?? "";
    const parent = ids.get(item.path.slice(0, -1).join("/")) ?? 2;
    if (item.same !== undefined) {
      name(parent, text, ids.get(item.same.join("/")) ?? 0, 8);
      continue;
    }
    const id = next;
    next += 2;
    ids.set(item.path.join("/"), id);
    if (item.folder === true) {
      counts.directories += 1;
      name(parent, text, id, 4);
      inode(id, parent, 0o040755, { name: text });
    } else if (item.link !== undefined) {
      counts.links += 1;
      name(parent, text, id, 10);
      inode(id, parent, 0o120755, { name: text });
      rows.push(attribute(id, "com.apple.fs.symlink", Buffer.from(`${item.link}\0`)));
    } else {
      counts.files += 1;
      name(parent, text, id, 8);
      fileRecords(rows, item, { id, parent, writing });
    }
  }
  rows.sort(byKey);
  return { rows, ...counts };
}

function fileRecords(rows: Row[], item: ApfsSample, { id, parent, writing }: { readonly id: number; readonly parent: number; readonly writing: Writing }): void {
  const data = Buffer.from(item.data ?? "");
  const streamId = item.isClone === true ? id + 1 : id;
  const size = item.size ?? data.byteLength + (item.hole ?? 0);
  const hasStream = item.compression === undefined;
  rows.push({
    key: recordKey(id, 3),
    value: inodeValue(id, parent, item.mode ?? 0o100644, { name: item.path.at(-1) ?? "", privateId: streamId, ...(hasStream || item.both === true ? { size } : {}), ...(item.compression === undefined ? {} : { plainSize: Number(Buffer.from(item.compression).readBigUInt64LE(8)) }) }),
  });
  if (hasStream) extents(rows, streamId, { data, hole: item.hole ?? 0, put: writing.put, extentBlocks: item.extentBlocks ?? 1000 });
  if (item.compression !== undefined) rows.push(attribute(id, "com.apple.decmpfs", item.compression));
  if (item.resource !== undefined) {
    const forkId = id + 100_000;
    rows.push({ key: attributeKey(id, "com.apple.ResourceFork"), value: Buffer.concat([u16(1), u16(48), u64(forkId), stream(item.resource.byteLength)]) });
    const fork = Buffer.from(item.resource);
    if (fork.byteLength > 0) rows.push(extent(forkId, 0, Math.ceil(fork.byteLength / blockBytes) * blockBytes, writing.put(fork)));
  }
  for (const text of item.attributes ?? []) rows.push(attribute(id, text, Buffer.from("value")));
}

interface ExtentShape {
  readonly data: Buffer;
  readonly hole: number;
  readonly put: Writing["put"];
  readonly extentBlocks: number;
}

function extents(rows: Row[], id: number, { data, hole, put, extentBlocks }: ExtentShape): void {
  if (data.byteLength + hole > 0) rows.push({ key: recordKey(id, 6), value: Buffer.from([1, 0, 0, 0]) });
  let at = 0;
  for (; at < data.byteLength; at += extentBlocks * blockBytes) {
    const piece = data.subarray(at, at + extentBlocks * blockBytes);
    rows.push(extent(id, at, Math.ceil(piece.byteLength / blockBytes) * blockBytes, put(piece)));
  }
  if (hole > 0) rows.push(extent(id, Math.ceil(data.byteLength / blockBytes) * blockBytes, Math.ceil(hole / blockBytes) * blockBytes + blockBytes, 0));
}

export function extent(id: number, start: number, bytes: number, block: number): Row {
  return { key: Buffer.concat([recordKey(id, 8), u64(start)]), value: Buffer.concat([u64(bytes), u64(block), u64(0)]) };
}

export function recordKey(id: number, type: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeBigUInt64LE(BigInt(id) | (BigInt(type) << 60n));
  return key;
}

function nameKey(parent: number, text: string, hasHash: boolean, index: number): Buffer {
  const bytes = Buffer.from(`${text}\0`);
  const length = hasHash ? u32((index << 10) | bytes.byteLength) : u16(bytes.byteLength);
  return Buffer.concat([recordKey(parent, 9), length, bytes]);
}

function attributeKey(id: number, name: string): Buffer {
  const bytes = Buffer.from(`${name}\0`);
  return Buffer.concat([recordKey(id, 4), u16(bytes.byteLength), bytes]);
}

function attribute(id: number, name: string, value: Uint8Array): Row {
  return { key: attributeKey(id, name), value: Buffer.concat([u16(2), u16(value.byteLength), value]) };
}

interface InodeExtra {
  readonly name: string;
  readonly privateId?: number;
  readonly size?: number;
  /** Of a compressed file, which is marked as such. */
  readonly plainSize?: number;
}

function inodeValue(id: number, parent: number, mode: number, { name, privateId = id, size, plainSize }: InodeExtra): Buffer {
  const value = Buffer.alloc(92);
  value.writeBigUInt64LE(BigInt(parent), 0);
  value.writeBigUInt64LE(BigInt(privateId), 8);
  value.writeUInt32LE(1, 56);
  if (plainSize !== undefined) {
    value.writeBigUInt64LE(0x40000n, 48);
    value.writeUInt32LE(0x20, 68);
    value.writeBigUInt64LE(BigInt(plainSize), 84);
  }
  value.writeUInt16LE(mode, 80);
  const text = Buffer.from(`${name}\0`);
  const fields = [{ type: 4, data: text }, ...(size === undefined ? [] : [{ type: 8, data: stream(size) }])];
  const padded = fields.map(({ data }) => Buffer.concat([data, Buffer.alloc((8 - (data.byteLength % 8)) % 8)]));
  const rows = fields.map(({ type, data }) => Buffer.concat([Buffer.from([type, 2]), u16(data.byteLength)]));
  return Buffer.concat([value, u16(fields.length), u16(padded.reduce((sum, { byteLength }) => sum + byteLength, 0)), ...rows, ...padded]);
}

function stream(size: number): Buffer {
  return Buffer.concat([u64(size), u64(Math.ceil(size / blockBytes) * blockBytes), u64(0), u64(0), u64(0)]);
}

/** By id, then type, then what follows as the tree orders it. */
function byKey(a: Row, b: Row): number {
  const [first, second] = [a.key.readBigUInt64LE(0), b.key.readBigUInt64LE(0)];
  const mask = (1n << 60n) - 1n;
  if ((first & mask) !== (second & mask)) return (first & mask) < (second & mask) ? -1 : 1;
  if (first !== second) return first < second ? -1 : 1;
  if (first >> 60n === 9n) return (a.key.byteLength > 12 ? a.key.readUInt32LE(8) >>> 10 : 0) - (b.key.byteLength > 12 ? b.key.readUInt32LE(8) >>> 10 : 0);
  return first >> 60n === 8n ? Number(a.key.readBigUInt64LE(8) - b.key.readBigUInt64LE(8)) : Buffer.compare(a.key, b.key);
}

function u16(value: number): Buffer {
  return Buffer.from([value & 0xff, value >> 8]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
