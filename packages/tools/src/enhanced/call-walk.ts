import type { Execution, Omission, OperationResult, ReaError } from "@rea/core";
import type { ToolMode } from "@rea/tool";
import { compareAddresses, sortedAddresses } from "../composed/address-order.js";
import type { Budget } from "../composed/budget.js";
import type { Composition } from "../composed/composition.js";
import { distinctOmissions } from "../composed/distinct-omissions.js";
import { isImportedName } from "../composed/imported-name.js";
import { failureAt, type LocalFailure } from "../composed/failure.js";
import { walkPages } from "../composed/paging.js";

/** The two ways to walk, each with the one operation it needs. */
export const callModes: readonly ToolMode[] = [
  { name: "forward", operations: ["procedure_callees"], remediation: "Open the target with a provider that lists callees." },
  { name: "backward", operations: ["procedure_callers"], remediation: "Open the target with a provider that lists callers." },
];

export type CallDirection = "forward" | "backward";
export type FrontierReason = "max_depth" | "max_nodes" | "max_operations" | "failed" | "goal_reached";

export interface WalkNode {
  readonly address: string;
  readonly depth: number;
  /** Node it was first reached from; null for the start. */
  readonly parent: string | null;
  /** Whether all its calls were read. */
  expanded: boolean;
}

/** A call, always from caller to callee, whichever way the walk went. */
export interface WalkEdge {
  readonly from: string;
  readonly to: string;
}

export interface WalkOptions {
  readonly start: string;
  readonly goal?: string | undefined;
  readonly direction: CallDirection;
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly budget: Budget;
  /** One page of resolved direct calls of a procedure, in the direction of the walk. */
  neighbours(address: string, offset: number): Promise<Execution<OperationResult<"procedure_callees">>>;
  /** Names at an exact address, to tell imports from procedures; absent when the provider cannot say. */
  names?: ((address: string) => Promise<Execution<OperationResult<"list_names">>>) | undefined;
}

export interface CallWalk {
  /** In order of discovery: breadth first, then by address. */
  readonly nodes: ReadonlyMap<string, WalkNode>;
  readonly edges: readonly WalkEdge[];
  /** What is known to be there but was not followed. */
  readonly frontier: readonly { readonly address: string; readonly reason: FrontierReason }[];
  readonly failures: readonly LocalFailure[];
  /** What the provider says its lists of calls leave out. */
  readonly omissions: readonly Omission[];
  readonly reached: boolean;
}

/**
 * Breadth-first walk over resolved direct calls. Neighbours are taken in order of address, so the parents spell the
 * shortest path, and among equally short ones the first by address. Stops as soon as the goal is discovered.
 * A failure stays local to its node; when not even the start can be read, it is thrown.
 */
export async function walkCalls(composition: Composition, options: WalkOptions): Promise<CallWalk> {
  const { start, goal } = options;
  const nodes = new Map<string, WalkNode>([[start, { address: start, depth: 0, parent: null, expanded: false }]]);
  const edges: WalkEdge[] = [];
  const frontier = new Map<string, FrontierReason>();
  const failures: LocalFailure[] = [];
  const omissions: Omission[] = [];
  const queue = [start];
  let reached = goal === start;

  const discover = (address: string, from: WalkNode): void => {
    if (!nodes.has(address)) {
      if (nodes.size >= options.maxNodes) {
        frontier.set(address, "max_nodes");
        return;
      }
      nodes.set(address, { address, depth: from.depth + 1, parent: from.address, expanded: false });
      queue.push(address);
      reached ||= address === goal;
    }
    const forward = options.direction === "forward";
    edges.push(forward ? { from: from.address, to: address } : { from: address, to: from.address });
  };

  for (let index = 0; index < queue.length; index += 1) {
    const node = nodes.get(queue[index] ?? "");
    if (node === undefined) continue;
    const obstacle = reached ? "goal_reached" : node.depth >= options.maxDepth ? "max_depth" : undefined;
    if (obstacle !== undefined) {
      frontier.set(node.address, obstacle);
      continue;
    }
    const { found, end, error, left } = await readNeighbours(composition, options, node.address);
    omissions.push(...left);
    if (error !== undefined && nodes.size === 1 && found.length === 0) throw error;
    if (error !== undefined) failures.push(failureAt(node.address, neighbourOperation(options.direction), error));
    if (end === "complete") node.expanded = true;
    else frontier.set(node.address, end);
    for (const address of sortedAddresses(found)) discover(address, node);
  }
  return { nodes, edges, frontier: sortedFrontier(frontier), failures, omissions: distinctOmissions(omissions), reached };
}

/** Addresses from the start to `goal` in the order of the walk; empty when the goal was not discovered. */
export function pathTo(walk: CallWalk, goal: string): string[] {
  const path: string[] = [];
  for (let node = walk.nodes.get(goal); node !== undefined; node = walk.nodes.get(node.parent ?? "")) {
    path.unshift(node.address);
  }
  return path;
}

export function neighbourOperation(direction: CallDirection): "procedure_callees" | "procedure_callers" {
  return direction === "forward" ? "procedure_callees" : "procedure_callers";
}

interface Neighbours {
  readonly found: readonly string[];
  readonly end: "complete" | "max_operations" | "failed";
  readonly left: readonly Omission[];
  readonly error?: ReaError;
}

/** Reads the pages to their end, as far as the budget goes; what was read before an obstacle counts. */
async function readNeighbours(
  composition: Composition,
  options: WalkOptions,
  address: string,
): Promise<Neighbours> {
  const { budget } = options;
  const found: string[] = [];
  const left: Omission[] = [];
  let obstacle: Neighbours | undefined;
  await walkPages(
    neighbourOperation(options.direction),
    async (offset) => {
      if (!budget.take()) {
        obstacle = { found, left, end: "max_operations" };
        return undefined;
      }
      const page = await composition.attempt(() => options.neighbours(address, offset));
      if (page.ok) return page.value;
      obstacle = (await isImport(composition, options, address, page.error))
        ? { found, left, end: "complete" }
        : { found, left, end: "failed", error: page.error };
      return undefined;
    },
    (page) => {
      found.push(...page.items);
      left.push(...page.coverage.omissions);
    },
  );
  return obstacle ?? { found, left, end: "complete" };
}

/**
 * Whether an address that is called but is no procedure is an import: its code is in another file, so there is nothing
 * to follow here.
 */
async function isImport(composition: Composition, options: WalkOptions, address: string, error: ReaError): Promise<boolean> {
  const { names, budget, start } = options;
  if (names === undefined || address === start || error.code !== "target_unavailable" || !budget.take()) return false;
  const page = await composition.attempt(() => names(address));
  return page.ok && page.value.items.length > 0 && page.value.items.every(isImportedName);
}

function sortedFrontier(frontier: ReadonlyMap<string, FrontierReason>): CallWalk["frontier"] {
  return [...frontier]
    .map(([address, reason]) => ({ address, reason }))
    .sort((a, b) => compareAddresses(a.address, b.address));
}
