import type { ByteSource } from "@rea/core";
import type { SeenMember } from "./tar-stream-pass.js";

/**
 * A member of a tar archive that is ordinary by its raw headers, so that tar-stream must read it as this engine does: where
 * it lies with its headers and padding, and what the library has to see. Offsets in bytes.
 */
export interface TarStretch {
  /** Undefined where the archive passes only once. */
  readonly source: ByteSource | undefined;
  /** Where its first header stands, and where its content does. */
  readonly start: number;
  readonly dataStart: number;
  readonly bytes: number;
  /** Behind its padding. */
  readonly end: number;
  readonly expected: ExpectedMember;
  /** The content by this engine's own reader alone; absent for members without one. */
  readonly alone?: () => AsyncIterable<Uint8Array>;
  /** To be told how the library disagrees, in words of ours. */
  disagrees(how: string): void;
}

export interface ExpectedMember {
  readonly name: string;
  readonly linkTarget: string | undefined;
  /** As entries name it. */
  readonly kind: string;
  readonly bytes: number;
}

const kinds: ReadonlyMap<string, string> = new Map([
  ["file", "file"],
  ["contiguous-file", "file"],
  ["directory", "directory"],
  ["symlink", "symlink"],
  ["link", "hardlink"],
  ["character-device", "special"],
  ["block-device", "special"],
  ["fifo", "special"],
]);

/** How the library's reading of a member differs from ours; undefined where it does not. `sameBytes`: it gave the very bytes that we call the content. */
export function disagreement(expected: ExpectedMember, seen: SeenMember, sameBytes: boolean): string | undefined {
  if (seen.entries === 0) return "does not see the member";
  if (seen.entries > 1) return "sees more than one member";
  if (seen.name !== expected.name) return "sees another name";
  if (seen.type === null || kinds.get(seen.type) !== expected.kind) return "sees a member of another kind";
  if (expected.linkTarget !== undefined && (seen.linkTarget ?? "") !== expected.linkTarget) return "sees another link target";
  if (seen.sizeBytes !== expected.bytes) return "sees another size";
  if (!seen.isEnded) return "gives up inside the member";
  return sameBytes ? undefined : "gives other bytes as the content";
}
