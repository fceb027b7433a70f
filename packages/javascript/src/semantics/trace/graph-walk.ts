import type { ApplicationEdge, ApplicationGraph, ApplicationNodeKind, FeatureTrace } from "@rea/core";

export type WalkDirection = "outgoing" | "incoming";

/** One step of the walk: an edge and the node on its other side. */
interface Step {
  readonly edge: number;
  readonly node: number;
  /** Leads from a part to what contains it. */
  readonly isUpward: boolean;
}

export interface WalkLimits {
  readonly max_depth: number;
  readonly max_nodes: number;
  readonly max_edges: number;
}

export interface Reached {
  readonly node: number;
  readonly depth: number;
  /** The step that reached it first; undefined for seeds. */
  readonly by: { readonly edge: number; readonly from: number } | undefined;
}

export interface Walk {
  readonly direction: WalkDirection;
  /** In the order in which nodes were reached. */
  readonly reached: ReadonlyMap<number, Reached>;
  readonly edges: ReadonlySet<number>;
  readonly frontier: ReadonlyMap<number, { readonly reason: FeatureTrace["frontier"]["items"][number]["reason"]; readonly edges: number }>;
  /** Nodes that nothing leads on from. */
  readonly ends: ReadonlySet<number>;
}

/** Holders of everything: what they contain says nothing about a feature. */
const holders: ReadonlySet<ApplicationNodeKind> = new Set(["artifact", "package", "installer", "asar-entry", "source-map"]);

const opened: ReadonlySet<ApplicationNodeKind> = new Set(["browser-window", "electron-preload", "electron-renderer"]);

/** Walks an application graph from cause to effect or back; a message goes through its channel to the handler and the code around that. */
export class GraphWalker {
  readonly #graph: ApplicationGraph;
  readonly #steps: { readonly [D in WalkDirection]: ReadonlyMap<number, readonly Step[]> };

  constructor(graph: ApplicationGraph) {
    this.#graph = graph;
    this.#steps = { outgoing: new Map(), incoming: new Map() };
    const index = new Map(graph.nodes.map(({ node_id }, position) => [node_id, position]));
    const steps = { outgoing: new Map<number, Step[]>(), incoming: new Map<number, Step[]>() };
    for (const [position, edge] of graph.edges.entries()) {
      const [from, to] = [index.get(edge.from), index.get(edge.to)];
      if (from === undefined || to === undefined) continue;
      for (const { direction, at, step } of this.#stepsOf(edge, { from, to, position })) {
        const list = steps[direction].get(at);
        if (list === undefined) steps[direction].set(at, [step]);
        else list.push(step);
      }
    }
    this.#steps = steps;
  }

  walk(seeds: readonly number[], direction: WalkDirection, limits: WalkLimits): Walk {
    const reached = new Map<number, Reached>(seeds.map((node) => [node, { node, depth: 0, by: undefined }]));
    const edges = new Set<number>();
    const frontier = new Map<number, { reason: FeatureTrace["frontier"]["items"][number]["reason"]; edges: number }>();
    const ends = new Set<number>();
    const upward = new Set<number>();
    const queue = [...seeds];
    for (let at = 0; at < queue.length; at += 1) {
      const node = queue[at];
      const here = node === undefined ? undefined : reached.get(node);
      if (node === undefined || here === undefined) continue;
      const steps = (this.#steps[direction].get(node) ?? []).filter((step) => !(upward.has(node) && this.#isBeside(step, direction)));
      if (steps.length === 0) ends.add(node);
      const stop = (reason: FeatureTrace["frontier"]["items"][number]["reason"]): void => {
        const known = frontier.get(node);
        frontier.set(node, { reason, edges: (known?.edges ?? 0) + 1 });
      };
      for (const step of steps) {
        const isNew = !reached.has(step.node);
        if (here.depth >= limits.max_depth) {
          if (isNew) stop("max_depth");
          continue;
        }
        if (!edges.has(step.edge) && edges.size >= limits.max_edges) {
          stop("max_edges");
          continue;
        }
        if (isNew && reached.size >= limits.max_nodes) {
          stop("max_nodes");
          continue;
        }
        edges.add(step.edge);
        if (!isNew) continue;
        reached.set(step.node, { node: step.node, depth: here.depth + 1, by: { edge: step.edge, from: node } });
        if (step.isUpward) upward.add(step.node);
        queue.push(step.node);
      }
    }
    return { direction, reached, edges, frontier, ends };
  }

  /** What else the code around a part holds or opens: other handlers, windows and what they load. */
  #isBeside({ edge, node }: Step, direction: WalkDirection): boolean {
    const kind = this.#graph.nodes[node]?.kind;
    if (direction === "incoming") return kind === "ipc-handler";
    return this.#graph.edges[edge]?.relation === "contains" || (kind !== undefined && opened.has(kind));
  }

  /** Which ways an edge can be walked. */
  #stepsOf({ relation }: ApplicationEdge, { from, to, position }: { readonly from: number; readonly to: number; readonly position: number }): readonly { readonly direction: WalkDirection; readonly at: number; readonly step: Step }[] {
    const step = (direction: WalkDirection, at: number, node: number, isUpward = false) => ({ direction, at, step: { edge: position, node, isUpward } });
    // A handler names its channel; the message goes the other way.
    if (relation === "handles") return [step("outgoing", to, from), step("incoming", from, to)];
    if (relation !== "contains") return [step("outgoing", from, to), step("incoming", to, from)];
    const [holder, held] = [this.#graph.nodes[from]?.kind, this.#graph.nodes[to]?.kind];
    if (holder === undefined || holders.has(holder)) return [];
    // What a handler does is what the code around it does, and what that does a handler may have asked for.
    const own = held === "ipc-handler" ? [step("outgoing", to, from, true), step("incoming", from, to)] : [];
    return [...own, step("outgoing", from, to), step("incoming", to, from, true)];
  }
}
