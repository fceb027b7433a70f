import { byPath, nodesOf, type InspectedArtifact } from "./inspected-artifact.js";
import { jsonObjectPieces } from "./json-pieces.js";

/** Names what the statement says; a URI as the specification asks, without claiming a domain. */
const inventoryPredicate = "urn:rea:artifact-inventory:v1";

/**
 * An inventory as an in-toto Statement v1 (in-toto attestation framework), unsigned, in pieces. Subject is the file that was
 * read; for a directory, which has no digest that others could recompute, every file in it.
 */
export function* inTotoPieces(artifact: InspectedArtifact): Generator<string> {
  yield* jsonObjectPieces([
    ["_type", { value: "https://in-toto.io/Statement/v1" }],
    ["subject", { items: subjects(artifact) }],
    ["predicateType", { value: inventoryPredicate }],
    ["predicate", { pieces: predicate(artifact) }],
  ]);
  yield "\n";
}

function* subjects({ name, manifest, graph }: InspectedArtifact): Generator<object> {
  const nodes = nodesOf(graph);
  const root = manifest.root_artifact_id === null ? undefined : nodes.get(manifest.root_artifact_id);
  if (root !== undefined && root.content_state !== "virtual") {
    yield { name, digest: { sha256: root.sha256 } };
    return;
  }
  for (const { artifact_id, logical_path, hash_status } of byPath(graph)) {
    const node = artifact_id === null ? undefined : nodes.get(artifact_id);
    if (node?.content_state === "materialized" && hash_status === "verified") yield { name: logical_path, digest: { sha256: node.sha256 } };
  }
}

function predicate(artifact: InspectedArtifact): Iterable<string> {
  return jsonObjectPieces([
    ["producer", { value: artifact.product }],
    ["evidence_id", { value: artifact.evidenceId }],
    ["manifest", { value: artifact.manifest }],
    ["coverage", { value: artifact.coverage }],
    ["members", { items: members(artifact) }],
    ["anomalies", { items: artifact.anomalies }],
    ["integrity_contradictions", { items: artifact.graph.integrity_contradictions }],
  ]);
}

function* members({ graph }: InspectedArtifact): Generator<object> {
  const nodes = nodesOf(graph);
  for (const { logical_path, duplicate_index, artifact_id, entry_kind, artifact_format, hash_status } of byPath(graph)) {
    yield {
      logical_path,
      duplicate_index,
      entry_kind,
      format: artifact_format,
      hash_status,
      sha256: artifact_id === null ? null : (nodes.get(artifact_id)?.sha256 ?? null),
    };
  }
}
