import { canonicalSha256, coverageOf, omission, pageOf, type OperationParams, type OperationResult } from "@rea/core";
import type { ArtifactGraph, ArtifactNode, Inventory, Occurrence } from "./graph/graph.js";
import { makeLists } from "./graph/lists-of-columns.js";
import { nextProbes } from "./inspection/next-probes.js";
import { observationsOf } from "./inspection/observations.js";
import { fitting, pageBytes } from "./inspection/reply-bytes.js";
import { pacedSort } from "./walk/paced-sort.js";
import { Turns } from "./walk/turns.js";

type Params = OperationParams<"inspect_artifact">;
type Inspection = OperationResult<"inspect_artifact">;

const inlineBytes = 16 * 1024;
const shownFindings = 50;
/** Of each list of findings. */
const findingsBytes = 12 * 1024;
const contradictionsBytes = 48 * 1024;
const probeBytes = 4 * 1024;

/**
 * One page about an inventory: `inspect_artifact` of contract 05 §8. The whole graph is inline when it is small. Others get
 * turns of the thread while a large one is looked through. Throws `cancelled`.
 */
export async function inspection(
  found: Inventory,
  params: Pick<Params, "prefix" | "offset" | "limit" | "integrity_policy">,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<Inspection> {
  const { manifest, graph, anomalies, omissions } = found;
  const turns = new Turns(signal);
  await makeLists(graph, turns);
  const nodes = new Map(graph.nodes.map((node) => [node.artifact_id, node] as const));
  const hints = new Map(found.hints.map((one) => [placeKey(one), one.hints] as const));
  const byPath = await pacedSort(graph.occurrences, pathOrder, turns);
  const observations = await observationsOf(byPath, nodes, found, turns);
  await turns.take();
  const chosen = params.prefix === undefined ? byPath : byPath.filter(({ logical_path }) => logical_path.startsWith(params.prefix ?? ""));
  const contradictions = fitting(mutable(graph.integrity_contradictions), contradictionsBytes);
  return {
    inspection_id: `ins_${canonicalSha256({ manifest_id: manifest.manifest_id, integrity_policy: params.integrity_policy })}`,
    manifest,
    graph: graphMember(found),
    occurrences: occurrencePage(chosen, { nodes, hints, params, omissions }),
    integrity_contradictions: contradictions,
    anomalies: firstOf(anomalies, (one) => ({ ...one })),
    observations: firstOf(observations, (one) => one),
    derived_relationships: firstOf(sourceMapPairs(graph), (one) => one),
    unexplored_branches: firstOf(found.unexplored, (one) => ({ ...one })),
    next_probes: nextProbes(byPath, found.hints).filter((probe) => fitting([probe], probeBytes).length > 0),
    coverage: coverageOf(omissions),
    limitations: [
      ...(contradictions.length < graph.integrity_contradictions.length
        ? [`The first ${String(contradictions.length)} of ${String(graph.integrity_contradictions.length)} contradictions are shown; the retained graph holds all.`]
        : []),
      "Digests prove that bytes are the same, not who made them: no signature chain was judged.",
    ],
  };
}

interface PageSource {
  readonly nodes: ReadonlyMap<string, ArtifactNode>;
  readonly hints: ReadonlyMap<string, Inventory["hints"][number]["hints"]>;
  readonly params: Pick<Params, "offset" | "limit">;
  readonly omissions: Inventory["omissions"];
}

/** A page of as many occurrences as were asked for and have room; names can be long. */
function occurrencePage(chosen: readonly Occurrence[], { nodes, hints, params, omissions }: PageSource): Inspection["occurrences"] {
  const { offset, limit } = params;
  const wanted = chosen.slice(offset, offset + limit).map((one) => ({ ...joined(one, nodes), container_hints: [...(hints.get(placeKey(one)) ?? [])] }));
  const bytes = pageBytes(limit);
  const shown = fitting(wanted, bytes, 1);
  const page = pageOf(chosen, { offset, limit: shown.length }, (one) => one);
  const left = wanted.length - shown.length;
  const cut = omission("occurrences of this page", "limit_total_bytes", { count: left, limit: bytes, how_to_continue: "Names are long; go on at next_offset." });
  return { ...page, items: shown, limit, coverage: coverageOf(left === 0 ? omissions : [...omissions, cut]) };
}

function pathOrder(a: Occurrence, b: Occurrence): number {
  if (a.logical_path === b.logical_path) return a.duplicate_index - b.duplicate_index;
  return a.logical_path < b.logical_path ? -1 : 1;
}

function placeKey({ logical_path, duplicate_index }: Pick<Occurrence, "logical_path" | "duplicate_index">): string {
  return `${String(duplicate_index)} ${logical_path}`;
}

function joined(one: Occurrence, nodes: ReadonlyMap<string, ArtifactNode>) {
  const node = one.artifact_id === null ? undefined : nodes.get(one.artifact_id);
  return { ...one, limitations: [...one.limitations], sha256: node?.sha256 ?? null, bytes: node?.bytes ?? null, trust: node?.trust ?? null };
}

function graphMember({ graph, manifest, graphBytes }: Inventory): Inspection["graph"] {
  if (graphBytes > inlineBytes) {
    return { state: "retained", manifest_id: manifest.manifest_id, graph_sha256: manifest.graph_sha256, bytes: graphBytes };
  }
  return {
    state: "inline",
    nodes: mutable(graph.nodes),
    occurrences: mutable(graph.occurrences),
    edges: graph.edges.map((edge) => ({ ...edge })),
  };
}

function mutable<T extends { readonly limitations: readonly string[] }>(items: readonly T[]): (Omit<T, "limitations"> & { limitations: string[] })[] {
  return items.map((item) => ({ ...item, limitations: [...item.limitations] }));
}

function firstOf<S, T>(items: readonly S[], show: (item: S) => T) {
  const shown = fitting(items.slice(0, shownFindings).map(show), findingsBytes);
  return { items: shown, returned: shown.length, total: items.length, truncated: shown.length < items.length };
}

/** Scripts and the maps that stand beside them. */
function sourceMapPairs({ edges, occurrences }: ArtifactGraph) {
  const maps = edges.filter(({ relation }) => relation === "maps-source");
  const pathOf = new Map(occurrences.map((one) => [one.occurrence_id, one.logical_path] as const));
  return maps.flatMap(({ relation, occurrence_id }) => {
    const from = pathOf.get(occurrence_id);
    return from === undefined ? [] : [{ relation, from, to: from.slice(0, -".map".length), basis: "The map's name is the script's with .map behind it." }];
  });
}
