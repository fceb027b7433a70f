import type { Disassembler } from "../disassembler/disassembler.js";
import type { JumpContext, JumpTable, SwitchSelector } from "../disassembler/jump-table.js";
import type { CodeMap } from "../analysis/code-map.js";
import type { MemoryMap } from "../analysis/memory-map.js";
import { flow, isComputedJump } from "../disassembler/flow.js";
import type { FlowGraph } from "./flow-graph.js";

/** A computed jump through a table, with the values that lead to each target. */
export interface SwitchTable {
  readonly jump: number;
  /** Start of the block that ends with the jump. */
  readonly block: number;
  /** Start of the block that ends with the guard; undefined without one. */
  readonly guardBlock: number | undefined;
  /** Place of the table of targets; undefined when it is not found again. */
  readonly table: number | undefined;
  readonly entryBytes: number | undefined;
  readonly entries: number;
  readonly boundBasis: "comparison" | "mask" | "plausible_targets";
  /** Case numbers are values of what is switched on; otherwise positions in the table. */
  readonly numbering: "value" | "index";
  readonly lowest: number | undefined;
  /** The table of bytes that is looked up first. */
  readonly indexTable: number | undefined;
  /** Case numbers by target, ascending. */
  readonly cases: ReadonlyMap<number, readonly number[]>;
  /** Where values outside the table lead; undefined when no guard is seen. */
  readonly defaultTarget: number | undefined;
}

export interface SwitchSource {
  readonly code: CodeMap;
  readonly memory: MemoryMap;
  readonly disassembler: Disassembler;
  /** Targets of resolved computed jumps in table order, by the address of the jump. */
  readonly switches: ReadonlyMap<number, readonly number[]>;
}

/** Reads for the switches of one function at most. */
const mostReads = 200_000;

/** The switches of a function, by the address of their jump. */
export function switchTables(graph: FlowGraph, source: SwitchSource): readonly SwitchTable[] {
  const found: SwitchTable[] = [];
  let context: FunctionContext | undefined;
  for (const block of graph.blocks) {
    if (!block.successors.some(({ kind }) => kind === "switch")) continue;
    context ??= new FunctionContext(graph, source);
    const targets = source.switches.get(context.lastOf(block));
    if (targets !== undefined) found.push(switchOf(block.start, targets, source, context));
  }
  return found;
}

function switchOf(block: number, targets: readonly number[], source: SwitchSource, context: FunctionContext): SwitchTable {
  const jump = context.lastOf({ start: block });
  const table = source.disassembler.findJumpTable(jump, source.memory.base, context);
  const selector = table?.selector ?? noSelector;
  const bytes = selector.indices === undefined ? undefined : source.memory.read(selector.indices.table, selector.indices.count);
  const order = bytes === undefined ? targets : Array.from(bytes, (byte) => targets[byte]);
  const cases = new Map<number, number[]>();
  for (const [index, target] of order.entries()) {
    if (target === undefined) continue;
    const numbers = cases.get(target) ?? [];
    numbers.push(index + (selector.lowest ?? 0));
    cases.set(target, numbers);
  }
  return {
    jump,
    block,
    guardBlock: selector.guard === undefined ? undefined : context.blockEndingWith(selector.guard),
    table: table?.table,
    entryBytes: table?.entryBytes,
    entries: targets.length,
    boundBasis: boundBasis(table),
    numbering: selector.lowest === undefined ? "index" : "value",
    lowest: selector.lowest,
    indexTable: selector.indices?.table,
    cases,
    defaultTarget: selector.guard === undefined ? undefined : context.otherWay(selector.guard, selector.guardTaken),
  };
}

const noSelector: SwitchSelector = { lowest: undefined, guard: undefined, guardTaken: false, indices: undefined };

function boundBasis(table: JumpTable | undefined): SwitchTable["boundBasis"] {
  if (table?.bound === undefined) return "plausible_targets";
  return table.bound.exact ? "comparison" : "mask";
}

/** What a search for a table may look at, with the whole function known. */
class FunctionContext implements JumpContext {
  readonly #source: SwitchSource;
  readonly #entry: number;
  readonly #starts: readonly number[];
  readonly #position = new Map<number, number>();
  /** Jumps that lead to a place: how many, and the conditional one with the highest address. */
  readonly #jumpers = new Map<number, { count: number; conditional: number }>();
  readonly #lasts = new Map<number, number>();
  readonly #blocks = new Map<number, number>();
  #reads = 0;

  constructor(graph: FlowGraph, source: SwitchSource) {
    this.#source = source;
    this.#entry = graph.blocks[graph.entry]?.start ?? -1;
    const starts: number[] = [];
    for (const block of graph.blocks) {
      let last = block.start;
      for (let rva = block.start; rva < block.end; rva += Math.max(1, source.code.lengthAt(rva))) {
        starts.push(rva);
        last = rva;
      }
      this.#lasts.set(block.start, last);
      this.#blocks.set(last, block.start);
      for (const { target, kind } of block.successors) if (kind !== "fallthrough") this.#addJumper(last, target);
    }
    this.#starts = starts.sort((a, b) => a - b);
    for (const [index, rva] of this.#starts.entries()) this.#position.set(rva, index);
  }

  lastOf({ start }: { readonly start: number }): number {
    return this.#lasts.get(start) ?? start;
  }

  blockEndingWith(rva: number): number | undefined {
    return this.#blocks.get(rva);
  }

  /** Where the conditional jump goes when it does not do what leads to the table. */
  otherWay(guard: number, taken: boolean): number | undefined {
    const { code } = this.#source;
    if (taken) return guard + code.lengthAt(guard);
    const region = code.regionAt(guard);
    return region?.decoder.decode(guard - region.start) === true && region.decoder.target >= 0 ? region.decoder.target : undefined;
  }

  previous(rva: number): number {
    const before = this.preceding(rva);
    if (before < 0 || before + this.#source.code.lengthAt(before) !== rva) return -1;
    return this.#passes(before) ? before : -1;
  }

  preceding(rva: number): number {
    if (rva === this.#entry) return -1;
    const position = this.#position.get(rva);
    return position === undefined ? -1 : (this.#starts[position - 1] ?? -1);
  }

  jumperTo(rva: number): number {
    return this.#jumpers.get(rva)?.conditional ?? -1;
  }

  comesFrom(rva: number): "one" | "entry" | "many" {
    const ways = (this.#jumpers.get(rva)?.count ?? 0) + (this.previous(rva) >= 0 ? 1 : 0);
    if (rva === this.#entry) return ways === 0 ? "entry" : "many";
    return ways === 1 ? "one" : "many";
  }

  read(rva: number, length: number): Uint8Array {
    this.#reads += 1;
    return this.#reads > mostReads ? new Uint8Array(0) : this.#source.memory.read(rva, length);
  }

  #passes(rva: number): boolean {
    const kind = this.#source.code.flowAt(rva);
    return kind !== flow.jump && kind !== flow.return && kind !== flow.trap && kind !== flow.halt && kind !== flow.callNoReturn && kind !== flow.indirectCallNoReturn && !isComputedJump(kind);
  }

  #addJumper(from: number, to: number): void {
    const known = this.#jumpers.get(to) ?? { count: 0, conditional: -1 };
    known.count += 1;
    if (this.#source.code.flowAt(from) === flow.conditionalJump) known.conditional = Math.max(known.conditional, from);
    this.#jumpers.set(to, known);
  }
}
