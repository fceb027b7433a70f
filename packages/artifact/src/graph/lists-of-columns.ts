import type { Pace } from "../walk/paced-sort.js";
import type { Place } from "../walk/place.js";
import type { ArtifactGraph, ArtifactNode, Edge, Occurrence } from "./graph.js";
import type { SortedColumns } from "./sorted-columns.js";

/** Made of so many columns before others get a turn. */
const itemsAtOnce = 256;
const makers = new WeakMap<ArtifactGraph, (pace: Pace) => Promise<void>>();

/** The lists of a graph, each made when it is first asked for: a digest or a count needs none of their items. */
export function listsOfColumns(columns: SortedColumns): ArtifactGraph {
  let nodes: readonly ArtifactNode[] | undefined;
  let occurrences: readonly Occurrence[] | undefined;
  let edges: readonly Edge[] | undefined;
  const { nodes: found, placeOrder, edgeOrder, contradictions } = columns;
  const graph: ArtifactGraph = {
    get nodes() {
      return (nodes ??= found.places.map((position, index) => nodeOf(columns, position, index)));
    },
    get occurrences() {
      return (occurrences ??= Array.from(placeOrder, (position) => occurrenceAt(columns, position)));
    },
    get edges() {
      return (edges ??= Array.from(edgeOrder, (index) => edgeAt(columns, index)));
    },
    integrity_contradictions: contradictions,
  };
  makers.set(graph, async (pace) => {
    nodes ??= await paced(found.places, (position, index) => nodeOf(columns, position, index), pace);
    occurrences ??= await paced(placeOrder, (position) => occurrenceAt(columns, position), pace);
    edges ??= await paced(edgeOrder, (index) => edgeAt(columns, index), pace);
  });
  return graph;
}

/** Makes the lists of a graph before they are asked for, with turns for others in between. */
export async function makeLists(graph: ArtifactGraph, pace: Pace): Promise<void> {
  await makers.get(graph)?.(pace);
}

async function paced<T>(from: ArrayLike<number>, make: (value: number, index: number) => T, pace: Pace): Promise<readonly T[]> {
  const made: T[] = [];
  for (let at = 0; at < from.length; at += 1) {
    if (at % itemsAtOnce === 0 && pace.due()) await pace.take();
    made.push(make(from[at] ?? 0, at));
  }
  return made;
}

function nodeOf({ nodes, places: { artifacts, places } }: SortedColumns, position: number, index: number): ArtifactNode {
  const place = places[position];
  return {
    artifact_id: `art_${artifacts[position] ?? ""}`,
    bytes: place?.bytes ?? 0,
    content_state: nodes.states[index] ?? "virtual",
    limitations: [],
    sha256: place?.sha256 ?? "",
    trust: nodes.trusts[index] ?? "observed-untrusted",
  };
}

function edgeAt({ edges, places: { artifacts, occurrences } }: SortedColumns, index: number): Edge {
  return {
    child_artifact_id: `art_${artifacts[edges.children[index] ?? 0] ?? ""}`,
    edge_id: `edge_${edges.edges[index] ?? ""}`,
    occurrence_id: `occ_${occurrences[edges.places[index] ?? 0] ?? ""}`,
    ordinal: edges.ordinals[index] ?? 0,
    parent_artifact_id: `art_${artifacts[edges.parents[index] ?? 0] ?? ""}`,
    relation: edges.relations[index] ?? "contains",
  };
}

function occurrenceAt({ places: { artifacts, occurrences, places } }: SortedColumns, position: number): Occurrence {
  const place = places[position];
  if (place === undefined) throw new RangeError("There is no such place in the graph.");
  const parent = place.parent === undefined ? null : `occ_${occurrences[place.parent.position] ?? ""}`;
  const content = artifacts[position] ?? "";
  return occurrenceOf(place, { occurrence: `occ_${occurrences[position] ?? ""}`, parent, content: content === "" ? null : `art_${content}` });
}

interface PlaceIds {
  readonly occurrence: string;
  readonly parent: string | null;
  readonly content: string | null;
}

/** Keys stand in canonical order, here and in the other items. */
function occurrenceOf(place: Place, { occurrence, parent, content }: PlaceIds): Occurrence {
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
    occurrence_id: occurrence,
    parent_occurrence_id: parent,
    raw_name: place.rawName,
    source_location: location === null ? null : { length: location.length, offset: location.offset },
  };
}
