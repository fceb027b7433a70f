import { brokenData } from "../../codecs/broken-data.js";
import type { Blocks } from "./blocks.js";
import { long, whole } from "./object.js";
import { lastNotAfter, TreeNode } from "./tree-node.js";

const sizes = { key: 16, leafValue: 16 };
/** In the flags, which the size follows. */
const deleted = 1n;
const mostLevels = 16;
const mostKnown = 4096;

/** Tells where objects with an id of their own lie: a tree of (id, transaction) to block. */
export class ObjectMap {
  readonly #blocks: Blocks;
  readonly #root: number;
  readonly #transaction: number;
  readonly #known = new Map<number, number>();

  /** `number` is the block of the map itself; throws when it leads nowhere. */
  constructor(blocks: Blocks, number: number, transaction: number) {
    this.#blocks = blocks;
    this.#root = whole(blocks.object(number), 48);
    this.#transaction = transaction;
  }

  /** The block of an object in the latest state; throws when there is none. */
  blockOf(id: number): number {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const block = this.#find(id);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(id, block);
    return block;
  }

  #find(id: number): number {
    let number = this.#root;
    let above = mostLevels;
    for (;;) {
      const node = new TreeNode(this.#blocks.object(number), sizes);
      if (node.level >= above) throw brokenData("The levels of an APFS object map do not lead down.");
      const index = lastNotAfter(node, (key) => this.#order(key, id));
      if (index < 0) throw brokenData("An object is missing in an APFS object map.");
      const value = node.value(index);
      if (node.isLeaf) return this.#leaf(node.key(index), value, id);
      number = whole(value, 0);
      above = node.level;
    }
  }

  #leaf(key: Buffer, value: Buffer, id: number): number {
    if (whole(key, 0) !== id || (long(value, 0) & deleted) !== 0n) throw brokenData("An object is missing in an APFS object map.");
    return whole(value, 8);
  }

  #order(key: Buffer, id: number): number {
    const other = long(key, 0);
    if (other !== BigInt(id)) return other < BigInt(id) ? -1 : 1;
    return long(key, 8) <= BigInt(this.#transaction) ? -1 : 1;
  }
}
