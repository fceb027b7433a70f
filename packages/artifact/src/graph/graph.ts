import type { Omission, SubjectFormat } from "@rea/core";
import type { EntryKind, Relation } from "../format.js";
import type { LeafHints } from "../hints/found-hint.js";
import type { ManifestVerdict, PlacedSignature } from "../integrity/verdicts.js";
import type { Anomaly } from "./anomaly.js";

/** Role of a content at one place. */
export type ArtifactKind =
  | "container"
  | "executable"
  | "dynamic-library"
  | "framework"
  | "native-addon"
  | "javascript"
  | "source-map"
  | "plist"
  | "entitlements"
  | "resource"
  | "universal-slice"
  | "package-metadata"
  | "unknown";

export type Trust = "verified" | "observed-untrusted";

/** A content, wherever it stands. */
export interface ArtifactNode {
  readonly artifact_id: string;
  readonly sha256: string;
  readonly bytes: number;
  /** A file of its own, a member of a container, or a directory (whose bytes are those of its children). */
  readonly content_state: "materialized" | "embedded" | "virtual";
  readonly trust: Trust;
  readonly limitations: readonly string[];
}

/**
 * `verified`: read in full, and every declared check that was run held. `mismatched`: a check failed.
 * `not-hashed-limit`: a bound ended the reading. `unavailable`: there is no content, or none that can be read.
 */
export type HashStatus = "verified" | "mismatched" | "not-hashed-limit" | "unavailable";

/** A place: one member of one container, with its role. */
export interface Occurrence {
  readonly occurrence_id: string;
  readonly artifact_id: string | null;
  readonly parent_occurrence_id: string | null;
  readonly logical_path: string;
  readonly duplicate_index: number;
  readonly raw_name: string | null;
  readonly entry_kind: EntryKind;
  readonly artifact_kind: ArtifactKind;
  readonly artifact_format: SubjectFormat;
  readonly media_type: string | null;
  readonly architecture: string | null;
  readonly executable: boolean;
  readonly declared_bytes: number | null;
  readonly compressed_bytes: number | null;
  readonly encrypted: boolean;
  readonly link_target: string | null;
  readonly hash_status: HashStatus;
  readonly declared_checks: number;
  readonly source_location: { readonly offset: number; readonly length: number } | null;
  readonly limitations: readonly string[];
}

export interface Edge {
  readonly edge_id: string;
  readonly parent_artifact_id: string;
  readonly child_artifact_id: string;
  readonly relation: Relation | "maps-source" | "derived-from";
  readonly occurrence_id: string;
  /** Position among the members of the parent, from 0, in file order. */
  readonly ordinal: number;
}

/** A declared cryptographic digest that the bytes do not have. */
export interface IntegrityContradiction {
  readonly contradiction_id: string;
  readonly occurrence_id: string;
  readonly parent_artifact_id: string | null;
  readonly logical_path: string;
  readonly declared_sha256: string;
  readonly observed_sha256: string;
  readonly entry_kind: EntryKind;
  readonly unpacked: boolean;
  readonly trust: Trust;
  readonly provenance: string;
  readonly limitations: readonly string[];
}

export interface Manifest {
  readonly manifest_id: string;
  readonly root_artifact_id: string | null;
  readonly root_sha256: string | null;
  readonly root_format: SubjectFormat;
  /** Over nodes, occurrences, edges and contradictions. */
  readonly graph_sha256: string;
  readonly counts: {
    readonly nodes: number;
    readonly occurrences: number;
    readonly edges: number;
    readonly integrity_contradictions: number;
  };
}

/** Everything found, each list sorted by its id. */
export interface ArtifactGraph {
  readonly nodes: readonly ArtifactNode[];
  readonly occurrences: readonly Occurrence[];
  readonly edges: readonly Edge[];
  readonly integrity_contradictions: readonly IntegrityContradiction[];
}

/** Bytes of a container that are no member and belong there, such as a signing block. */
export interface ContainerPart {
  readonly part: string;
  readonly logical_path: string;
  readonly offset: number;
  readonly length: number;
}

export interface Inventory {
  readonly manifest: Manifest;
  readonly graph: ArtifactGraph;
  /** In file order. */
  readonly anomalies: readonly Anomaly[];
  readonly omissions: readonly Omission[];
  /** Archives and payloads that leaves carry, in file order. */
  readonly hints: readonly LeafHints[];
  /** Containers and members that were not looked into, and why. */
  readonly unexplored: readonly { readonly occurrence_id: string; readonly logical_path: string; readonly reason: string }[];
  /** In file order. */
  readonly parts: readonly ContainerPart[];
  /** Lists of digests that containers hold of their members, and whether they hold. */
  readonly manifests: readonly ManifestVerdict[];
  /** Signatures over packages and over lists of members. */
  readonly signatures: readonly PlacedSignature[];
  /** Bytes of the graph in canonical JSON. */
  readonly graphBytes: number;
}
