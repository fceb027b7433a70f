import { brokenData } from "../../codecs/broken-data.js";

const dataOffset = 56;
/** What stands at the end of a root node. */
const infoBytes = 40;
const isRoot = 1;
const isLeaf = 2;
const hasFixedSizes = 4;
const noValue = 0xffff;

/** Sizes of keys and values in trees where all are equal. */
export interface FixedSizes {
  readonly key: number;
  readonly leafValue: number;
}

/** Values of nodes above the leaves: the child's number. */
const childBytes = 8;

/** A node of a B-tree (Apple File System Reference, "B-Trees"). Reading outside the node throws. */
export class TreeNode {
  readonly level: number;
  readonly count: number;
  readonly isLeaf: boolean;
  readonly #block: Buffer;
  readonly #sizes: FixedSizes | undefined;
  readonly #rowsAt: number;
  readonly #keysAt: number;
  readonly #valuesEnd: number;

  constructor(block: Buffer, sizes: FixedSizes) {
    const flags = block.readUInt16LE(32);
    this.#block = block;
    this.#sizes = (flags & hasFixedSizes) === 0 ? undefined : sizes;
    this.isLeaf = (flags & isLeaf) !== 0;
    this.level = block.readUInt16LE(34);
    this.count = block.readUInt32LE(36);
    this.#rowsAt = dataOffset + block.readUInt16LE(40);
    this.#keysAt = this.#rowsAt + block.readUInt16LE(42);
    this.#valuesEnd = block.byteLength - ((flags & isRoot) === 0 ? 0 : infoBytes);
    if (this.#rowsAt + this.count * this.#rowBytes > this.#valuesEnd || (this.isLeaf ? this.level !== 0 : this.level === 0)) throw brokenData("A node of an APFS tree makes no sense.");
  }

  key(index: number): Buffer {
    const row = this.#row(index);
    const length = this.#sizes?.key ?? this.#block.readUInt16LE(row + 2);
    return this.#bytes(this.#keysAt + this.#block.readUInt16LE(row), length);
  }

  /** Empty for records without a value. */
  value(index: number): Buffer {
    const row = this.#row(index);
    const back = this.#block.readUInt16LE(row + (this.#sizes === undefined ? 4 : 2));
    if (back === noValue) return this.#block.subarray(0, 0);
    const length = this.#sizes === undefined ? this.#block.readUInt16LE(row + 6) : this.isLeaf ? this.#sizes.leafValue : childBytes;
    return this.#bytes(this.#valuesEnd - back, length);
  }

  get #rowBytes(): number {
    return this.#sizes === undefined ? 8 : 4;
  }

  #row(index: number): number {
    if (index < 0 || index >= this.count) throw brokenData("A record of an APFS tree lies outside its node.");
    return this.#rowsAt + index * this.#rowBytes;
  }

  #bytes(start: number, length: number): Buffer {
    if (start < dataOffset || start + length > this.#block.byteLength) throw brokenData("A record of an APFS tree lies outside its node.");
    return this.#block.subarray(start, start + length);
  }
}

/** Index of the last record whose key is not greater; -1 when all are. `order` is negative for smaller keys. */
export function lastNotAfter(node: TreeNode, order: (key: Buffer) => number): number {
  let low = -1;
  let high = node.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (order(node.key(middle)) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
