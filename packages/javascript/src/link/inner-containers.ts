import type { Inventory } from "@rea/artifact";
import type { ApplicationEntry } from "../application/application-files.js";

export interface InnerContainer {
  /** With the `!` that stands for what it holds. */
  readonly path: string;
  readonly sha256: string | null;
  /** Path of the container around it; "" for the root. */
  readonly parent: string;
}

/** Containers that hold something, outer ones first. */
export function innerContainers({ graph }: Inventory, entries: ReadonlyMap<string, ApplicationEntry>): readonly InnerContainer[] {
  const paths = new Set<string>();
  for (const path of entries.keys()) {
    for (let at = path.indexOf("!/"); at >= 0; at = path.indexOf("!/", at + 2)) paths.add(path.slice(0, at + 1));
  }
  if (paths.size === 0) return [];
  const digests = new Map(graph.nodes.map(({ artifact_id, sha256 }) => [artifact_id, sha256]));
  const byPath = new Map(graph.occurrences.map(({ logical_path, artifact_id }) => [logical_path, artifact_id === null ? null : (digests.get(artifact_id) ?? null)]));
  return [...paths].sort().map((path) => {
    const outer = path.lastIndexOf("!/", path.length - 2);
    return { path, sha256: byPath.get(path.slice(0, -1)) ?? byPath.get(path) ?? null, parent: outer < 0 ? "" : path.slice(0, outer + 1) };
  });
}
