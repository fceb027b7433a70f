import type { ByteSource } from "@rea/core";
import type { Unavailable } from "../../format.js";
import type { CabHeader, FolderRecord } from "./cab-header.js";
import { blockAt } from "./blocks.js";
import { folderDecoder, type BlockDecoder } from "./methods.js";

/** A folder with its blocks counted. */
export interface FolderPlan {
  readonly record: FolderRecord;
  /** Plain bytes of its blocks in this cabinet. */
  readonly plainBytes: number;
  /** Where its blocks start and end in the file. */
  readonly start: number;
  readonly end: number;
  readonly dataReserve: number;
  /** The last block goes on in the next cabinet. */
  readonly goesOn: boolean;
  /** Blocks that lie in the file, of those declared. */
  readonly blocks: number;
  readonly decoder: (() => BlockDecoder) | undefined;
  readonly problem: Unavailable | undefined;
}

/** Blocks that may still be counted; folders that share their blocks must not make the work grow without bound. */
export interface BlockAllowance {
  left: number;
}

/** Walks over the headers of a folder's blocks. */
export function planFolder(source: ByteSource, header: CabHeader, what: { readonly record: FolderRecord; readonly allowance: BlockAllowance }): FolderPlan {
  const { record, allowance } = what;
  const decoder = folderDecoder(record.method);
  const start = header.offset + record.dataOffset;
  const walked = walkBlocks(source, { start, reserve: header.dataReserve, count: record.blockCount, allowance });
  return {
    record,
    start,
    dataReserve: header.dataReserve,
    ...walked,
    decoder: typeof decoder === "function" ? decoder : undefined,
    problem: typeof decoder === "function" ? undefined : decoder,
  };
}

interface Walk {
  readonly start: number;
  readonly reserve: number;
  readonly count: number;
  readonly allowance: BlockAllowance;
}

function walkBlocks(source: ByteSource, { start, reserve, count, allowance }: Walk): Pick<FolderPlan, "plainBytes" | "end" | "goesOn" | "blocks"> {
  let at = start;
  let plainBytes = 0;
  let blocks = 0;
  let goesOn = false;
  for (; blocks < count && allowance.left > 0; blocks += 1) {
    const block = blockAt(source, at, reserve);
    if (block === undefined || block.dataOffset + block.packedBytes > source.size) break;
    allowance.left -= 1;
    at = block.dataOffset + block.packedBytes;
    plainBytes += block.plainBytes;
    goesOn = block.plainBytes === 0;
  }
  return { plainBytes, end: at, goesOn, blocks };
}
