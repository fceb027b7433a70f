import { coverageOf, omission, pageOf, type CallPath, type CitedRecord, type Evidence, type Omission } from "@rea/core";
import { callGraph, type CallGraph } from "./call-graph.js";
import { simplePaths } from "./simple-paths.js";

export interface CallPathInput {
  readonly functions: readonly Evidence[];
  readonly start: string;
  readonly goal: string;
  /** Calls of a path at most. */
  readonly maxDepth: number;
  readonly maxPaths: number;
}

/**
 * Paths of calls from one procedure to another, in the dossiers that are given and nowhere else. That there is none is said
 * only when every procedure within reach is known whole. Pure. Throws `evidence_integrity_mismatch`.
 */
export function buildCallPath(input: CallPathInput, cite: (record: Evidence) => CitedRecord): CallPath {
  const graph = callGraph(input.functions);
  const [start, goal] = [BigInt(input.start), BigInt(input.goal)];
  const reached = reach(graph, start, input.maxDepth);
  const found = simplePaths({ callees: (address) => calleesOf(graph, address), start, goal, maxDepth: input.maxDepth, maxPaths: input.maxPaths });
  const gaps = gapsOf(graph, reached, { goal, maxDepth: input.maxDepth });
  const omissions = [...gaps, ...(found.exhausted ? [] : [omission("paths", found.stopped, { limit: input.maxPaths })])];
  const status = found.paths.length > 0 ? "found" : gaps.length > 0 || found.stopped === "limit_operations" ? "unknown" : "not_found";
  const paths = found.paths.map((path) => ({ hops: path.length - 1, steps: path.map((address, index) => stepOf(graph, address, path[index + 1])) }));
  const page = pageOf(paths, { offset: 0, limit: input.maxPaths }, (path) => path, omissions);
  return {
    status,
    paths: { ...page, total: found.exhausted ? paths.length : null, has_more: !found.exhausted },
    shortest_hops: paths[0]?.hops ?? null,
    explored: {
      nodes: reached.size,
      edges: [...reached.keys()].reduce((sum, address) => sum + calleesOf(graph, address).length, 0),
      depth_reached: Math.max(0, ...reached.values()),
    },
    search_scope: {
      start: hex(start),
      goal: hex(goal),
      max_depth: input.maxDepth,
      max_paths: input.maxPaths,
      procedures: graph.procedures.size,
      records: input.functions.length,
    },
    evidence_links: [...new Set(paths.flatMap(({ steps }) => steps.flatMap(({ evidence_links: links }) => links)))].sort(),
    cited_records: input.functions.map(cite),
    coverage: coverageOf(omissions),
    limitations: ["Only calls that the given dossiers show are followed."],
  };
}

/** Depth at which each procedure is first met, the start at 0. */
function reach(graph: CallGraph, start: bigint, maxDepth: number): Map<bigint, number> {
  const depths = new Map([[start, 0]]);
  for (const [address, depth] of depths) {
    if (depth >= maxDepth) continue;
    for (const callee of calleesOf(graph, address)) if (!depths.has(callee)) depths.set(callee, depth + 1);
  }
  return depths;
}

/** Why a path may exist that the dossiers do not show. What lies at the last depth need not be known. */
function gapsOf(graph: CallGraph, reached: ReadonlyMap<bigint, number>, { goal, maxDepth }: { readonly goal: bigint; readonly maxDepth: number }): Omission[] {
  const passed = [...reached].filter(([address, depth]) => depth < maxDepth && address !== goal).map(([address]) => address);
  const missing = passed.filter((address) => !graph.procedures.has(address));
  const partial = passed.flatMap((address) => {
    const gaps = graph.procedures.get(address)?.gaps ?? [];
    return gaps.map((gap) => omission(`callees of ${hex(address)}: ${gap}`, "not_examined", { how_to_continue: "Give its dossier whole, with include_assembly and great limits." }));
  });
  return [
    ...missing.map((address) => omission(`callees of ${hex(address)}: no dossier is given`, "not_examined", { how_to_continue: `Call analyze_function on ${hex(address)} and give its record.` })),
    ...partial,
    ...(graph.mixed ? [omission("the dossiers come from different providers or profiles", "not_examined", { how_to_continue: "Give dossiers of one provider and profile." })] : []),
  ].slice(0, 100);
}

function stepOf(graph: CallGraph, address: bigint, next: bigint | undefined): CallPath["paths"]["items"][number]["steps"][number] {
  const procedure = graph.procedures.get(address);
  const links = next === undefined ? [] : (procedure?.calls.get(next) ?? []);
  return { address: hex(address), name: procedure?.name ?? graph.names.get(address) ?? null, evidence_links: [...links] };
}

function calleesOf(graph: CallGraph, address: bigint): readonly bigint[] {
  return graph.procedures.get(address)?.callees ?? [];
}

function hex(address: bigint): string {
  return `0x${address.toString(16)}`;
}
