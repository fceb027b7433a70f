import type { ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { runSource, type Run } from "../../reading/run-source.js";
import type { BTree } from "./b-tree.js";
import { extentsAt, extentsOfRecord, type Extent, type ForkData, type HfsVolume } from "./volume-header.js";

export type ForkKind = "data" | "resource";

/** Ids of the files that a volume itself consists of. */
export const extentsFileId = 3;
export const catalogFileId = 4;
export const attributesFileId = 8;

const overflowKeyBytes = 10;
const mostRecords = 1_000_000;

/** A fork that can be read, or why it cannot. */
export type OpenedFork = { readonly source: ByteSource; readonly extents: readonly Extent[] } | { readonly problem: string };

/** Forks of a volume, with the extents that do not fit into their records. */
export class Forks {
  readonly #volume: HfsVolume;
  readonly #overflow = new Map<string, { readonly startBlock: number; readonly extents: readonly Extent[] }[]>();

  #records = 0;

  constructor(volume: HfsVolume) {
    this.#volume = volume;
  }

  /** Takes the extents overflow tree; throws where it breaks. */
  readOverflow(tree: BTree, signal: AbortSignal): void {
    for (const { key, data } of tree.records(signal)) {
      if (key.byteLength < overflowKeyBytes || data.byteLength < extentsOfRecord * 8) continue;
      const id = forkId(key.readUInt32BE(2), key.readUInt8(0) === 0 ? "data" : "resource");
      const known = this.#overflow.get(id) ?? [];
      this.#records += 1;
      if (this.#records > mostRecords) throw brokenData(`The volume has more than ${String(mostRecords)} records of overflowing extents.`);
      known.push({ startBlock: key.readUInt32BE(6), extents: extentsAt(data, 0) });
      this.#overflow.set(id, known);
    }
  }

  open(fileId: number, kind: ForkKind, fork: ForkData): OpenedFork {
    const { source, blockBytes, totalBlocks } = this.#volume;
    const extents = this.#extents(fileId, kind, fork);
    const blocks = extents.reduce((sum, { count }) => sum + count, 0);
    if (!Number.isSafeInteger(fork.logicalBytes) || blocks * blockBytes < fork.logicalBytes) return { problem: "The extents of the file are fewer than its size needs." };
    const isOutside = extents.some(({ start, count }) => start + count > totalBlocks || (start + count) * blockBytes > source.size);
    if (isOutside) return { problem: "The file lies outside the volume." };
    const runs: readonly Run[] = extents.map(({ start, count }) => ({ from: start * blockBytes, length: count * blockBytes }));
    return { source: runSource(source, runs, fork.logicalBytes), extents };
  }

  #extents(fileId: number, kind: ForkKind, { extents, totalBlocks }: ForkData): readonly Extent[] {
    const all = [...extents];
    let blocks = all.reduce((sum, { count }) => sum + count, 0);
    const overflow = this.#overflow.get(forkId(fileId, kind)) ?? [];
    for (const { startBlock, extents: more } of overflow) {
      if (blocks >= totalBlocks || startBlock !== blocks) break;
      all.push(...more);
      blocks += more.reduce((sum, { count }) => sum + count, 0);
    }
    return all;
  }
}

function forkId(fileId: number, kind: ForkKind): string {
  return `${String(fileId)} ${kind}`;
}
