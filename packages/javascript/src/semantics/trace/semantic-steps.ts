import { semanticEdgeColumns, type SemanticGraph, type SemanticLink, type SemanticNodeKind, type SemanticRelation, type SemanticRows, type SemanticTraceDirection } from "@rea/core";

/** Which way values go along a relation: with it, against it, or not at all. */
const flows: { readonly [R in SemanticRelation]: "with" | "against" | "none" } = {
  defines: "none",
  reads: "against",
  writes: "with",
  captures: "against",
  aliases: "against",
  aggregates: "against",
  parses: "against",
  coerces: "against",
  validates: "against",
  "consumed-by": "with",
  initializes: "with",
  destructures: "against",
  returns: "against",
  throws: "against",
  yields: "against",
  compares: "against",
  calls: "none",
  constructs: "none",
  "argument-to-parameter": "with",
  "returns-to-call": "with",
  awaits: "against",
  chains: "against",
  "passes-callback": "none",
  registers: "none",
  removes: "none",
  dispatches: "none",
  "schedules-timer": "none",
  "cancels-timer": "none",
  spawns: "with",
  "connects-stdio": "none",
  "constructs-request": "with",
  "sends-message": "with",
  "reads-environment": "against",
  "reads-argv": "against",
  "reads-config": "against",
  owns: "none",
  acquires: "with",
  releases: "none",
  contains: "none",
};

/** A function that only looks at a value does not hand it on. */
const looking: ReadonlySet<SemanticRelation> = new Set(["reads", "captures", "validates", "compares", "awaits", "writes", "reads-environment", "reads-argv", "reads-config"]);
const calling: ReadonlySet<SemanticRelation> = new Set(["calls", "constructs", "passes-callback", "registers", "dispatches"]);
const owning: ReadonlySet<SemanticRelation> = new Set(["owns", "acquires", "releases", "spawns", "connects-stdio", "schedules-timer", "cancels-timer", "registers", "removes", "constructs-request"]);
const holding: ReadonlySet<SemanticRelation> = new Set(["initializes", "aliases", "aggregates", "destructures"]);
const owned: ReadonlySet<SemanticNodeKind> = new Set(["resource", "process", "timer", "request", "configuration-read"]);

/** One step of a trace: the relation as the graph has it, and the node that it leads to. */
export interface SemanticStep {
  /** Position of the edge; -1 where a relation follows from what is around a node. */
  readonly edge: number;
  readonly link: SemanticLink;
  readonly node: number;
  /** The trace goes on from there. */
  readonly goesOn: boolean;
}

/** Edges of a semantic graph by their ends. */
export class SemanticSteps {
  readonly #rows: SemanticRows;
  readonly #from: Adjacency;
  readonly #to: Adjacency;
  #inside: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(rows: SemanticRows) {
    this.#rows = rows;
    this.#from = adjacency(rows.graph, semanticEdgeColumns.indexOf("from"), rows.nodes);
    this.#to = adjacency(rows.graph, semanticEdgeColumns.indexOf("to"), rows.nodes);
  }

  /** Steps from a node in a direction; `isSeed` where the trace begins. */
  *from(node: number, direction: SemanticTraceDirection, isSeed: boolean): Generator<SemanticStep> {
    const kind = this.#rows.node(node)?.kind;
    if (kind === undefined) return;
    if (direction === "callers") yield* this.#callers(node, kind);
    else if (direction === "ownership") yield* this.#ownership(node, { kind, isSeed });
    else yield* this.#flow(node, { kind, isSeed, isForward: direction === "forward-influence" });
  }

  *#flow(node: number, { kind, isSeed, isForward }: { readonly kind: SemanticNodeKind; readonly isSeed: boolean; readonly isForward: boolean }): Generator<SemanticStep> {
    for (const { edge, link, isOut } of this.#around(node)) {
      const flow = flows[link.relation];
      if (flow === "none" || (flow === "with") !== (isOut === isForward)) continue;
      // The name of a channel is not what is sent through it.
      if (link.relation === "sends-message" && this.#rows.node(link.to)?.kind !== "call-site") continue;
      const isLook = looking.has(link.relation);
      // What a function reads reaches what it returns only where the code says so, by its returns.
      if (isLook && kind === "function" && !isSeed) continue;
      yield { edge, link, node: isOut ? link.to : link.from, goesOn: !isLook || (kind === "function" && isSeed) || this.#rows.node(isOut ? link.to : link.from)?.kind !== "function" };
    }
  }

  /** From a function to the calls that reach it, and from those to the function around them. */
  *#callers(node: number, kind: SemanticNodeKind): Generator<SemanticStep> {
    if (kind !== "function" && kind !== "binding" && kind !== "parameter") {
      const around = this.#rows.node(node)?.within ?? -1;
      if (around >= 0) yield { ...inside("contains", around, node), node: around, goesOn: true };
      for (const { edge, link, isOut } of this.#around(node)) if (!isOut && link.relation === "schedules-timer") yield { edge, link, node: link.from, goesOn: true };
      return;
    }
    for (const { edge, link, isOut } of this.#around(node)) {
      if (!isOut && calling.has(link.relation)) yield { edge, link, node: link.from, goesOn: true };
      // A function is also called by the names that hold it.
      else if (kind === "function" ? isOut && link.relation === "initializes" : !isOut && link.relation === "aliases") yield { edge, link, node: isOut ? link.to : link.from, goesOn: true };
    }
  }

  *#ownership(node: number, { kind, isSeed }: { readonly kind: SemanticNodeKind; readonly isSeed: boolean }): Generator<SemanticStep> {
    for (const { edge, link, isOut } of this.#around(node)) {
      const other = isOut ? link.to : link.from;
      if (owning.has(link.relation)) yield { edge, link, node: other, goesOn: kind !== "function" || isSeed };
      else if (holding.has(link.relation) && kind !== "function" && this.#rows.node(other)?.kind !== "literal") yield { edge, link, node: other, goesOn: isOut === (link.relation === "initializes") };
    }
    const around = this.#rows.node(node)?.within ?? -1;
    if (around >= 0 && kind !== "literal") yield { ...inside(kind === "binding" || kind === "parameter" ? "defines" : "contains", around, node), node: around, goesOn: false };
    if (isSeed && kind === "function") yield* this.#owned(node);
  }

  /** What a function holds that is opened, started or asked for in it. */
  *#owned(node: number): Generator<SemanticStep> {
    for (const one of this.#held(node)) {
      const kind = this.#rows.node(one)?.kind ?? "unknown";
      if (owned.has(kind) || (kind === "call-site" && this.#isOwning(one))) yield { ...inside("contains", node, one), node: one, goesOn: true };
    }
  }

  #isOwning(call: number): boolean {
    for (const { link, isOut } of this.#around(call)) if (isOut && owning.has(link.relation)) return true;
    return false;
  }

  #held(node: number): readonly number[] {
    if (this.#inside === undefined) {
      const map = new Map<number, number[]>();
      for (let index = 0; index < this.#rows.nodes; index += 1) {
        const within = this.#rows.node(index)?.within ?? -1;
        const list = map.get(within);
        if (list === undefined) map.set(within, [index]);
        else list.push(index);
      }
      this.#inside = map;
    }
    return this.#inside.get(node) ?? [];
  }

  *#around(node: number): Generator<{ readonly edge: number; readonly link: SemanticLink; readonly isOut: boolean }> {
    for (const [list, isOut] of [[this.#from, true], [this.#to, false]] as const) {
      for (let at = list.starts[node] ?? 0; at < (list.starts[node + 1] ?? 0); at += 1) {
        const edge = list.edges[at] ?? -1;
        const link = this.#rows.edge(edge);
        // A row of a foreign graph may lead nowhere.
        if (link !== undefined && this.#rows.node(isOut ? link.to : link.from) !== undefined) yield { edge, link, isOut };
      }
    }
  }
}

/** A relation that the place of a node shows. */
function inside(relation: "contains" | "defines", from: number, to: number): Pick<SemanticStep, "edge" | "link"> {
  return { edge: -1, link: { relation, from, to, state: "observed", confidence: "exact", reason: null } };
}

interface Adjacency {
  /** By node: where its edges begin in `edges`. */
  readonly starts: Int32Array;
  readonly edges: Int32Array;
}

function adjacency({ edges }: SemanticGraph, column: number, nodes: number): Adjacency {
  const stride = semanticEdgeColumns.length;
  const count = Math.floor(edges.length / stride);
  const starts = new Int32Array(nodes + 2);
  const end = (edge: number): number => edges[edge * stride + column] ?? -1;
  for (let edge = 0; edge < count; edge += 1) if (end(edge) >= 0 && end(edge) < nodes) starts[end(edge) + 2] = (starts[end(edge) + 2] ?? 0) + 1;
  for (let node = 0; node <= nodes; node += 1) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const list = new Int32Array(count);
  for (let edge = 0; edge < count; edge += 1) {
    const node = end(edge);
    if (node < 0 || node >= nodes) continue;
    const at = starts[node + 1] ?? 0;
    list[at] = edge;
    starts[node + 1] = at + 1;
  }
  return { starts, edges: list };
}
