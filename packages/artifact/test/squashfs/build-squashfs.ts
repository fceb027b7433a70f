import { deflateSync } from "node:zlib";

export interface SquashNode {
  readonly name: string;
  /** Content of a file. */
  readonly data?: string | Buffer;
  readonly children?: readonly SquashNode[];
  readonly link?: string;
  /** A pipe. */
  readonly pipe?: boolean;
  /** Type in the directory; the inode's unless given. */
  readonly listedType?: number;
  /** Leads to the inode of the node that was written with this label before. */
  readonly sameAs?: string;
  readonly label?: string;
  readonly links?: number;
  readonly mode?: number;
  readonly owner?: number;
  /** Size the inode declares. */
  readonly declared?: number;
}

export interface SquashOptions {
  readonly compression?: number;
  readonly version?: number;
  readonly inodeCount?: number;
  readonly bytesUsed?: number;
  readonly blockLog?: number;
  readonly fragmentTable?: bigint;
  readonly exportTable?: bigint;
  /** Bytes between the superblock and the first file. */
  readonly gap?: Buffer;
  /** Leads the directory of this label back to the root. */
  readonly loop?: string;
  readonly trailing?: Buffer;
  readonly metadata?: (plain: Buffer) => Buffer;
}

const blockBytes = 4096;

interface Written {
  readonly offset: number;
  readonly number: number;
  readonly type: number;
}

/** Images of one metadata block for each table, with 4 KiB data blocks and no fragments. Directories follow their children. */
export function buildSquashfs(children: readonly SquashNode[], options: SquashOptions = {}): Buffer {
  const data: Buffer[] = [options.gap ?? Buffer.alloc(0)];
  let dataEnd = 96 + (data[0]?.byteLength ?? 0);
  const inodes: Buffer[] = [];
  const listings: Buffer[] = [];
  const labels = new Map<string, Written>();
  let count = 0;
  const size = (parts: readonly Buffer[]): number => parts.reduce((total, { byteLength }) => total + byteLength, 0);
  const add = (type: number, node: Omit<SquashNode, "name">, body: Buffer): Written => {
    count += 1;
    const header = Buffer.alloc(16);
    header.writeUInt16LE(type, 0);
    header.writeUInt16LE(node.mode ?? 0o644, 2);
    header.writeUInt16LE(node.owner ?? 0, 4);
    header.writeUInt32LE(count, 12);
    const written = { offset: size(inodes), number: count, type };
    inodes.push(header, body);
    if (node.label !== undefined) labels.set(node.label, written);
    return written;
  };

  const file = (node: SquashNode): Written => {
    const content = Buffer.from(node.data ?? "");
    const start = dataEnd;
    const words: number[] = [];
    for (let at = 0; at < content.byteLength; at += blockBytes) {
      const plain = content.subarray(at, at + blockBytes);
      if (plain.every((byte) => byte === 0)) {
        words.push(0);
        continue;
      }
      const packed = deflateSync(plain);
      const stored = packed.byteLength < plain.byteLength ? packed : plain;
      words.push(stored === plain ? plain.byteLength | 0x0100_0000 : packed.byteLength);
      data.push(stored);
      dataEnd += stored.byteLength;
    }
    const body = Buffer.alloc(40 + words.length * 4);
    body.writeBigUInt64LE(BigInt(start), 0);
    body.writeBigUInt64LE(BigInt(node.declared ?? content.byteLength), 8);
    body.writeUInt32LE(node.links ?? 1, 24);
    body.writeUInt32LE(0xffff_ffff, 28);
    body.writeUInt32LE(0xffff_ffff, 36);
    for (const [index, word] of words.entries()) body.writeUInt32LE(word, 40 + index * 4);
    return add(9, node, body);
  };

  const directory = (node: Omit<SquashNode, "name">): Written => {
    const names = (node.children ?? []).map((child) => ({ child, written: write(child) }));
    const offset = size(listings);
    for (const { child, written } of names) {
      const looped = options.loop !== undefined && options.loop === child.label;
      const header = Buffer.alloc(12);
      header.writeUInt32LE(written.number, 8);
      const entry = Buffer.alloc(8);
      // Where the root's inode will stand is patched in behind.
      entry.writeUInt16LE(looped ? 0xffff : written.offset, 0);
      entry.writeUInt16LE(child.listedType ?? (written.type > 7 ? written.type - 7 : written.type), 4);
      const name = Buffer.from(child.name);
      entry.writeUInt16LE(name.byteLength - 1, 6);
      listings.push(header, entry, name);
    }
    const body = Buffer.alloc(16);
    body.writeUInt32LE(2, 4);
    body.writeUInt16LE(size(listings) - offset + 3, 8);
    body.writeUInt16LE(offset, 10);
    return add(1, node, body);
  };

  const write = (node: SquashNode): Written => {
    if (node.sameAs !== undefined) return labels.get(node.sameAs) ?? { offset: 0, number: 0, type: 2 };
    if (node.children !== undefined) return directory(node);
    if (node.link !== undefined) {
      const target = Buffer.from(node.link);
      const body = Buffer.alloc(8);
      body.writeUInt32LE(1, 0);
      body.writeUInt32LE(target.byteLength, 4);
      return add(3, node, Buffer.concat([body, target]));
    }
    return node.pipe === true ? add(6, node, Buffer.from([1, 0, 0, 0])) : file(node);
  };

  const root = directory({ children });
  for (const listing of listings) if (listing.byteLength === 8 && listing.readUInt16LE(0) === 0xffff) listing.writeUInt16LE(root.offset, 0);
  const stored = (plain: Buffer): Buffer => {
    const bytes = options.metadata?.(plain) ?? plain;
    const header = Buffer.alloc(2);
    header.writeUInt16LE(bytes === plain ? plain.byteLength | 0x8000 : bytes.byteLength, 0);
    return Buffer.concat([header, bytes]);
  };
  const inodeTable = stored(Buffer.concat(inodes));
  const directoryTable = stored(Buffer.concat(listings));
  const idBlock = stored(Buffer.alloc(4));
  const inodeStart = dataEnd;
  const directoryStart = inodeStart + inodeTable.byteLength;
  const idBlockStart = directoryStart + directoryTable.byteLength;
  const idStart = idBlockStart + idBlock.byteLength;
  const pointer = Buffer.alloc(8);
  pointer.writeBigUInt64LE(BigInt(idBlockStart));
  const head = Buffer.alloc(96);
  head.write("hsqs", 0, "latin1");
  head.writeUInt32LE(options.inodeCount ?? count, 4);
  head.writeUInt32LE(blockBytes, 12);
  head.writeUInt16LE(options.compression ?? 1, 20);
  head.writeUInt16LE(options.blockLog ?? 12, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(options.version ?? 4, 28);
  head.writeBigUInt64LE(BigInt(root.offset), 32);
  head.writeBigUInt64LE(BigInt(options.bytesUsed ?? idStart + 8), 40);
  head.writeBigUInt64LE(BigInt(idStart), 48);
  head.fill(0xff, 56, 64);
  head.writeBigUInt64LE(BigInt(inodeStart), 64);
  head.writeBigUInt64LE(BigInt(directoryStart), 72);
  head.writeBigUInt64LE(options.fragmentTable ?? 0xffff_ffff_ffff_ffffn, 80);
  head.writeBigUInt64LE(options.exportTable ?? 0xffff_ffff_ffff_ffffn, 88);
  return Buffer.concat([head, ...data, inodeTable, directoryTable, idBlock, pointer, options.trailing ?? Buffer.alloc(0)]);
}
