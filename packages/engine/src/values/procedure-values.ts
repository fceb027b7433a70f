import type { valueEdgeKinds, valueNodeKinds } from "@rea/core";
import type { AnalyzedFunction } from "../decompile/pipeline/analyze.js";
import type { CallStatement, Statement } from "../decompile/ssa/graph.js";
import { forEachUse, readsMemory, type Definition, type Expr } from "../ir/expression.js";
import { ValueText } from "./value-text.js";

export type ValueKind = (typeof valueNodeKinds)[number];
export type ValueEdgeKind = (typeof valueEdgeKinds)[number];

/** A definition or a use in one procedure. */
export interface ValueNode {
  readonly key: string;
  readonly kind: ValueKind;
  /** RVA of the instruction; undefined for what is there at the entry, and for merges. */
  readonly at: number | undefined;
  readonly text: string;
  readonly bits: number;
  readonly readsMemory: boolean;
  /** Of arguments and results of calls. */
  readonly call: CallStatement | undefined;
  /** Position of an argument or a parameter. */
  readonly position: number | undefined;
}

export interface ValueLink {
  readonly key: string;
  readonly kind: ValueEdgeKind;
}

/** Definitions and uses of one procedure, linked both ways. */
export class ProcedureValues {
  readonly analyzed: AnalyzedFunction;
  readonly #nodes = new Map<string, ValueNode>();
  readonly #inputs = new Map<string, ValueLink[]>();
  readonly #outputs = new Map<string, ValueLink[]>();
  readonly #places = new Map<Definition, { readonly kind: ValueKind; readonly at: number | undefined; readonly call?: CallStatement }>();
  readonly #parameters: ReadonlyMap<Definition, number>;
  readonly #text = new ValueText((def) => this.#nameOf(def));

  constructor(analyzed: AnalyzedFunction) {
    this.analyzed = analyzed;
    const { graph, signature } = analyzed;
    this.#parameters = new Map(signature.parameters.flatMap(({ place }, position) => {
      const def = place === undefined ? undefined : graph.entryValues.get(place);
      return def === undefined ? [] : [[def, position] as const];
    }));
    for (const block of graph.blocks) {
      for (const statement of block.statements) this.#place(statement);
      for (const phi of block.phis) this.#places.set(phi, { kind: "merge", at: undefined });
    }
    for (const block of graph.blocks) {
      for (const statement of block.statements) this.#uses(statement);
      const { ending } = block;
      if (ending.kind === "branch") this.#sink(`c${String(ending.at)}`, { kind: "condition", at: ending.at, values: [ending.condition] });
      else if (ending.kind === "switch") this.#sink(`c${String(ending.at)}`, { kind: "condition", at: ending.at, values: [ending.selector] });
      else if (ending.kind === "return" && ending.value !== undefined) this.#sink(`r${String(ending.at)}.${String(block.id)}`, { kind: "return", at: ending.at, values: [ending.value] });
    }
  }

  node(key: string): ValueNode | undefined {
    return this.#nodes.get(key);
  }

  inputs(key: string): readonly ValueLink[] {
    return this.#inputs.get(key) ?? [];
  }

  outputs(key: string): readonly ValueLink[] {
    return this.#outputs.get(key) ?? [];
  }

  /** Where values end: returns, stores, arguments, conditions, effects; in order of address. */
  ends(): readonly ValueNode[] {
    return sorted([...this.#nodes.values()].filter(({ kind }) => kind === "return" || kind === "store" || kind === "argument" || kind === "condition" || kind === "effect"));
  }

  /** Where values begin: parameters, what was there before, results of calls, memory; in order. */
  starts(): readonly ValueNode[] {
    return sorted([...this.#nodes.values()].filter(({ kind, readsMemory: isRead }) => kind === "parameter" || kind === "initial" || kind === "call_result" || isRead));
  }

  returns(): readonly ValueNode[] {
    return sorted([...this.#nodes.values()].filter(({ kind }) => kind === "return"));
  }

  parameter(position: number): ValueNode | undefined {
    return [...this.#nodes.values()].find((node) => node.kind === "parameter" && node.position === position);
  }

  /** Arguments and the used result of the calls of a function. */
  callsOf(entry: number): readonly { readonly args: readonly ValueNode[]; readonly result: ValueNode | undefined }[] {
    const found = new Map<CallStatement, { args: ValueNode[]; result: ValueNode | undefined }>();
    for (const node of this.#nodes.values()) {
      if (node.call === undefined || calleeEntry(node.call) !== entry) continue;
      const call = found.get(node.call) ?? { args: [], result: undefined };
      found.set(node.call, call);
      if (node.kind === "argument") call.args.push(node);
      else call.result = node;
    }
    return [...found].sort(([a], [b]) => a.at - b.at).map(([, call]) => call);
  }

  argumentsOf(call: CallStatement): readonly ValueNode[] {
    return [...this.#nodes.values()].filter((node) => node.call === call && node.kind === "argument");
  }

  resultOf(call: CallStatement): ValueNode | undefined {
    return [...this.#nodes.values()].find((node) => node.call === call && node.kind === "call_result");
  }

  #place(statement: Statement): void {
    const { at } = statement;
    if (statement.kind === "def") this.#places.set(statement.def, { kind: "value", at });
    else if (statement.kind === "call") for (const def of statement.results.values()) this.#places.set(def, { kind: "call_result", at, call: statement });
    else if (statement.kind === "effect" && statement.result !== undefined) this.#places.set(statement.result, { kind: "effect", at });
  }

  #uses(statement: Statement): void {
    const { at } = statement;
    if (statement.kind === "def") this.#define(statement.def);
    else if (statement.kind === "store") {
      if (!this.#isSavedRegister(statement.value)) this.#sink(`s${String(at)}.${String(this.#nodes.size)}`, { kind: "store", at, values: [statement.address, statement.value], text: `[${this.#text.of(statement.address)}] = ${this.#text.of(statement.value)}` });
    } else if (statement.kind === "effect") this.#sink(`e${String(at)}.${String(this.#nodes.size)}`, { kind: "effect", at, values: statement.args, text: `${statement.name}(${statement.args.map((arg) => this.#text.of(arg)).join(", ")})` });
    else {
      const name = statement.callee?.name ?? "";
      for (const [position, value] of statement.args.entries()) this.#sink(`a${String(at)}.${String(position)}`, { kind: "argument", at, values: [value], call: statement, position, text: `${name === "" ? "call" : name} argument ${String(position + 1)}: ${this.#text.of(value)}` });
      for (const def of statement.results.values()) this.#define(def);
    }
  }

  /** Registers that are kept for the caller say nothing of the function. */
  #isSavedRegister(value: Expr): boolean {
    const { graph, machine } = this.analyzed;
    return value.kind === "use" && value.def.source.kind === "entry" && machine.kept.has(value.def.place) && graph.entryValues.get(value.def.place) === value.def;
  }

  /** The node of a definition, with all that it is made of. */
  #define(def: Definition): string {
    const key = `d${String(def.id)}`;
    if (this.#nodes.has(key)) return key;
    const { source } = def;
    const place = this.#places.get(def);
    const position = this.#parameters.get(def);
    const kind = position !== undefined ? "parameter" : source.kind === "entry" || source.kind === "clobber" ? "initial" : source.kind === "phi" ? "merge" : (place?.kind ?? "value");
    const isRead = source.kind === "expr" && readsMemory(source.expr);
    const isLoad = source.kind === "expr" && source.expr.kind === "load";
    this.#nodes.set(key, { key, kind: isLoad ? "memory" : kind, at: place?.at, text: this.#textOf(def, place?.call), bits: def.bits, readsMemory: isRead, call: place?.call, position });
    if (source.kind === "expr") this.#link(key, [source.expr], "operand");
    else if (source.kind === "phi") this.#link(key, source.args, "merge");
    return key;
  }

  #sink(key: string, { kind, at, values, text, call, position }: { readonly kind: ValueKind; readonly at: number; readonly values: readonly Expr[]; readonly text?: string; readonly call?: CallStatement; readonly position?: number }): void {
    const [first] = values;
    const isRead = values.some((value) => readsMemory(value));
    this.#nodes.set(key, { key, kind, at, text: text ?? (first === undefined ? "" : this.#text.of(first)), bits: values.at(-1)?.bits ?? 0, readsMemory: isRead, call, position });
    this.#link(key, values, "operand");
  }

  #link(key: string, values: readonly Expr[], kind: ValueEdgeKind): void {
    const seen = new Set<Definition>();
    for (const value of values) {
      forEachUse(value, (def) => {
        if (seen.has(def)) return;
        seen.add(def);
        const from = this.#define(def);
        push(this.#inputs, key, { key: from, kind });
        push(this.#outputs, from, { key, kind });
      });
    }
  }

  #textOf(def: Definition, call: CallStatement | undefined): string {
    const { source } = def;
    if (source.kind === "expr") return `${this.#nameOf(def)} = ${this.#text.of(source.expr)}`;
    if (source.kind === "phi") return `${this.#nameOf(def)} = one of ${[...new Set(source.args.map((arg) => this.#text.of(arg)))].slice(0, 8).join(", ")}`;
    if (call !== undefined) return `${this.#nameOf(def)} = ${call.callee?.name === undefined || call.callee.name === "" ? "call" : call.callee.name}(…)`;
    return this.#nameOf(def);
  }

  #nameOf(def: Definition): string {
    const position = this.#parameters.get(def);
    if (position !== undefined) return this.analyzed.signature.parameters[position]?.name ?? `arg${String(position + 1)}`;
    return def.source.kind === "entry" ? this.analyzed.machine.nameOf(def.place) : `v${String(def.id)}`;
  }
}

/** Entry of the function of the program that a call is known to call. */
export function calleeEntry({ callee, target }: CallStatement): number | undefined {
  return callee?.entry ?? (target.kind === "direct" && callee === undefined ? target.rva : undefined);
}

function push(map: Map<string, ValueLink[]>, key: string, link: ValueLink): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [link]);
  else list.push(link);
}

function sorted(nodes: readonly ValueNode[]): readonly ValueNode[] {
  return [...nodes].sort((a, b) => (a.at ?? -1) - (b.at ?? -1) || (a.key < b.key ? -1 : 1));
}
