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

/** A place of which nothing is known beyond what is given. */
export function newPlace(given: Given): Place {
  return {
    relation: "contains",
    declaredBytes: null,
    compressedBytes: null,
    encrypted: false,
    linkTarget: null,
    location: null,
    safe: true,
    limitations: [],
    children: [],
    sha256: undefined,
    artifactDigits: undefined,
    position: -1,
    bytes: 0,
    hashStatus: "unavailable",
    declaredChecks: 0,
    trust: "verified",
    format: given.entryKind === "directory" ? "directory" : "unknown",
    kind: "unknown",
    mediaType: null,
    architecture: null,
    executable: false,
    unexplored: undefined,
    ...given,
  };
}
