import { descriptorBehind, descriptorLike, type DataDescriptor } from "./data-descriptor.js";
import { recordPlaces } from "./record-search.js";
import { hasDescriptor, type LocalHeader } from "./records.js";
import { signatures } from "./signatures.js";
import type { ZipWalk } from "./zip-walk.js";

/** How far a member reaches that only its local header describes. */
export interface LocalExtent {
  /** The header, with CRC-32 and sizes of the descriptor where it leaves them out. */
  readonly fields: LocalHeader;
  readonly end: number;
  /** No size is known: the data ends by itself before `end`. */
  readonly open: boolean;
}

/** Reads sizes from header or descriptor; without either the data may go on to `limit`. */
export async function localExtent(walk: ZipWalk, local: LocalHeader, limit: number): Promise<LocalExtent> {
  const { dataOffset } = local;
  if (!hasDescriptor(local) || (local.compressedBytes > 0 && !local.lacksZip64)) {
    const dataEnd = dataOffset + local.compressedBytes;
    const descriptor = hasDescriptor(local) ? descriptorLike(walk.front, dataEnd, local) : undefined;
    return { fields: local, end: dataEnd + (descriptor?.length ?? 0), open: false };
  }
  const descriptor = await findDescriptor(walk, dataOffset, limit);
  if (descriptor === undefined) {
    return { fields: { ...local, compressedBytes: Math.max(0, limit - dataOffset) }, end: limit, open: true };
  }
  const { crc32, compressedBytes, bytes } = descriptor;
  return { fields: { ...local, crc32, compressedBytes, bytes }, end: descriptor.at + descriptor.length, open: false };
}

/**
 * The first descriptor whose compressed size is its distance from the data's start: at its signature, or without one
 * directly before the next record.
 */
async function findDescriptor(walk: ZipWalk, dataOffset: number, limit: number): Promise<DataDescriptor | undefined> {
  for await (const { at, signature } of allowedPlaces(walk, dataOffset, limit)) {
    const found =
      signature === signatures.descriptor ? descriptorBehind(walk.front, dataOffset, { at, limit }) : unsignedBefore(walk, dataOffset, at);
    if (found !== undefined) return found;
  }
  return unsignedBefore(walk, dataOffset, limit);
}

/** What looking at one place costs, in bytes that could be searched in the same time. */
const placeWork = 1024;

/** Record places as long as searching is paid for; a search that finds nothing costs the whole range once. */
async function* allowedPlaces(walk: ZipWalk, start: number, end: number): ReturnType<typeof recordPlaces> {
  if (walk.allowance.isUsedUp) return;
  let reached = end;
  try {
    for await (const place of recordPlaces(walk, start, end)) {
      reached = place.at;
      walk.allowance.charge(placeWork);
      if (walk.allowance.isUsedUp) return;
      yield place;
      reached = end;
    }
  } finally {
    walk.allowance.charge(reached - start);
  }
}

function unsignedBefore(walk: ZipWalk, dataOffset: number, at: number): DataDescriptor | undefined {
  for (const length of [12, 20]) {
    const start = at - length;
    if (start < dataOffset) continue;
    const found = descriptorBehind(walk.front, dataOffset, { at: start, limit: at });
    if (found?.length === length) return found;
  }
  return undefined;
}
