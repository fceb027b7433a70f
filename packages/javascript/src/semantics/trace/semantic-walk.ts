import type { SemanticLink, SemanticRelation, SemanticRows, SemanticTraceDirection, SemanticTraceLimits } from "@rea/core";
import { SemanticSteps } from "./semantic-steps.js";

export interface WalkedRelation {
  readonly link: SemanticLink;
  /** Steps from a seed to its nearer end. */
  readonly depth: number;
}

export interface SemanticWalk {
  /** Depth of each node, in the order in which they were reached. */
  readonly depths: ReadonlyMap<number, number>;
  readonly relations: readonly WalkedRelation[];
  /** Edges that only a run decides and that were left out. */
  readonly ambiguous: number;
  readonly cut: { readonly depth: number; readonly items: number };
}

interface Walking {
  readonly direction: SemanticTraceDirection;
  readonly allowed: ReadonlySet<SemanticRelation> | null;
  readonly includeAmbiguous: boolean;
  readonly limits: SemanticTraceLimits;
}

/** Walks a semantic graph from seeds, the nearest first. */
export function walkSemantics(rows: SemanticRows, seeds: readonly number[], { direction, allowed, includeAmbiguous, limits }: Walking): SemanticWalk {
  const steps = new SemanticSteps(rows);
  const depths = new Map<number, number>(seeds.map((node) => [node, 0]));
  const relations: WalkedRelation[] = [];
  const seen = new Set<string>();
  const leftOut = new Set<number>();
  const cut = { depth: 0, items: 0 };
  const expanded = new Set<number>();
  const queue = [...seeds];
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at] ?? -1;
    const depth = depths.get(node) ?? 0;
    if (expanded.has(node)) continue;
    expanded.add(node);
    for (const step of steps.from(node, direction, depth === 0)) {
      const { link } = step;
      if (allowed !== null && !allowed.has(link.relation)) continue;
      if (link.state === "unknown" && !includeAmbiguous) {
        leftOut.add(step.edge);
        continue;
      }
      const key = step.edge >= 0 ? String(step.edge) : `${link.relation} ${String(link.from)} ${String(link.to)}`;
      if (seen.has(key)) continue;
      const isNew = !depths.has(step.node);
      if (depth >= limits.max_depth) {
        cut.depth += 1;
        continue;
      }
      if (relations.length >= limits.max_edges || (isNew && depths.size >= limits.max_nodes)) {
        cut.items += 1;
        continue;
      }
      seen.add(key);
      relations.push({ link, depth: depth + 1 });
      if (isNew) depths.set(step.node, depth + 1);
      if (step.goesOn && !expanded.has(step.node)) queue.push(step.node);
    }
  }
  return { depths, relations, ambiguous: leftOut.size, cut };
}
