import { canonicalSha256 } from "@rea/core";
import type { Contradiction } from "../walk/judge.js";
import { pacedSort, type Pace } from "../walk/paced-sort.js";
import type { Place } from "../walk/place.js";
import { orderOfDigests } from "./digest-order.js";
import { edgeColumns } from "./edge-columns.js";
import type { ArtifactGraph, IntegrityContradiction, Inventory, Manifest } from "./graph.js";
import { graphDigest } from "./graph-text.js";
import { artifactId, contradictionId } from "./ids.js";
import { listsOfColumns } from "./lists-of-columns.js";
import { nodeColumns } from "./node-columns.js";
import { placeColumns, type PlaceColumns } from "./place-columns.js";
import type { SortedColumns } from "./sorted-columns.js";

export interface BuiltGraph {
  readonly manifest: Manifest;
  readonly graph: ArtifactGraph;
  readonly graphBytes: number;
  readonly unexplored: Inventory["unexplored"];
  /** Ids of a place with content. */
  idsOf(place: Place): { readonly artifact_id: string; readonly occurrence_id: string };
}

const placesAtOnce = 1024;

/** Turns the places of a finished walk into the graph and its manifest. */
export async function buildGraph(root: Place, contradictions: readonly Contradiction[], pace: Pace): Promise<BuiltGraph> {
  const places = await placeColumns(root, pace);
  const edges = await edgeColumns(places, pace);
  const columns: SortedColumns = {
    places,
    placeOrder: await orderOfDigests(places.occurrences, pace),
    nodes: await nodeColumns(places, pace),
    edges,
    edgeOrder: await orderOfDigests(edges.edges, pace),
    contradictions: await pacedSort(contradictionsOf(contradictions, places), (a, b) => order(a.contradiction_id, b.contradiction_id), pace),
  };
  const digest = await graphDigest(columns, pace);
  return {
    graph: listsOfColumns(columns),
    manifest: manifestOf(root, columns, digest.sha256),
    graphBytes: digest.bytes,
    unexplored: await unexploredIn(places, pace),
    idsOf: ({ position }) => ({ artifact_id: idOf("art", places.artifacts[position]), occurrence_id: idOf("occ", places.occurrences[position]) }),
  };
}

/** "" for what has no id. */
function idOf(prefix: string, digits = ""): string {
  return digits === "" ? "" : `${prefix}_${digits}`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function unexploredIn({ places, occurrences }: PlaceColumns, pace: Pace): Promise<Inventory["unexplored"]> {
  const found: Inventory["unexplored"][number][] = [];
  for (const [at, { unexplored: reason, logicalPath }] of places.entries()) {
    if (at % placesAtOnce === 0 && pace.due()) await pace.take();
    if (reason !== undefined) found.push({ occurrence_id: `occ_${occurrences[at] ?? ""}`, logical_path: logicalPath, reason });
  }
  return found;
}

function contradictionsOf(found: readonly Contradiction[], { artifacts, occurrences }: PlaceColumns): readonly IntegrityContradiction[] {
  return found.flatMap(({ place, declared, observed, unpacked, provenance }) => {
    if (place.position < 0) return [];
    const parent = idOf("art", place.parent === undefined ? undefined : artifacts[place.parent.position]);
    const key = { occurrence_id: `occ_${occurrences[place.position] ?? ""}`, declared_sha256: declared, observed_sha256: observed };
    return [
      {
        contradiction_id: contradictionId(key),
        declared_sha256: declared,
        entry_kind: place.entryKind,
        limitations: ["The bytes are not those that were declared; nothing was concluded from them."],
        logical_path: place.logicalPath,
        observed_sha256: observed,
        occurrence_id: key.occurrence_id,
        parent_artifact_id: parent === "" ? null : parent,
        provenance,
        trust: "observed-untrusted" as const,
        unpacked,
      },
    ];
  });
}

function manifestOf(root: Place, { nodes, placeOrder, edgeOrder, contradictions }: SortedColumns, graphSha256: string): Manifest {
  const body = {
    root_artifact_id: root.sha256 === undefined ? null : artifactId(root.sha256),
    root_sha256: root.sha256 ?? null,
    root_format: root.format,
    graph_sha256: graphSha256,
    counts: {
      nodes: nodes.places.length,
      occurrences: placeOrder.length,
      edges: edgeOrder.length,
      integrity_contradictions: contradictions.length,
    },
  };
  return { manifest_id: `agm_${canonicalSha256(body)}`, ...body };
}
