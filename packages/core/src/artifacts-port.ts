import type { Omission } from "./omission.js";
import type { Evidence } from "./evidence.js";
import type { Execution, OperationContext } from "./execution.js";
import type { artifactComparisonSchema } from "./operations/artifact.js";
import type { z } from "./z.js";

/** Formats of other tools in which an inventory can be written. */
export const artifactDocumentFormats = ["sarif", "cyclonedx", "sha256sum", "in-toto"] as const;
export type ArtifactDocumentFormat = (typeof artifactDocumentFormats)[number];

/** Bytes that differ, at offsets of the member on either side. */
export interface ChangedBytes {
  readonly leftOffset: number;
  readonly leftBytes: number;
  readonly rightOffset: number;
  readonly rightBytes: number;
}

/** How one member differs between two artifacts. */
export type MemberDifference = { readonly logicalPath: string } & (
  | { readonly kind: "text"; /** As `diff -u` writes them, without header lines. */ readonly hunks: string }
  | { readonly kind: "bytes"; readonly ranges: readonly ChangedBytes[]; readonly total: number }
  | { readonly kind: "unknown"; /** One sentence. */ readonly why: string }
);

/** An archive that was written of members. */
export interface PackedMembers {
  readonly bytes: number;
  readonly sha256: string;
  readonly files: number;
  readonly skipped: readonly { readonly logical_path: string; readonly reason: string }[];
  readonly omissions: readonly Omission[];
}

/** Work on artifacts and on inventories that were taken before. */
export interface ArtifactsPort {
  /**
   * The inventory that an `inspect_artifact` record commits to as a document, in pieces of text. Throws
   * `evidence_integrity_mismatch` (reason `missing`) when the whole of it is not retained.
   */
  document(input: { readonly inspection: Evidence; readonly format: ArtifactDocumentFormat }): Promise<Iterable<string>>;
  /**
   * How members of two artifacts at local paths differ, for at most 500 logical paths that both have: lines of text, ranges
   * of other bytes. Both are read again; nothing stays on disk.
   */
  differences(
    input: { readonly left: string; readonly right: string; readonly paths: readonly string[] },
    context: OperationContext,
  ): Promise<readonly MemberDifference[]>;
  /** Members as one tar archive in a file. Throws what extracting them throws, and `invalid_request` for a file that is there. */
  pack(
    input: { readonly path: string; readonly select?: readonly string[]; readonly integrityPolicy: "fail" | "record-and-continue"; readonly output: string; readonly overwrite: boolean },
    context: OperationContext,
  ): Promise<PackedMembers>;
  /** Compares the graphs that two `inspect_artifact` records commit to; the retained wholes where they are not inline. */
  compare(
    input: { readonly left: Evidence; readonly right: Evidence; readonly offset: number; readonly limit: number },
    context: OperationContext,
  ): Promise<Execution<Omit<z.output<typeof artifactComparisonSchema>, "cited_records">>>;
}
