import type { ArtifactGraph, ArtifactNode, Manifest, Occurrence } from "@rea/artifact";
import type { Coverage } from "@rea/core";

/** A contradiction inside a container, as a record shows it. */
export interface ReportedAnomaly {
  readonly anomaly: string;
  readonly logical_path: string;
  readonly offset: number | null;
  readonly detail: string;
  readonly effect: string;
}

/** An inventory as documents need it: the whole graph and every anomaly, not a page of them. */
export interface InspectedArtifact {
  /** Name of the artifact without directories, escaped. */
  readonly name: string;
  /** The record that the document repeats. */
  readonly evidenceId: string;
  readonly manifest: Omit<Manifest, "root_format"> & { readonly root_format: string };
  readonly coverage: Coverage;
  readonly graph: ArtifactGraph;
  readonly anomalies: readonly ReportedAnomaly[];
  readonly product: { readonly name: string; readonly version: string };
}

/** Occurrences in the order of their paths; equal paths by their index. */
export function byPath({ occurrences }: ArtifactGraph): readonly Occurrence[] {
  return [...occurrences].sort((a, b) => {
    if (a.logical_path === b.logical_path) return a.duplicate_index - b.duplicate_index;
    return a.logical_path < b.logical_path ? -1 : 1;
  });
}

/** Contents by id. */
export function nodesOf({ nodes }: ArtifactGraph): ReadonlyMap<string, ArtifactNode> {
  return new Map(nodes.map((node) => [node.artifact_id, node] as const));
}
