import type { SubjectFormat } from "@rea/core";
import type { EntryKind, Relation } from "../format.js";
import type { ArtifactKind, HashStatus, Trust } from "../graph/graph.js";

/** A place while the walk is going on; ids come when everything is known. */
export interface Place {
  readonly parent: Place | undefined;
  readonly logicalPath: string;
  readonly duplicateIndex: number;
  /** Last segment of the path, which its directory's digest names. */
  readonly segment: string;
  readonly rawName: string | null;
  readonly entryKind: EntryKind;
  readonly relation: Relation;
  readonly declaredBytes: number | null;
  readonly compressedBytes: number | null;
  readonly encrypted: boolean;
  readonly linkTarget: string | null;
  readonly location: { readonly offset: number; readonly length: number } | null;
  /** False when the name must not become a path on disk. */
  readonly safe: boolean;
  /** Materialised on disk, inside a container, or made of its children. */
  readonly contentState: "materialized" | "embedded" | "virtual";
  readonly limitations: string[];
  /** Children of a directory or container, in file order. */
  readonly children: Place[];
  sha256: string | undefined;
  /** Digits of the id of the content, where they are known already; they go with `sha256`. */
  artifactDigits: string | undefined;
  /** Among all places of the graph, once there is one. */
  position: number;
  bytes: number;
  hashStatus: HashStatus;
  declaredChecks: number;
  trust: Trust;
  format: SubjectFormat;
  kind: ArtifactKind;
  mediaType: string | null;
  architecture: string | null;
  executable: boolean;
  unexplored: UnexploredReason | undefined;
}

export type UnexploredReason = "limit" | "unsupported_format" | "encrypted" | "integrity_mismatch" | "format_specific_analysis_required";

type Given = Pick<Place, "parent" | "logicalPath" | "duplicateIndex" | "segment" | "rawName" | "entryKind" | "contentState"> & Partial<Place>;

/** A place of which nothing is known beyond what is given. Written out: there are many of these. */
export function newPlace(given: Given): Place {
  return {
    parent: given.parent,
    logicalPath: given.logicalPath,
    duplicateIndex: given.duplicateIndex,
    segment: given.segment,
    rawName: given.rawName,
    entryKind: given.entryKind,
    relation: given.relation ?? "contains",
    declaredBytes: given.declaredBytes ?? null,
    compressedBytes: given.compressedBytes ?? null,
    encrypted: given.encrypted ?? false,
    linkTarget: given.linkTarget ?? null,
    location: given.location ?? null,
    safe: given.safe ?? true,
    contentState: given.contentState,
    limitations: given.limitations ?? [],
    children: given.children ?? [],
    sha256: given.sha256,
    artifactDigits: given.artifactDigits,
    position: -1,
    bytes: given.bytes ?? 0,
    hashStatus: given.hashStatus ?? "unavailable",
    declaredChecks: given.declaredChecks ?? 0,
    trust: given.trust ?? "verified",
    format: given.format ?? (given.entryKind === "directory" ? "directory" : "unknown"),
    kind: given.kind ?? "unknown",
    mediaType: given.mediaType ?? null,
    architecture: given.architecture ?? null,
    executable: given.executable ?? false,
    unexplored: given.unexplored,
  };
}
