import type { ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";
import { hasValidChecksum, whole } from "./object.js";

/** A state of the container, as one of its superblocks has it. */
export interface ContainerState {
  /** The block that the superblock stands in. */
  readonly block: number;
  readonly blockBytes: number;
  readonly transaction: number;
  readonly objectMap: number;
  /** Ids of the volumes' superblocks. */
  readonly volumes: readonly number[];
  /** False when no superblock has a checksum that holds. */
  readonly isValid: boolean;
}

const magic = "NXSB";
const smallestBlock = 4096;
const largestBlock = 65_536;
const mostVolumes = 100;
/** Checkpoint areas are small; more than this of one is not looked at. */
const mostCheckpointBlocks = 16_384;
/** Set when the area's blocks do not follow one another. */
const scattered = 0x8000_0000;

/**
 * The latest state of a container: of the superblock in block 0 and those of the checkpoint area, the one with the
 * greatest transaction whose checksum holds. Undefined when there is none that makes sense.
 */
export function containerState(source: ByteSource): ContainerState | undefined {
  if (source.size < smallestBlock) return undefined;
  const blockBytes = bufferOf(source.read(0, smallestBlock)).readUInt32LE(36);
  const isPowerOfTwo = (blockBytes & (blockBytes - 1)) === 0;
  if (!isPowerOfTwo || blockBytes < smallestBlock || blockBytes > largestBlock || blockBytes > source.size) return undefined;
  const first = stateAt(source, 0, blockBytes);
  if (first === undefined) return undefined;
  let best = first.state;
  for (const number of checkpointBlocks(first.block)) {
    const found = (number + 1) * blockBytes > source.size ? undefined : stateAt(source, number, blockBytes)?.state;
    if (found?.isValid === true && (!best.isValid || found.transaction > best.transaction)) best = found;
  }
  return best;
}

function stateAt(source: ByteSource, number: number, blockBytes: number): { readonly state: ContainerState; readonly block: Buffer } | undefined {
  const block = bufferOf(source.read(number * blockBytes, blockBytes));
  if (block.toString("latin1", 32, 36) !== magic || block.readUInt32LE(36) !== blockBytes) return undefined;
  const [transaction, objectMap] = [block.readBigUInt64LE(16), block.readBigUInt64LE(160)];
  if (objectMap > BigInt(Number.MAX_SAFE_INTEGER) || transaction > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const state = { block: number, blockBytes, transaction: Number(transaction), objectMap: Number(objectMap), volumes: volumesOf(block), isValid: hasValidChecksum(block) };
  return { state, block };
}

function volumesOf(block: Buffer): readonly number[] {
  const count = Math.min(block.readUInt32LE(180), mostVolumes);
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = block.readBigUInt64LE(184 + index * 8);
    if (id !== 0n && id <= BigInt(Number.MAX_SAFE_INTEGER)) ids.push(whole(block, 184 + index * 8));
  }
  return ids;
}

function* checkpointBlocks(superblock: Buffer): Generator<number, void, undefined> {
  const count = superblock.readUInt32LE(104);
  const base = superblock.readBigUInt64LE(112);
  if ((count & scattered) !== 0 || base > BigInt(Number.MAX_SAFE_INTEGER)) return;
  for (let index = 0; index < Math.min(count, mostCheckpointBlocks); index += 1) yield Number(base) + index;
}
