import { createHash } from "node:crypto";
import { canonicalSha256 } from "@rea/core";
import type { Contradiction } from "../walk/judge.js";
import type { Place } from "../walk/place.js";
import type { Pace } from "../walk/paced-sort.js";
import type { ArtifactGraph, ArtifactNode, Edge, IntegrityContradiction, Inventory, Manifest, Occurrence } from "./graph.js";
import { artifactId, contradictionId, edgeId, occurrenceId } from "./ids.js";
import { sortedById } from "./sorted-by-id.js";

interface Identified {
  readonly place: Place;
  readonly occurrenceId: string;
  readonly parentId: string | null;
  readonly artifactId: string | null;
}

export interface BuiltGraph {
  readonly manifest: Manifest;
  readonly graph: ArtifactGraph;
  readonly graphBytes: number;
  readonly unexplored: Inventory["unexplored"];
  /** Ids of a place with content. */
  idsOf(place: Place): { readonly artifact_id: string; readonly occurrence_id: string };
}

/** Turns the places of a finished walk into the graph and its manifest. */
export async function buildGraph(root: Place, contradictions: readonly Contradiction[], pace: Pace): Promise<BuiltGraph> {
  const identified = await identify(root, pace);
  const byPlace = new Map<Place, Identified>();
  const occurrences: Occurrence[] = [];
  const unexplored: { occurrence_id: string; logical_path: string; reason: NonNullable<Place["unexplored"]> }[] = [];
  for (const one of identified) {
    if (pace.due()) await pace.take();
    byPlace.set(one.place, one);
    occurrences.push(occurrenceOf(one));
    const { logicalPath, unexplored: reason } = one.place;
    if (reason !== undefined) unexplored.push({ occurrence_id: one.occurrenceId, logical_path: logicalPath, reason });
  }
  const edges: Edge[] = [];
  for (const one of identified) {
    if (pace.due()) await pace.take();
    if (one.place.children.length > 0) await addEdges(edges, one, { byPlace, pace });
  }
  const graph: ArtifactGraph = {
    nodes: await sortedById(await nodesOf(identified, pace), ({ artifact_id }) => artifact_id, pace),
    occurrences: await sortedById(occurrences, ({ occurrence_id }) => occurrence_id, pace),
    edges: await sortedById(edges, ({ edge_id }) => edge_id, pace),
    integrity_contradictions: await sortedById(contradictionsOf(contradictions, byPlace), ({ contradiction_id }) => contradiction_id, pace),
  };
  const idsOf = (place: Place) => {
    const known = byPlace.get(place);
    return { artifact_id: known?.artifactId ?? "", occurrence_id: known?.occurrenceId ?? "" };
  };
  const digest = await graphDigest(graph, pace);
  return { graph, manifest: manifestOf(root, graph, digest.sha256), graphBytes: digest.bytes, unexplored, idsOf };
}

/** Every place with its ids, parents before children. */
async function identify(root: Place, pace: Pace): Promise<readonly Identified[]> {
  const rootId = root.sha256 === undefined ? null : artifactId(root.sha256);
  const known: Identified[] = [];
  const queue: { readonly place: Place; readonly parent: string | null }[] = [{ place: root, parent: null }];
  const ids = new Map<string, string>();
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (pace.due()) await pace.take();
    const { place, parent } = next;
    const id = occurrenceId({
      root_artifact_id: rootId,
      parent_occurrence_id: parent,
      logical_path: place.logicalPath,
      duplicate_index: place.duplicateIndex,
      entry_kind: place.entryKind,
    });
    known.push({ place, occurrenceId: id, parentId: parent, artifactId: contentId(place, ids) });
    for (let index = place.children.length - 1; index >= 0; index -= 1) {
      const child = place.children[index];
      if (child !== undefined) queue.push({ place: child, parent: id });
    }
  }
  return known;
}

/** Many places share a content; its id is computed once. */
function contentId({ sha256 }: Place, ids: Map<string, string>): string | null {
  if (sha256 === undefined) return null;
  const known = ids.get(sha256);
  if (known !== undefined) return known;
  const id = artifactId(sha256);
  ids.set(sha256, id);
  return id;
}

async function nodesOf(identified: readonly Identified[], pace: Pace): Promise<readonly ArtifactNode[]> {
  const nodes = new Map<string, ArtifactNode>();
  for (const { place, artifactId: id } of identified) {
    if (pace.due()) await pace.take();
    if (id === null || place.sha256 === undefined) continue;
    const known = nodes.get(id);
    nodes.set(id, {
      artifact_id: id,
      bytes: place.bytes,
      content_state: known?.content_state === "materialized" ? "materialized" : place.contentState,
      limitations: [],
      sha256: place.sha256,
      // Verified at one place is verified: the bytes are the same.
      trust: known?.trust === "verified" ? "verified" : place.trust,
    });
  }
  return [...nodes.values()];
}

/** Keys stand in canonical order, here and in the other items: see `graphDigest`. */
function occurrenceOf({ place, occurrenceId: id, parentId, artifactId: content }: Identified): Occurrence {
  const { location } = place;
  return {
    architecture: place.architecture,
    artifact_format: place.format,
    artifact_id: content,
    artifact_kind: place.kind,
    compressed_bytes: place.compressedBytes,
    declared_bytes: place.declaredBytes,
    declared_checks: place.declaredChecks,
    duplicate_index: place.duplicateIndex,
    encrypted: place.encrypted,
    entry_kind: place.entryKind,
    executable: place.executable,
    hash_status: place.hashStatus,
    limitations: place.limitations,
    link_target: place.linkTarget,
    logical_path: place.logicalPath,
    media_type: place.mediaType,
    occurrence_id: id,
    parent_occurrence_id: parentId,
    raw_name: place.rawName,
    source_location: location === null ? null : { length: location.length, offset: location.offset },
  };
}

async function addEdges(edges: Edge[], { place, artifactId: parent }: Identified, { byPlace, pace }: { readonly byPlace: ReadonlyMap<Place, Identified>; readonly pace: Pace }): Promise<void> {
  let maps = false;
  for (const [ordinal, childPlace] of place.children.entries()) {
    if (pace.due()) await pace.take();
    maps ||= childPlace.logicalPath.endsWith(".map");
    if (parent === null) continue;
    const child = byPlace.get(childPlace);
    if (child === undefined || child.artifactId === null) continue;
    edges.push(edgeOf({ parent, child: child.artifactId, relation: childPlace.relation, occurrence: child.occurrenceId, ordinal }));
  }
  if (maps) edges.push(...sourceMaps(place, byPlace));
}

function edgeOf(edge: { parent: string; child: string; relation: Edge["relation"]; occurrence: string; ordinal: number }): Edge {
  const key = { parent_artifact_id: edge.parent, child_artifact_id: edge.child, relation: edge.relation, occurrence_id: edge.occurrence };
  return {
    child_artifact_id: edge.child,
    edge_id: edgeId(key),
    occurrence_id: edge.occurrence,
    ordinal: edge.ordinal,
    parent_artifact_id: edge.parent,
    relation: edge.relation,
  };
}

/** `x.js.map` beside `x.js` maps its source. */
function* sourceMaps({ children }: Place, byPlace: ReadonlyMap<Place, Identified>): Generator<Edge> {
  const siblings = new Map(children.map((child) => [child.logicalPath, child] as const));
  const maps = children.filter(({ logicalPath }) => logicalPath.endsWith(".map"));
  for (const [ordinal, map] of maps.entries()) {
    const script = siblings.get(map.logicalPath.slice(0, -".map".length));
    const from = byPlace.get(map);
    const to = script === undefined ? undefined : byPlace.get(script);
    if (from === undefined || from.artifactId === null || to === undefined || to.artifactId === null) continue;
    yield edgeOf({ parent: from.artifactId, child: to.artifactId, relation: "maps-source", occurrence: from.occurrenceId, ordinal });
  }
}

function contradictionsOf(found: readonly Contradiction[], byPlace: ReadonlyMap<Place, Identified>): readonly IntegrityContradiction[] {
  return found.flatMap(({ place, declared, observed, unpacked, provenance }) => {
    const occurrence = byPlace.get(place);
    if (occurrence === undefined) return [];
    const parent = place.parent === undefined ? undefined : byPlace.get(place.parent);
    const key = { occurrence_id: occurrence.occurrenceId, declared_sha256: declared, observed_sha256: observed };
    return [
      {
        contradiction_id: contradictionId(key),
        declared_sha256: declared,
        entry_kind: place.entryKind,
        limitations: ["The bytes are not those that were declared; nothing was concluded from them."],
        logical_path: place.logicalPath,
        observed_sha256: observed,
        occurrence_id: key.occurrence_id,
        parent_artifact_id: parent?.artifactId ?? null,
        provenance,
        trust: "observed-untrusted" as const,
        unpacked,
      },
    ];
  });
}

/**
 * The digest of the canonical JSON of the graph. Its items are made here, of whole numbers and well-formed text, with
 * their keys in canonical order, so that the host's own serialiser writes the canonical text; large trees need that.
 */
async function graphDigest(graph: ArtifactGraph, pace: Pace): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const text of graphText(graph)) {
    if (pace.due()) await pace.take();
    const encoded = Buffer.from(text);
    hash.update(encoded);
    bytes += encoded.byteLength;
  }
  return { sha256: hash.digest("hex"), bytes };
}

function* graphText({ edges, integrity_contradictions, nodes, occurrences }: ArtifactGraph): Generator<string> {
  yield '{"edges":';
  yield* listText(edges);
  yield ',"integrity_contradictions":';
  yield* listText(integrity_contradictions);
  yield ',"nodes":';
  yield* listText(nodes);
  yield ',"occurrences":';
  yield* listText(occurrences);
  yield "}";
}

function* listText(items: readonly object[]): Generator<string> {
  for (let at = 0; at < items.length; at += 256) {
    const text = JSON.stringify(items.slice(at, at + 256)).slice(1, -1);
    yield at === 0 ? `[${text}` : `,${text}`;
  }
  yield items.length === 0 ? "[]" : "]";
}

function manifestOf(root: Place, graph: ArtifactGraph, graphSha256: string): Manifest {
  const body = {
    root_artifact_id: root.sha256 === undefined ? null : artifactId(root.sha256),
    root_sha256: root.sha256 ?? null,
    root_format: root.format,
    graph_sha256: graphSha256,
    counts: {
      nodes: graph.nodes.length,
      occurrences: graph.occurrences.length,
      edges: graph.edges.length,
      integrity_contradictions: graph.integrity_contradictions.length,
    },
  };
  return { manifest_id: `agm_${canonicalSha256(body)}`, ...body };
}
