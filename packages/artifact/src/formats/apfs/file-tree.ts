import { throwIfAborted } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { Blocks } from "./blocks.js";
import { long, whole } from "./object.js";
import type { ObjectMap } from "./object-map.js";
import { TreeNode } from "./tree-node.js";

/** A record of the file system tree. */
export interface FileRecord {
  readonly type: number;
  /** Behind the id and type. */
  readonly key: Buffer;
  readonly value: Buffer;
}

export const recordTypes = { inode: 3, attribute: 4, extent: 8, directoryEntry: 9 } as const;

const noFixedSizes = { key: 0, leafValue: 0 };
const mostKept = 512;
const idMask = (1n << 60n) - 1n;

/** A volume's tree of inodes, directory entries, extents and attributes, ordered by the id of what they belong to. */
export class FileTree {
  readonly #blocks: Blocks;
  readonly #map: ObjectMap;
  readonly #root: number;
  readonly #signal: AbortSignal;
  readonly #kept = new Map<number, TreeNode>();
  #allowance: number;

  /** `allowance` bounds the nodes that are visited; `allow` adds to it. */
  constructor(blocks: Blocks, map: ObjectMap, { root, allowance, signal }: { readonly root: number; readonly allowance: number; readonly signal: AbortSignal }) {
    this.#blocks = blocks;
    this.#map = map;
    this.#root = root;
    this.#allowance = allowance;
    this.#signal = signal;
  }

  allow(nodes: number): void {
    this.#allowance += nodes;
  }

  /** All records of one id, in the order of their types. Throws where the tree breaks. */
  *recordsOf(id: number): Generator<FileRecord, void, undefined> {
    yield* this.#below(this.#root, Number.POSITIVE_INFINITY, { id: BigInt(id), seen: new Set() });
  }

  *#below(number: number, above: number, search: { readonly id: bigint; readonly seen: Set<number> }): Generator<FileRecord, void, undefined> {
    throwIfAborted(this.#signal, "read_apfs");
    if (search.seen.has(number)) throw brokenData("An APFS tree leads to the same node twice.");
    search.seen.add(number);
    this.#allowance -= 1;
    if (this.#allowance < 0) throw brokenData("An APFS tree asks for more reading than its size allows.");
    const node = this.#node(number);
    if (node.level >= above) throw brokenData("The levels of an APFS tree do not lead down.");
    for (let index = firstWith(node, search.id); index < node.count; index += 1) {
      const key = node.key(index);
      const id = long(key, 0) & idMask;
      if (id > search.id) return;
      if (!node.isLeaf) yield* this.#below(whole(node.value(index), 0), node.level, search);
      else if (id === search.id) yield { type: Number(long(key, 0) >> 60n), key: key.subarray(8), value: node.value(index) };
    }
  }

  #node(number: number): TreeNode {
    const kept = this.#kept.get(number);
    if (kept !== undefined) return kept;
    const node = new TreeNode(this.#blocks.object(this.#map.blockOf(number)), noFixedSizes);
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(number, node);
    return node;
  }
}

/** The first record that can lead to an id: in a leaf the first of that id, above it the last child that starts before. */
function firstWith(node: TreeNode, id: bigint): number {
  let low = 0;
  let high = node.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((long(node.key(middle), 0) & idMask) < id) low = middle + 1;
    else high = middle;
  }
  return node.isLeaf ? low : Math.max(0, low - 1);
}
