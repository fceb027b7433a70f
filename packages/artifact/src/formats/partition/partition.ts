import type { ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";

/** One partition of a map, in bytes from the disk's start. */
export interface Partition {
  /** Its number in the map. */
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly length: number;
  /** Where the map names it. */
  readonly entryOffset: number;
}

/** A contradiction in a map, in sentences of ours. */
export interface MapProblem {
  readonly kind: "bad_checksum_header" | "central_local_mismatch" | "entry_count_mismatch";
  readonly offset: number;
  readonly detail: string;
  readonly effect: string;
}

export interface PartitionMap {
  readonly title: string;
  readonly partitions: readonly Partition[];
  readonly problems: readonly MapProblem[];
  /** Structures of the map. */
  readonly parts: readonly { readonly part: string; readonly offset: number; readonly length: number }[];
}

/** Bytes of a disk, or undefined where it is shorter. */
export function bytesAt(source: ByteSource, offset: number, length: number): Buffer | undefined {
  const isInside = Number.isSafeInteger(offset) && offset >= 0 && offset + length <= source.size;
  return isInside ? bufferOf(source.read(offset, length)) : undefined;
}
