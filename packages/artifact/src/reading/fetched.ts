import type { DeclaredCheck, DigestAlgorithm } from "../declared-check.js";

/** A content that was read and measured ahead, in this thread or in another. */
export interface Fetched {
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number | undefined;
  /** The whole content, where it is small. */
  readonly content: Uint8Array | undefined;
  /** Its first bytes. */
  readonly head: Uint8Array;
  /** Its last bytes, where both ends were kept of a content that can be read again in between. */
  readonly tail?: Uint8Array;
  readonly digests: ReadonlyMap<DigestAlgorithm, string>;
  /** What was seen of lists of blocks: undefined for one that holds. */
  readonly blocks: ReadonlyMap<DeclaredCheck, string | undefined>;
}

export const noDigests: ReadonlyMap<never, never> = new Map<never, never>();

/** Whether everything that is declared can be compared with what was measured. */
export function covers({ crc32, digests, blocks }: Fetched, checks: readonly DeclaredCheck[]): boolean {
  return checks.every((check) => {
    switch (check.kind) {
      case "size":
        return true;
      case "crc32":
        return crc32 !== undefined;
      case "digest":
        return check.algorithm === "sha256" || digests.has(check.algorithm);
      case "blocks":
        return blocks.has(check);
      case "part":
      case "measured":
        return false;
    }
  });
}
