import type { valueFrontierReasons } from "@rea/core";
import type { AnalyzedFunction } from "../decompile/pipeline/analyze.js";
import type { FunctionRecord } from "../program.js";
import { calleeEntry, ProcedureValues, type ValueEdgeKind, type ValueNode } from "./procedure-values.js";

export type FrontierReason = (typeof valueFrontierReasons)[number];

export interface TraceSource {
  functionAt(entry: number): FunctionRecord | undefined;
  callers(fn: FunctionRecord): readonly number[];
  /** Undefined for a function without a body here, or one that takes too much work. */
  analyze(fn: FunctionRecord): AnalyzedFunction | undefined;
}

export interface TraceLimits {
  readonly direction: "backward" | "forward";
  readonly nodes: number;
  readonly procedures: number;
}

export interface TracedNode {
  readonly entry: number;
  readonly node: ValueNode;
}

export interface Trace {
  readonly nodes: readonly TracedNode[];
  /** By position in `nodes`. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly kind: ValueEdgeKind }[];
  readonly frontier: readonly { readonly node: number; readonly reason: FrontierReason; readonly target: number | undefined }[];
  /** Bounds that left something out. */
  readonly cut: ReadonlySet<"node_limit" | "procedure_limit">;
}

/** Follows definitions and uses breadth first, over calls where the called function is known. */
export function traceValues(start: AnalyzedFunction, source: TraceSource, limits: TraceLimits): Trace {
  return new Tracer(source, limits).run(start);
}

interface Linked {
  readonly entry: number;
  readonly node: ValueNode;
  readonly kind: ValueEdgeKind;
}

class Tracer {
  readonly #source: TraceSource;
  readonly #limits: TraceLimits;
  readonly #procedures = new Map<number, ProcedureValues | undefined>();
  readonly #positions = new Map<string, number>();
  readonly #nodes: TracedNode[] = [];
  readonly #edges = new Map<string, Trace["edges"][number]>();
  readonly #frontier = new Map<string, Trace["frontier"][number]>();
  readonly #cut = new Set<"node_limit" | "procedure_limit">();
  #start = 0;
  #opened = 0;

  constructor(source: TraceSource, limits: TraceLimits) {
    this.#source = source;
    this.#limits = limits;
  }

  run(start: AnalyzedFunction): Trace {
    const { direction } = this.#limits;
    const values = new ProcedureValues(start);
    const { entry } = start.fn;
    this.#start = entry;
    this.#opened = 1;
    this.#procedures.set(entry, values);
    for (const node of direction === "backward" ? values.ends() : values.starts()) this.#add(entry, node);
    for (let at = 0; at < this.#nodes.length; at += 1) {
      const traced = this.#nodes[at];
      if (traced === undefined) continue;
      for (const linked of direction === "backward" ? this.#before(traced, at) : this.#behind(traced, at)) this.#connect(at, linked);
    }
    return { nodes: this.#nodes, edges: [...this.#edges.values()], frontier: [...this.#frontier.values()], cut: this.#cut };
  }

  #connect(at: number, { entry, node, kind }: Linked): void {
    const other = this.#add(entry, node);
    if (other === undefined) {
      this.#stop(at, "node_limit");
      return;
    }
    const [from, to] = this.#limits.direction === "backward" ? [other, at] : [at, other];
    this.#edges.set(`${String(from)} ${String(to)} ${kind}`, { from, to, kind });
  }

  #add(entry: number, node: ValueNode): number | undefined {
    const key = `${String(entry)} ${node.key}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    if (this.#nodes.length >= this.#limits.nodes) {
      this.#cut.add("node_limit");
      return undefined;
    }
    this.#positions.set(key, this.#nodes.length);
    this.#nodes.push({ entry, node });
    return this.#nodes.length - 1;
  }

  #stop(node: number, reason: FrontierReason, target?: number): void {
    this.#frontier.set(`${String(node)} ${reason} ${String(target)}`, { node, reason, target });
  }

  /** What a value is made of. */
  #before({ entry, node }: TracedNode, at: number): Linked[] {
    const values = this.#procedures.get(entry);
    if (values === undefined) return [];
    const own = values.inputs(node.key).flatMap(({ key, kind }) => this.#linked(values, key, kind));
    if (node.readsMemory) this.#stop(at, "memory");
    if (node.kind === "initial") this.#stop(at, "unknown_value");
    if (node.kind === "parameter") return [...own, ...this.#passed(entry, node, at)];
    return node.kind === "call_result" ? [...own, ...this.#returned(node, at)] : own;
  }

  /** Where a value goes. */
  #behind({ entry, node }: TracedNode, at: number): Linked[] {
    const values = this.#procedures.get(entry);
    if (values === undefined) return [];
    const own = values.outputs(node.key).flatMap(({ key, kind }) => this.#linked(values, key, kind));
    if (node.kind === "store") this.#stop(at, "memory");
    if (node.kind === "argument") return [...own, ...this.#taken(node, at)];
    return node.kind === "return" ? [...own, ...this.#received(entry, at)] : own;
  }

  #linked(values: ProcedureValues, key: string, kind: ValueEdgeKind): Linked[] {
    const node = values.node(key);
    return node === undefined ? [] : [{ entry: values.analyzed.fn.entry, node, kind }];
  }

  /** What callers pass for a parameter: all known ones of the first procedure, of others those that were looked into. */
  #passed(entry: number, { position }: ValueNode, at: number): Linked[] {
    const found: Linked[] = [];
    for (const caller of this.#callers(entry, at)) {
      for (const { args } of caller.callsOf(entry)) {
        const argument = args.find((each) => each.position === position);
        if (argument !== undefined) found.push({ entry: caller.analyzed.fn.entry, node: argument, kind: "argument" });
      }
    }
    if (found.length === 0) this.#stop(at, "no_known_caller");
    return found;
  }

  #received(entry: number, at: number): Linked[] {
    const found: Linked[] = [];
    for (const caller of this.#callers(entry, at)) {
      for (const { result } of caller.callsOf(entry)) if (result !== undefined) found.push({ entry: caller.analyzed.fn.entry, node: result, kind: "result" });
    }
    if (found.length === 0) this.#stop(at, "no_known_caller");
    return found;
  }

  #returned({ call }: ValueNode, at: number): Linked[] {
    const callee = this.#callee(call, at);
    if (callee === undefined) return [];
    return callee.returns().map((node) => ({ entry: callee.analyzed.fn.entry, node, kind: "result" }));
  }

  #taken({ call, position }: ValueNode, at: number): Linked[] {
    const callee = this.#callee(call, at);
    const parameter = position === undefined ? undefined : callee?.parameter(position);
    return callee === undefined || parameter === undefined ? [] : [{ entry: callee.analyzed.fn.entry, node: parameter, kind: "argument" }];
  }

  #callee(call: ValueNode["call"], at: number): ProcedureValues | undefined {
    const entry = call === undefined ? undefined : calleeEntry(call);
    if (entry === undefined) {
      this.#stop(at, call?.callee === undefined || call.callee.name === "" ? "unresolved_call" : "library_function");
      return undefined;
    }
    return this.#open(entry, at);
  }

  #callers(entry: number, at: number): ProcedureValues[] {
    const fn = this.#source.functionAt(entry);
    const entries = fn === undefined ? [] : this.#source.callers(fn);
    return entries.flatMap((caller) => (entry === this.#start || this.#procedures.has(caller) ? (this.#open(caller, at) ?? []) : []));
  }

  #open(entry: number, at: number): ProcedureValues | undefined {
    if (this.#procedures.has(entry)) {
      const known = this.#procedures.get(entry);
      if (known === undefined) this.#stop(at, "not_lifted", entry);
      return known;
    }
    const fn = this.#source.functionAt(entry);
    if (fn === undefined || fn.external) {
      this.#stop(at, fn?.external === true ? "library_function" : "no_body", entry);
      return undefined;
    }
    if (this.#opened >= this.#limits.procedures) {
      this.#cut.add("procedure_limit");
      this.#stop(at, "procedure_limit", entry);
      return undefined;
    }
    this.#opened += 1;
    const analyzed = this.#source.analyze(fn);
    const values = analyzed === undefined ? undefined : new ProcedureValues(analyzed);
    this.#procedures.set(entry, values);
    if (values === undefined) this.#stop(at, "not_lifted", entry);
    return values;
  }
}
