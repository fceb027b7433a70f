import { formatAddress } from "@rea/core";
import { exceptionEdges } from "../facts/exception-edges.js";
import type { ControlFlow } from "../facts/function-facts.js";
import type { SwitchTable } from "../facts/switch-cases.js";
import type { BasicBlock, Program } from "../program.js";

/** Blocks as they are shown: with cases on the edges of switches, edges of exceptions, dominators and loops where they are known. */
export class ShownBlocks {
  readonly #program: Program;
  readonly #flow: ControlFlow | undefined;
  readonly #position = new Map<number, number>();
  /** Tables by their jump, and guards' default targets by the block that ends with the guard. */
  readonly #byEnd = new Map<number, SwitchTable>();
  readonly #guards = new Map<number, number>();

  constructor(program: Program, flow: ControlFlow | undefined) {
    this.#program = program;
    this.#flow = flow;
    for (const [index, block] of (flow?.graph.blocks ?? []).entries()) this.#position.set(block.start, index);
    for (const table of flow?.switches ?? []) {
      this.#byEnd.set(table.block, table);
      if (table.guardBlock !== undefined && table.defaultTarget !== undefined) this.#guards.set(table.guardBlock, table.defaultTarget);
    }
  }

  item(block: BasicBlock) {
    return {
      start: this.#address(block.start),
      end: this.#address(block.end),
      instruction_count: block.instructionCount,
      successors: [...block.successors.map((edge) => this.#edge(block, edge)), ...this.#exceptions(block)],
      ...this.#place(block),
    };
  }

  #edge(block: BasicBlock, { target, kind }: BasicBlock["successors"][number]) {
    const plain = { address: this.#address(target), kind };
    const table = kind === "switch" ? this.#byEnd.get(block.start) : undefined;
    if (table === undefined) return this.#guards.get(block.start) === target ? { ...plain, default: true } : plain;
    const cases = caseTexts(table.cases.get(target) ?? []);
    return { ...plain, cases, numbering: table.numbering, ...(table.defaultTarget === target ? { default: true } : {}) };
  }

  /** Where the block's instructions go on when one of them throws. */
  #exceptions({ start }: BasicBlock) {
    const pads = this.#flow === undefined ? [] : (exceptionEdges(this.#program, this.#flow.graph).pads.get(start) ?? []);
    return pads.map((pad) => ({ address: this.#address(pad), kind: "exception" }));
  }

  #place({ start }: BasicBlock) {
    const position = this.#position.get(start);
    if (this.#flow === undefined || position === undefined) return {};
    const { dominators, loops } = this.#flow;
    return { immediate_dominator: this.#blockAddress(dominators[position] ?? -1), loop: this.#blockAddress(loops.innermost[position] ?? -1) };
  }

  #blockAddress(position: number): string | null {
    const block = this.#flow?.graph.blocks[position];
    return block === undefined ? null : this.#address(block.start);
  }

  #address(rva: number): string {
    return formatAddress(this.#program.toVa(rva));
  }
}

/** Decimal numbers; three or more in a row are written as a range. */
export function caseTexts(numbers: readonly number[]): string[] {
  const texts: string[] = [];
  for (let first = 0; first < numbers.length; ) {
    let last = first;
    while (numbers[last + 1] === (numbers[last] ?? 0) + 1) last += 1;
    if (last - first >= 2) texts.push(`${String(numbers[first])}..${String(numbers[last])}`);
    else for (let index = first; index <= last; index += 1) texts.push(String(numbers[index]));
    first = last + 1;
  }
  return texts;
}
