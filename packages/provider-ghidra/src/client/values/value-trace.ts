import { coverageOf, omission, type Omission, type OperationResult } from "@rea/core";
import type { CallPlace, ProcedureGraph } from "./procedure-graph.js";

type Result = OperationResult<"trace_native_values">;
type FrontierReason = Result["frontier"][number]["reason"];
type EdgeKind = Result["edges"][number]["kind"];

export interface TraceQuestion {
  /** Entry address. */
  readonly procedure: string;
  readonly direction: "backward" | "forward";
  readonly max_nodes: number;
  readonly max_procedures: number;
}

/** Where graphs come from; each is asked for once. */
export interface GraphSource {
  /** Null for a procedure without a body; `failed` when the decompiler gave nothing for it. */
  graph(entry: string): Promise<ProcedureGraph | "failed" | null>;
  callers(entry: string): Promise<readonly string[]>;
}

interface Traced {
  readonly entry: string;
  readonly graph: ProcedureGraph;
  readonly node: number;
}

type Linked = Traced & { readonly kind: EdgeKind };

/** Follows definitions and uses breadth first, into called procedures and out to known callers. */
export class ValueTrace {
  readonly #source: GraphSource;
  readonly #question: TraceQuestion;
  readonly #graphs = new Map<string, ProcedureGraph | "failed" | null>();
  readonly #positions = new Map<string, number>();
  readonly #traced: Traced[] = [];
  readonly #edges = new Map<string, Result["edges"][number]>();
  readonly #frontier = new Map<string, Result["frontier"][number]>();
  #nodesLeft = false;
  #proceduresLeft = false;

  constructor(source: GraphSource, question: TraceQuestion) {
    this.#source = source;
    this.#question = question;
  }

  /** Null when the procedure has no body, or its decompilation failed. */
  async run(): Promise<Result | null> {
    const { procedure, direction } = this.#question;
    const graph = await this.#open(procedure);
    if (graph === null || typeof graph === "string") return null;
    for (const node of graph.seeds(direction)) this.#add({ entry: procedure, graph, node });
    for (let at = 0; at < this.#traced.length; at += 1) {
      const from = this.#traced[at];
      if (from !== undefined) for (const linked of await this.#linked(from, at)) this.#connect(at, linked);
    }
    return this.#result();
  }

  async #linked(traced: Traced, at: number): Promise<readonly Linked[]> {
    const { direction } = this.#question;
    const { entry, graph, node } = traced;
    const own = graph.neighbours(node, direction).map((next) => ({ entry, graph, node: next.node, kind: next.kind }));
    const kind = graph.nodes[node]?.kind;
    if (kind === (direction === "backward" ? "memory" : "store")) this.#stop(at, "memory");
    if (kind === "initial" && direction === "backward") this.#stop(at, "unknown_value");
    const place = graph.callAt(node);
    if (place !== undefined && (place.argument === null) === (direction === "backward")) return [...own, ...(await this.#into(place, at))];
    if (kind === (direction === "backward" ? "parameter" : "return")) return [...own, ...(await this.#outOf(traced, at))];
    return own;
  }

  /** From a call's result to what the callee returns, or from an argument to the callee's parameter. */
  async #into({ call, argument }: CallPlace, at: number): Promise<readonly Linked[]> {
    if (call.target === null) return this.#stop(at, "unresolved_call");
    if (!call.has_body) return this.#stop(at, "library_function", call.target);
    const entry = call.target;
    const graph = await this.#open(entry);
    if (graph === "limit") return this.#stop(at, "procedure_limit", entry);
    if (graph === null) return this.#stop(at, "no_body", entry);
    if (graph === "failed") return this.#stop(at, "not_lifted", entry);
    if (argument === null) return graph.returns.map((node) => ({ entry, graph, node, kind: "result" as const }));
    const node = graph.parameter(argument);
    return node === undefined ? [] : [{ entry, graph, node, kind: "argument" }];
  }

  /** From a parameter to what callers pass, or from a return to where they take it. */
  async #outOf({ entry, graph, node }: Traced, at: number): Promise<readonly Linked[]> {
    const found: Linked[] = [];
    for (const caller of await this.#callers(entry, at)) {
      for (const call of caller.graph.calls) {
        if (call.target !== entry) continue;
        const slot = this.#question.direction === "backward" ? graph.slotOf(node) : undefined;
        const place = this.#question.direction === "forward" ? call.result : slot === undefined ? null : call.arguments[slot];
        if (place !== null && place !== undefined) found.push({ ...caller, node: place, kind: this.#question.direction === "backward" ? "argument" : "result" });
      }
    }
    return found.length === 0 ? this.#stop(at, "no_known_caller") : found;
  }

  /** All known ones of the first procedure; of others those that were looked into anyway. */
  async #callers(entry: string, at: number): Promise<readonly { readonly entry: string; readonly graph: ProcedureGraph }[]> {
    const callers = entry === this.#question.procedure ? await this.#source.callers(entry) : [...this.#graphs.keys()];
    const found = [];
    for (const caller of callers) {
      const graph = await this.#open(caller);
      if (graph === "limit") this.#stop(at, "procedure_limit", caller);
      else if (graph !== null && graph !== "failed") found.push({ entry: caller, graph });
    }
    return found;
  }

  async #open(entry: string): Promise<ProcedureGraph | "failed" | "limit" | null> {
    const known = this.#graphs.get(entry);
    if (known !== undefined) return known;
    if (this.#graphs.size >= this.#question.max_procedures) {
      this.#proceduresLeft = true;
      return "limit";
    }
    const graph = await this.#source.graph(entry);
    this.#graphs.set(entry, graph);
    if (graph instanceof Object && graph.cut) this.#nodesLeft = true;
    return graph;
  }

  #connect(at: number, { kind, ...linked }: Linked): void {
    const other = this.#add(linked);
    if (other === undefined) return void this.#stop(at, "node_limit");
    const [from, to] = this.#question.direction === "backward" ? [other, at] : [at, other];
    this.#edges.set(`${String(from)} ${String(to)} ${kind}`, { from: idOf(from), to: idOf(to), kind });
  }

  #add(traced: Traced): number | undefined {
    const key = `${traced.entry} ${String(traced.node)}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    if (this.#traced.length >= this.#question.max_nodes) {
      this.#nodesLeft = true;
      return undefined;
    }
    this.#positions.set(key, this.#traced.length);
    return this.#traced.push(traced) - 1;
  }

  #stop(node: number, reason: FrontierReason, target: string | null = null): readonly Linked[] {
    this.#frontier.set(`${String(node)} ${reason} ${String(target)}`, { node: idOf(node), reason, target });
    return [];
  }

  #result(): Result {
    const { max_nodes, max_procedures } = this.#question;
    const left: Omission[] = [];
    if (this.#nodesLeft) left.push(omission("nodes", "limit_items", { limit: max_nodes, how_to_continue: "Raise max_nodes." }));
    if (this.#proceduresLeft) {
      left.push(omission("procedures", "limit_items", { limit: max_procedures, how_to_continue: "Raise max_procedures, or trace the procedures that the frontier names." }));
    }
    const nodes = this.#traced.flatMap(({ entry, graph, node }, position) => {
      const shown = graph.nodes[node];
      return shown === undefined ? [] : [{ id: idOf(position), procedure: entry, ...shown }];
    });
    return { nodes, edges: [...this.#edges.values()], frontier: [...this.#frontier.values()], coverage: coverageOf(left) };
  }
}

function idOf(position: number): string {
  return `n${String(position + 1)}`;
}
