import { buildTree, type TreeItem } from "./build-tree.js";

export interface HfsSample {
  /** Below the root, segments apart; folders are given like files. */
  readonly path: readonly string[];
  readonly folder?: boolean;
  readonly data?: string | Uint8Array;
  readonly resource?: Uint8Array;
  readonly link?: string;
  /** Content of the attribute that makes the file compressed. */
  readonly compression?: Uint8Array;
  readonly attributes?: readonly string[];
  /** Another name of the inode of that number; the first has the data. */
  readonly inode?: number;
  readonly mode?: number;
  /** Pieces that the data is cut into on the disk. */
  readonly fragments?: number;
  /** Changes the record. */
  readonly record?: (record: Buffer) => void;
}

export interface HfsShape {
  readonly items: readonly HfsSample[];
  readonly signature?: "H+" | "HX";
  readonly header?: (header: Buffer) => void;
  /** Changes the finished catalog. */
  readonly catalog?: (catalog: Buffer, nodeBytes: number) => void;
  readonly nodeBytes?: number;
  /** Puts the volume into an HFS wrapper. */
  readonly wrapped?: boolean;
}

const blockBytes = 512;
const privateId = 17;
const extentsPerRecord = 8;

interface Extent {
  readonly start: number;
  readonly count: number;
}

/** An HFS+ volume, byte by byte, in allocation blocks of 512 bytes. */
export function buildHfsPlus({ items, signature = "H+", nodeBytes = 4096, ...shape }: HfsShape): Buffer {
  const disk = new Disk();
  const overflow: TreeItem[] = [];
  const attributes: TreeItem[] = [];
  const catalog: TreeItem[] = [folderRecord(1, "Volume", 2)];
  const ids = new Map([["", 2]]);
  let nextId = 18;
  const inodes = new Set<number>();
  const hasLinks = items.some(({ inode }) => inode !== undefined);
  if (hasLinks) catalog.push(folderRecord(2, "\0\0\0\0HFS+ Private Data", privateId));
  const place = (fileId: number, kind: number, bytes: Uint8Array, fragments = 1): Buffer => {
    const extents = disk.put(bytes, fragments);
    for (let at = extentsPerRecord; at < extents.length; at += extentsPerRecord) overflow.push(overflowRecord(fileId, kind, extents, at));
    return forkRecord(bytes.byteLength, extents);
  };
  const file = (parent: number, name: string, item: HfsSample): void => {
    const id = nextId;
    nextId += 1;
    const bytes = Buffer.from(item.link ?? item.data ?? "");
    const record = fileRecord(id, place(id, 0, bytes, item.fragments), place(id, 0xff, item.resource ?? Buffer.alloc(0)));
    record.writeUInt16BE(item.mode ?? (item.link === undefined ? 0o100644 : 0o120777), 42);
    if (item.link !== undefined) record.write("slnkrhap", 48, "latin1");
    if (item.compression !== undefined) {
      record.writeUInt8(0x20, 41);
      attributes.push(attributeRecord(id, "com.apple.decmpfs", item.compression));
    }
    for (const attribute of item.attributes ?? []) attributes.push(attributeRecord(id, attribute, Buffer.from("value")));
    item.record?.(record);
    catalog.push({ key: catalogKey(parent, name), data: record });
  };
  for (const item of items) {
    const name = item.path.at(-1) ?? "";
    const parent = ids.get(item.path.slice(0, -1).join("/")) ?? 2;
    if (item.folder === true) {
      ids.set(item.path.join("/"), nextId);
      catalog.push(folderRecord(parent, name, nextId));
      nextId += 1;
    } else if (item.inode === undefined) file(parent, name, item);
    else {
      if (!inodes.has(item.inode)) file(privateId, `iNode${String(item.inode)}`, item);
      inodes.add(item.inode);
      const record = fileRecord(nextId, forkRecord(0, []), forkRecord(0, []));
      nextId += 1;
      record.writeUInt16BE(0o100444, 42);
      record.writeUInt32BE(item.inode, 44);
      record.write("hlnkhfs+", 48, "latin1");
      catalog.push({ key: catalogKey(parent, name), data: record });
    }
  }
  const files = catalog.filter(({ data }) => data.readInt16BE(0) === 2).length;
  const folders = catalog.length - files - 1;
  const catalogFile = buildTree(sorted(catalog), nodeBytes);
  shape.catalog?.(catalogFile, nodeBytes);
  const forks = [buildTree(overflow, nodeBytes), catalogFile, buildTree(sorted(attributes), nodeBytes)].map((tree) => forkRecord(tree.byteLength, disk.put(tree)));
  return finish(disk, { signature, files, folders, forks, nextId }, shape);
}

interface Facts {
  readonly signature: string;
  readonly files: number;
  readonly folders: number;
  readonly forks: readonly Buffer[];
  readonly nextId: number;
}

function finish(disk: Disk, { signature, files, folders, forks, nextId }: Facts, shape: Pick<HfsShape, "header" | "wrapped">): Buffer {
  const allocation = forkRecord(512, disk.put(Buffer.alloc(512, 0xff)));
  const volume = disk.whole();
  const header = Buffer.alloc(512);
  header.write(signature);
  header.writeUInt16BE(signature === "H+" ? 4 : 5, 2);
  header.writeUInt32BE(0x100, 4);
  header.write("10.0", 8);
  header.writeUInt32BE(files, 32);
  header.writeUInt32BE(folders, 36);
  header.writeUInt32BE(blockBytes, 40);
  header.writeUInt32BE(volume.byteLength / blockBytes, 44);
  header.writeUInt32BE(nextId, 64);
  [allocation, ...forks].forEach((fork, index) => fork.copy(header, 112 + index * 80));
  shape.header?.(header);
  header.copy(volume, 1024);
  header.copy(volume, volume.byteLength - 1024);
  return shape.wrapped === true ? wrapped(volume) : volume;
}

/** An HFS volume whose one large file is the HFS+ volume. */
function wrapped(volume: Buffer): Buffer {
  const lead = Buffer.alloc(4096);
  lead.write("BD", 1024);
  lead.writeUInt32BE(blockBytes, 1024 + 0x14);
  lead.writeUInt16BE(6, 1024 + 0x1c);
  lead.write("H+", 1024 + 0x7c);
  lead.writeUInt16BE(2, 1024 + 0x7e);
  lead.writeUInt16BE(volume.byteLength / blockBytes, 1024 + 0x80);
  return Buffer.concat([lead, volume, Buffer.alloc(1024)]);
}

/** Gives out blocks behind the volume header. */
class Disk {
  readonly #blocks: Buffer[] = [];
  #next = 3;

  put(bytes: Uint8Array, fragments = 1): Extent[] {
    const total = Math.ceil(bytes.byteLength / blockBytes);
    const each = Math.max(1, Math.ceil(total / fragments));
    const extents: Extent[] = [];
    for (let at = 0; at < total; at += each) {
      const count = Math.min(each, total - at);
      const piece = Buffer.alloc((count + (fragments > 1 ? 1 : 0)) * blockBytes);
      Buffer.from(bytes.subarray(at * blockBytes, (at + count) * blockBytes)).copy(piece);
      extents.push({ start: this.#next, count });
      this.#blocks.push(piece);
      this.#next += piece.byteLength / blockBytes;
    }
    return extents;
  }

  whole(): Buffer {
    return Buffer.concat([Buffer.alloc(3 * blockBytes), ...this.#blocks, Buffer.alloc(2 * blockBytes)]);
  }
}

function forkRecord(bytes: number, extents: readonly Extent[]): Buffer {
  const fork = Buffer.alloc(80);
  fork.writeBigUInt64BE(BigInt(bytes));
  fork.writeUInt32BE(extents.reduce((sum, { count }) => sum + count, 0), 12);
  writeExtents(fork, 16, extents.slice(0, extentsPerRecord));
  return fork;
}

function writeExtents(into: Buffer, at: number, extents: readonly Extent[]): void {
  extents.forEach(({ start, count }, index) => {
    into.writeUInt32BE(start, at + index * 8);
    into.writeUInt32BE(count, at + index * 8 + 4);
  });
}

function overflowRecord(fileId: number, kind: number, extents: readonly Extent[], from: number): TreeItem {
  const key = Buffer.alloc(10);
  key.writeUInt8(kind, 0);
  key.writeUInt32BE(fileId, 2);
  key.writeUInt32BE(extents.slice(0, from).reduce((sum, { count }) => sum + count, 0), 6);
  const data = Buffer.alloc(64);
  writeExtents(data, 0, extents.slice(from, from + extentsPerRecord));
  return { key, data };
}

function catalogKey(parent: number, name: string): Buffer {
  const key = Buffer.alloc(6);
  key.writeUInt32BE(parent);
  key.writeUInt16BE(name.length, 4);
  return Buffer.concat([key, bigEndian(name)]);
}

function folderRecord(parent: number, name: string, id: number): TreeItem {
  const data = Buffer.alloc(88);
  data.writeInt16BE(1);
  data.writeUInt32BE(id, 8);
  data.writeUInt16BE(0o040755, 42);
  return { key: catalogKey(parent, name), data };
}

function fileRecord(id: number, data: Buffer, resource: Buffer): Buffer {
  const record = Buffer.alloc(88);
  record.writeInt16BE(2);
  record.writeUInt32BE(id, 8);
  return Buffer.concat([record, data, resource]);
}

function attributeRecord(id: number, name: string, value: Uint8Array): TreeItem {
  const key = Buffer.alloc(12);
  key.writeUInt32BE(id, 2);
  key.writeUInt16BE(name.length, 10);
  const header = Buffer.alloc(16);
  header.writeUInt32BE(0x10);
  header.writeUInt32BE(value.byteLength, 12);
  return { key: Buffer.concat([key, bigEndian(name)]), data: Buffer.concat([header, value, Buffer.alloc(value.byteLength % 2)]) };
}

function bigEndian(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

function sorted(items: readonly TreeItem[]): TreeItem[] {
  return [...items].sort((a, b) => Buffer.compare(a.key.subarray(0, 4), b.key.subarray(0, 4)) || Buffer.compare(a.key.subarray(4), b.key.subarray(4)));
}
