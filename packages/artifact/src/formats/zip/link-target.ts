import { crc32 } from "node:zlib";
import { inflateWhole } from "../../codecs/deflate.js";
import type { Unavailable } from "../../format.js";
import { deflateMethod, storedMethod } from "./methods.js";
import type { MemberFields } from "./records.js";
import type { ZipWalk } from "./zip-walk.js";

const longestTarget = 65_535;

export interface LinkReading {
  readonly target: Uint8Array | null;
  /** Why there is no target. */
  readonly content: Unavailable | null;
  /** False when the target's CRC-32 is not the declared one. */
  readonly intact: boolean;
}

/** The target of a symbolic link, which is the member's content. */
export function linkTargetOf(walk: ZipWalk, fields: MemberFields, dataOffset: number): LinkReading {
  const target = targetBytes(walk, fields, dataOffset);
  if (target === undefined) {
    return { target: null, content: { reason: "malformed", why: "The link's target cannot be read." }, intact: true };
  }
  return { target, content: null, intact: crc32(target) === fields.crc32 };
}

function targetBytes(walk: ZipWalk, fields: MemberFields, dataOffset: number): Uint8Array | undefined {
  if (fields.compressedBytes > longestTarget || fields.bytes > longestTarget) return undefined;
  if (!walk.allowance.spend(fields.compressedBytes + longestTarget)) return undefined;
  const data = walk.source.read(dataOffset, fields.compressedBytes);
  if (fields.method === storedMethod) return Uint8Array.from(data);
  if (fields.method !== deflateMethod) return undefined;
  return inflateWhole(data, longestTarget, fields.bytes)?.bytes;
}
