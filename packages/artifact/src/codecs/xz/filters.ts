import { brokenData } from "../broken-data.js";
import { lzma2DictionaryBytes } from "../lzma/lzma2.js";
import {
  arm64Branches,
  armBranches,
  branchFilter,
  ia64Branches,
  powerpcBranches,
  sparcBranches,
  thumbBranches,
  type BranchDecoder,
} from "./branch-filter.js";
import { deltaFilter, type PieceFilter } from "./piece-filter.js";
import { x86Branches } from "./x86-branches.js";

/** A filter as a block header lists it. */
export interface FilterRecord {
  readonly id: number;
  readonly properties: Uint8Array;
}

const branchDecoders: ReadonlyMap<number, () => BranchDecoder> = new Map([
  [4, x86Branches],
  [5, () => powerpcBranches],
  [6, () => ia64Branches],
  [7, () => armBranches],
  [8, () => thumbBranches],
  [9, () => sparcBranches],
  [10, () => arm64Branches],
]);

const deltaId = 3;
const lzma2Id = 0x21;

/** What a block's filter chain asks for (the .xz file format, §5.3): LZMA2 last, at most three filters before it. */
export interface FilterChain {
  readonly dictionaryBytes: number;
  /** In the order in which decoding applies them. */
  readonly filters: readonly PieceFilter[];
}

/** Builds a chain; throws `artifact_operation_failed` for one that cannot be decoded. */
export function filterChain(records: readonly FilterRecord[]): FilterChain {
  const last = records.at(-1);
  const dictionaryBytes = last?.id === lzma2Id && last.properties.byteLength === 1 ? lzma2DictionaryBytes(last.properties[0] ?? 255) : undefined;
  if (dictionaryBytes === undefined) throw brokenData("The filter chain of an xz block does not end in LZMA2.");
  return { dictionaryBytes, filters: records.slice(0, -1).reverse().map(pieceFilter) };
}

function pieceFilter({ id, properties }: FilterRecord): PieceFilter {
  if (id === deltaId && properties.byteLength === 1) return deltaFilter((properties[0] ?? 0) + 1);
  const decoder = branchDecoders.get(id);
  if (decoder === undefined) throw brokenData(`Filter ${String(id)} of an xz block is not supported.`);
  return branchFilter(decoder(), properties.byteLength === 4 ? Buffer.from(properties).readUInt32LE(0) : 0);
}
