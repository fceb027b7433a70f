import { createHash } from "node:crypto";
import type { Pace } from "../walk/paced-sort.js";
import { OccurrenceText } from "./occurrence-text.js";
import type { SortedColumns } from "./sorted-columns.js";

const itemsAtOnce = 128;

/**
 * Digest and size of the canonical JSON of a graph, written from its columns: the same as that of its lists, which need
 * not be there for it. Ids are digits, and paths are JSON already; nothing else of a target stands in between unquoted.
 */
export async function graphDigest(columns: SortedColumns, pace: Pace): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  let text = "";
  const flush = (): void => {
    const encoded = Buffer.from(text);
    hash.update(encoded);
    bytes += encoded.byteLength;
    text = "";
  };
  for (const list of lists(columns)) {
    text += list.start;
    for (let at = 0; at < list.length; at += 1) {
      text += at === 0 ? list.item(at) : `,${list.item(at)}`;
      if (at % itemsAtOnce !== itemsAtOnce - 1) continue;
      flush();
      if (pace.due()) await pace.take();
    }
    text += "]";
  }
  text += "}";
  flush();
  return { sha256: hash.digest("hex"), bytes };
}

interface ListText {
  readonly start: string;
  readonly length: number;
  item(at: number): string;
}

/** The members of the graph in canonical order. */
function lists(columns: SortedColumns): readonly ListText[] {
  const { contradictions, edgeOrder, nodes, placeOrder } = columns;
  const occurrences = new OccurrenceText();
  return [
    { start: '{"edges":[', length: edgeOrder.length, item: (at) => edgeText(columns, edgeOrder[at] ?? 0) },
    { start: ',"integrity_contradictions":[', length: contradictions.length, item: (at) => JSON.stringify(contradictions[at]) },
    { start: ',"nodes":[', length: nodes.places.length, item: (at) => nodeText(columns, at) },
    { start: ',"occurrences":[', length: placeOrder.length, item: (at) => occurrenceText(columns, occurrences, placeOrder[at] ?? 0) },
  ];
}

function edgeText({ edges, places: { artifacts, occurrences } }: SortedColumns, index: number): string {
  const child = artifacts[edges.children[index] ?? 0] ?? "";
  const parent = artifacts[edges.parents[index] ?? 0] ?? "";
  const occurrence = occurrences[edges.places[index] ?? 0] ?? "";
  return `{"child_artifact_id":"art_${child}","edge_id":"edge_${edges.edges[index] ?? ""}","occurrence_id":"occ_${occurrence}","ordinal":${String(edges.ordinals[index])},"parent_artifact_id":"art_${parent}","relation":"${edges.relations[index] ?? ""}"}`;
}

function nodeText({ nodes, places: { artifacts, places } }: SortedColumns, index: number): string {
  const position = nodes.places[index] ?? 0;
  const place = places[position];
  return `{"artifact_id":"art_${artifacts[position] ?? ""}","bytes":${String(place?.bytes)},"content_state":"${nodes.states[index] ?? ""}","limitations":[],"sha256":"${place?.sha256 ?? ""}","trust":"${nodes.trusts[index] ?? ""}"}`;
}

function occurrenceText({ places: { artifacts, occurrences, paths, places } }: SortedColumns, text: OccurrenceText, position: number): string {
  const place = places[position];
  if (place === undefined) return "";
  const parent = place.parent === undefined ? "" : (occurrences[place.parent.position] ?? "");
  return text.of(place, { artifact: artifacts[position] ?? "", occurrence: occurrences[position] ?? "", parent, path: paths[position] ?? "" });
}
