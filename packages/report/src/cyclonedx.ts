import type { ArtifactGraph, Occurrence } from "@rea/artifact";
import { byPath, nodesOf, type InspectedArtifact } from "./inspected-artifact.js";
import { jsonObjectPieces } from "./json-pieces.js";

/**
 * The contents of an artifact as a CycloneDX 1.6 bill of materials in pieces: one component for each content, its SHA-256,
 * and every place where it stands as evidence. Package identities (purl) are not claimed: nothing here reads package metadata.
 */
export function* cycloneDxPieces(artifact: InspectedArtifact): Generator<string> {
  yield* jsonObjectPieces([
    ["$schema", { value: "http://cyclonedx.org/schema/bom-1.6.schema.json" }],
    ["bomFormat", { value: "CycloneDX" }],
    ["specVersion", { value: "1.6" }],
    ["serialNumber", { value: serialNumber(artifact.manifest.graph_sha256) }],
    ["version", { value: 1 }],
    ["metadata", { value: metadata(artifact) }],
    ["components", { items: components(artifact) }],
    ["compositions", { value: [composition(artifact)] }],
    ["properties", { value: properties(artifact) }],
  ]);
  yield "\n";
}

/** The same inventory always has the same serial number: a UUID of version 8 (RFC 9562 §5.8) made of the graph's digest. */
function serialNumber(sha256: string): string {
  const variant = "89ab".charAt(Number.parseInt(sha256.charAt(16), 16) & 3);
  return `urn:uuid:${sha256.slice(0, 8)}-${sha256.slice(8, 12)}-8${sha256.slice(13, 16)}-${variant}${sha256.slice(17, 20)}-${sha256.slice(20, 32)}`;
}

function metadata({ product, name, graph, manifest }: InspectedArtifact) {
  const root = manifest.root_artifact_id === null ? undefined : nodesOf(graph).get(manifest.root_artifact_id);
  const hashes = root === undefined || root.content_state === "virtual" ? {} : hashesOf(root.sha256);
  return {
    tools: { components: [{ type: "application", ...product }] },
    component: { "bom-ref": rootReference(manifest), type: "file", name, ...hashes },
  };
}

function rootReference({ root_artifact_id, manifest_id }: InspectedArtifact["manifest"]): string {
  return `root:${root_artifact_id ?? manifest_id}`;
}

function* components({ graph }: InspectedArtifact): Generator<object> {
  const nodes = nodesOf(graph);
  for (const [artifactId, places] of placesOf(graph)) {
    const node = nodes.get(artifactId);
    const [first] = places;
    if (node === undefined || first === undefined || node.content_state === "virtual") continue;
    yield {
      "bom-ref": artifactId,
      type: typeOf(first),
      name: first.logical_path,
      ...(first.media_type === null ? {} : { "mime-type": first.media_type }),
      ...hashesOf(node.sha256),
      evidence: { occurrences: places.map(placeEvidence) },
      properties: [
        { name: "rea:bytes", value: String(node.bytes) },
        { name: "rea:format", value: first.artifact_format },
        { name: "rea:trust", value: node.trust },
      ],
    };
  }
}

/** Every content but the root's with its places, in the order of the paths. */
function placesOf(graph: ArtifactGraph): ReadonlyMap<string, Occurrence[]> {
  const places = new Map<string, Occurrence[]>();
  for (const occurrence of byPath(graph)) {
    if (occurrence.artifact_id === null || occurrence.logical_path === ".") continue;
    const known = places.get(occurrence.artifact_id);
    if (known === undefined) places.set(occurrence.artifact_id, [occurrence]);
    else known.push(occurrence);
  }
  return places;
}

function typeOf({ artifact_kind }: Occurrence): "application" | "library" | "framework" | "file" {
  if (artifact_kind === "executable") return "application";
  if (artifact_kind === "framework") return "framework";
  return artifact_kind === "dynamic-library" || artifact_kind === "native-addon" ? "library" : "file";
}

function placeEvidence({ logical_path, source_location, hash_status, occurrence_id }: Occurrence) {
  return {
    "bom-ref": occurrence_id,
    location: logical_path,
    ...(source_location === null ? {} : { offset: source_location.offset }),
    additionalContext: `hash_status: ${hash_status}`,
  };
}

function hashesOf(sha256: string) {
  return { hashes: [{ alg: "SHA-256", content: sha256 }] };
}

/** Whether the list of parts is all there is; a bill that leaves this open would be read as complete. */
function composition({ coverage, manifest }: InspectedArtifact) {
  return { aggregate: coverage.state === "complete" ? "complete" : "incomplete", assemblies: [rootReference(manifest)] };
}

function properties({ evidenceId, manifest, anomalies, graph }: InspectedArtifact) {
  return [
    { name: "rea:evidence_id", value: evidenceId },
    { name: "rea:manifest_id", value: manifest.manifest_id },
    { name: "rea:anomalies", value: String(anomalies.length) },
    { name: "rea:integrity_contradictions", value: String(graph.integrity_contradictions.length) },
  ];
}
