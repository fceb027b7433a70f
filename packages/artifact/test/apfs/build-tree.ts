/** A record of a tree; values of trees above the leaves are children. */
export interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

const dataOffset = 56;
const infoBytes = 40;

export interface NodeShape {
  readonly rows: readonly Row[];
  readonly isRoot: boolean;
  readonly level: number;
  /** Keys and values all have one size, so that their lengths are left out. */
  readonly isFixed: boolean;
}

/** The body of a B-tree node, without its object header. */
export function treeNode({ rows, isRoot, level, isFixed }: NodeShape, blockBytes: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  const rowBytes = isFixed ? 4 : 8;
  const tableBytes = Math.max(rows.length, 1) * rowBytes;
  block.writeUInt16LE((isRoot ? 1 : 0) | (level === 0 ? 2 : 0) | (isFixed ? 4 : 0), 32);
  block.writeUInt16LE(level, 34);
  block.writeUInt32LE(rows.length, 36);
  block.writeUInt16LE(0, 40);
  block.writeUInt16LE(tableBytes, 42);
  const keysAt = dataOffset + tableBytes;
  const valuesEnd = blockBytes - (isRoot ? infoBytes : 0);
  let [key, back] = [0, 0];
  rows.forEach((row, index) => {
    const at = dataOffset + index * rowBytes;
    back += row.value.byteLength;
    const fields = isFixed ? [key, back] : [key, row.key.byteLength, back, row.value.byteLength];
    fields.forEach((field, position) => block.writeUInt16LE(field, at + position * 2));
    row.key.copy(block, keysAt + key);
    row.value.copy(block, valuesEnd - back);
    key += row.key.byteLength;
  });
  if (keysAt + key > valuesEnd - back) throw new Error("the records do not fit into a node");
  const free = valuesEnd - back - keysAt - key;
  [key, free, 0xffff, 0, 0xffff, 0].forEach((value, index) => block.writeUInt16LE(value, 44 + index * 2));
  return block;
}

/** What stands at the end of a root. */
export function writeTreeInfo(block: Buffer, { keys, nodes, isFixed, flags }: { readonly keys: number; readonly nodes: number; readonly isFixed: boolean; readonly flags: number }): void {
  const at = block.byteLength - infoBytes;
  [flags, block.byteLength, isFixed ? 16 : 0, isFixed ? 16 : 0, isFixed ? 16 : 64, isFixed ? 16 : 256].forEach((value, index) => block.writeUInt32LE(value, at + index * 4));
  block.writeBigUInt64LE(BigInt(keys), at + 24);
  block.writeBigUInt64LE(BigInt(nodes), at + 32);
}

/** Rows in as many leaves as they need. */
export function leavesOf(rows: readonly Row[], blockBytes: number): Row[][] {
  const leaves: Row[][] = [[]];
  let used = 0;
  for (const row of rows) {
    const bytes = row.key.byteLength + row.value.byteLength + 8;
    if (used + bytes > blockBytes - dataOffset - infoBytes) {
      leaves.push([]);
      used = 0;
    }
    leaves.at(-1)?.push(row);
    used += bytes;
  }
  return leaves;
}
