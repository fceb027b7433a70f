import { throwIfAborted, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { bufferOf } from "../../reading/piece-window.js";

/** A record of a leaf: its key without the length in front, and what follows. */
export interface TreeRecord {
  readonly key: Buffer;
  readonly data: Buffer;
  /** Of `data` in the tree's file. */
  readonly dataOffset: number;
}

const descriptorBytes = 14;
const leafKind = -1;
const headerKind = 1;

/** A B-tree of an HFS+ volume (TN1150, "B-Trees"), read along its chain of leaves. */
export class BTree {
  readonly #file: ByteSource;
  readonly #nodeBytes: number;
  readonly #firstLeaf: number;
  /** Records that the header declares. */
  readonly declaredRecords: number;

  /** Throws when the header makes no sense. */
  constructor(file: ByteSource) {
    if (file.size < 512) throw brokenData("A B-tree is shorter than its header.");
    const header = bufferOf(file.read(0, 512));
    const nodeBytes = header.readUInt16BE(descriptorBytes + 18);
    if (header.readInt8(8) !== headerKind || nodeBytes < 512 || (nodeBytes & (nodeBytes - 1)) !== 0) throw brokenData("A B-tree does not start with its header.");
    this.#file = file;
    this.#nodeBytes = nodeBytes;
    this.declaredRecords = header.readUInt32BE(descriptorBytes + 6);
    this.#firstLeaf = header.readUInt32BE(descriptorBytes + 10);
  }

  /** All records in the order of their keys. Throws where the chain of leaves breaks or comes back to itself. */
  *records(signal: AbortSignal): Generator<TreeRecord, void, undefined> {
    const seen = new Set<number>();
    for (let number = this.#firstLeaf; number !== 0; ) {
      throwIfAborted(signal, "read_hfsplus");
      if (seen.has(number)) throw brokenData("The leaves of a B-tree come back to one that was read.", number * this.#nodeBytes);
      seen.add(number);
      const node = this.#node(number);
      yield* this.#recordsOf(node, number);
      number = node.readUInt32BE(0);
    }
  }

  #node(number: number): Buffer {
    const offset = number * this.#nodeBytes;
    if (offset + this.#nodeBytes > this.#file.size) throw brokenData("A B-tree leads to a node outside its file.", offset);
    const node = bufferOf(this.#file.read(offset, this.#nodeBytes));
    if (node.readInt8(8) !== leafKind) throw brokenData("The leaves of a B-tree lead to a node that is none.", offset);
    return node;
  }

  *#recordsOf(node: Buffer, number: number): Generator<TreeRecord, void, undefined> {
    const count = node.readUInt16BE(10);
    const tableAt = this.#nodeBytes - 2 * (count + 1);
    if (tableAt < descriptorBytes) throw brokenData("A node of a B-tree has more records than room.", number * this.#nodeBytes);
    const startOf = (index: number): number => node.readUInt16BE(this.#nodeBytes - 2 * (index + 1));
    for (let index = 0; index < count; index += 1) {
      const start = startOf(index);
      const end = startOf(index + 1);
      if (start < descriptorBytes || end > tableAt || end < start + 2) throw brokenData("A record of a B-tree lies outside its node.", number * this.#nodeBytes);
      const keyEnd = start + 2 + node.readUInt16BE(start);
      // Keys are filled up to an even length.
      const dataStart = keyEnd + (keyEnd & 1);
      if (dataStart > end) throw brokenData("A key of a B-tree is longer than its record.", number * this.#nodeBytes);
      yield { key: node.subarray(start + 2, keyEnd), data: node.subarray(dataStart, end), dataOffset: number * this.#nodeBytes + dataStart };
    }
  }
}
