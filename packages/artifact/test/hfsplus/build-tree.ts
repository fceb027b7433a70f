export interface TreeItem {
  readonly key: Buffer;
  readonly data: Buffer;
}

const descriptorBytes = 14;

/** A B-tree of an HFS+ volume: header node, leaves in a chain, and an index node above them where there are several. */
export function buildTree(items: readonly TreeItem[], nodeBytes: number): Buffer {
  const leaves = leavesOf(items.map(({ key, data }) => Buffer.concat([prefixed(key), data])), nodeBytes);
  const hasIndex = leaves.length > 1;
  const nodes = leaves.map((records, index) => node({ kind: -1, height: 1, records, next: index + 1 < leaves.length ? index + 2 : 0, previous: index }, nodeBytes));
  if (hasIndex) {
    const pointers = leaves.map(([first = Buffer.alloc(2)], index) => Buffer.concat([first.subarray(0, 2 + first.readUInt16BE(0)), u32(index + 1)]));
    nodes.push(node({ kind: 0, height: 2, records: pointers, next: 0, previous: 0 }, nodeBytes));
  }
  const header = Buffer.alloc(nodeBytes);
  header.writeInt8(1, 8);
  header.writeUInt16BE(3, 10);
  header.writeUInt16BE(hasIndex ? 2 : leaves.length, descriptorBytes);
  [hasIndex ? leaves.length + 1 : leaves.length, items.length, leaves.length > 0 ? 1 : 0, leaves.length].forEach((value, index) => header.writeUInt32BE(value, descriptorBytes + 2 + index * 4));
  header.writeUInt16BE(nodeBytes, descriptorBytes + 18);
  header.writeUInt16BE(516, descriptorBytes + 20);
  header.writeUInt32BE(nodes.length + 1, descriptorBytes + 22);
  header.writeUInt32BE(0, descriptorBytes + 26);
  header.writeUInt8(0xcf, descriptorBytes + 37);
  header.writeUInt32BE(6, descriptorBytes + 38);
  [descriptorBytes, 120, 248, nodeBytes - 8].forEach((offset, index) => header.writeUInt16BE(offset, nodeBytes - 2 * (index + 1)));
  return Buffer.concat([header, ...nodes]);
}

function leavesOf(records: readonly Buffer[], nodeBytes: number): Buffer[][] {
  const leaves: Buffer[][] = [];
  let used = nodeBytes;
  for (const record of records) {
    if (used + record.byteLength + 2 > nodeBytes - 2) {
      leaves.push([]);
      used = descriptorBytes;
    }
    leaves.at(-1)?.push(record);
    used += record.byteLength + 2;
  }
  return leaves;
}

interface NodeShape {
  readonly kind: number;
  readonly height: number;
  readonly records: readonly Buffer[];
  readonly next: number;
  readonly previous: number;
}

function node({ kind, height, records, next, previous }: NodeShape, nodeBytes: number): Buffer {
  const bytes = Buffer.alloc(nodeBytes);
  bytes.writeUInt32BE(next, 0);
  bytes.writeUInt32BE(previous, 4);
  bytes.writeInt8(kind, 8);
  bytes.writeUInt8(height, 9);
  bytes.writeUInt16BE(records.length, 10);
  let at = descriptorBytes;
  records.forEach((record, index) => {
    bytes.writeUInt16BE(at, nodeBytes - 2 * (index + 1));
    record.copy(bytes, at);
    at += record.byteLength;
  });
  bytes.writeUInt16BE(at, nodeBytes - 2 * (records.length + 1));
  return bytes;
}

/** A key with its length in front, filled up to an even one. */
function prefixed(key: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(key.byteLength);
  return Buffer.concat([length, key, Buffer.alloc(key.byteLength % 2)]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
