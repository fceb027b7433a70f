import type { Expr } from "../../ir/expression.js";
import type { Ending, LiftedBlock, Step } from "../../ir/statement.js";
import type { LiftedFunction } from "../lift/lifted-function.js";
import type { Machine } from "../machine-model.js";

export interface LiveSteps {
  readonly blocks: readonly LiftedBlock[];
  /** Places of the machine that are read before they are set. */
  readonly readFirst: ReadonlySet<number>;
}

/** Places whose contents somebody may read; those of the machine as bits, temporaries of an instruction beside them. */
interface Live {
  machine: bigint;
  readonly temporaries: Set<number>;
}

/**
 * Steps of each block without what nobody reads, such as flags that the next instruction overwrites. What a call takes and
 * leaves is what its convention says, so that the result does not depend on callees.
 */
export function withoutDeadSteps({ blocks, entry }: Pick<LiftedFunction, "blocks" | "entry">, machine: Machine, checkpoint: (work?: number) => void): LiveSteps {
  const walk = new LiveWalk(machine);
  const liveIn = new Map<number, bigint>();
  const after = (ending: Ending): bigint => targetsOf(ending).reduce((sum, target) => sum | (liveIn.get(target) ?? 0n), 0n);
  const byStart = new Map(blocks.map((block) => [block.start, block]));
  const waysIn = new Map<number, LiftedBlock[]>();
  for (const block of blocks) for (const target of targetsOf(block.ending)) waysIn.set(target, [...(waysIn.get(target) ?? []), block]);
  const work = new Set(blocks.map(({ start }) => start).reverse());
  for (const start of work) {
    work.delete(start);
    const block = byStart.get(start);
    if (block === undefined) continue;
    checkpoint(block.steps.length + 1);
    const { before } = walk.block(block, after(block.ending));
    if (before === liveIn.get(start)) continue;
    liveIn.set(start, before);
    for (const { start: earlier } of waysIn.get(start) ?? []) work.add(earlier);
  }
  const first = liveIn.get(entry) ?? 0n;
  const readFirst = new Set(Array.from({ length: machine.firstTemporary }, (_, place) => place).filter((place) => (first & (1n << BigInt(place))) !== 0n));
  return { blocks: blocks.map((block) => ({ ...block, steps: walk.block(block, after(block.ending)).kept })), readFirst };
}

export function targetsOf(ending: Ending): readonly number[] {
  switch (ending.kind) {
    case "jump":
      return [ending.to];
    case "branch":
      return [ending.then, ending.otherwise];
    case "switch":
      return [...ending.cases.map(({ to }) => to), ...(ending.otherwise === undefined ? [] : [ending.otherwise])];
    default:
      return [];
  }
}

class LiveWalk {
  readonly #machine: Machine;
  readonly #callReads: bigint;
  readonly #callWrites: bigint;
  readonly #returned: bigint;

  constructor(machine: Machine) {
    this.#machine = machine;
    const bits = (places: readonly number[]): bigint => places.reduce((sum, place) => sum | (1n << BigInt(place)), 0n);
    this.#callReads = bits(machine.callReads);
    this.#callWrites = bits(machine.callWrites);
    this.#returned = bits(machine.resultPlaces);
  }

  block({ steps, ending }: LiftedBlock, after: bigint): { readonly before: bigint; readonly kept: readonly Step[] } {
    const live: Live = { machine: after, temporaries: new Set() };
    this.#ending(ending, live);
    const kept: Step[] = [];
    for (let index = steps.length - 1; index >= 0; index -= 1) {
      const step = steps[index];
      if (step !== undefined && this.#step(step, live)) kept.push(step);
    }
    return { before: live.machine, kept: kept.reverse() };
  }

  #ending(ending: Ending, live: Live): void {
    if (ending.kind === "branch") this.#read(ending.condition, live);
    else if (ending.kind === "switch") this.#read(ending.selector, live);
    else if (ending.kind === "return") live.machine |= this.#returned;
    else if (ending.kind === "tail") {
      live.machine |= this.#callReads;
      if (ending.target.kind === "indirect") this.#read(ending.target.address, live);
    }
  }

  /** False for one that nobody needs. */
  #step(step: Step, live: Live): boolean {
    switch (step.kind) {
      case "set":
        if (!this.#write(step.place, live)) return false;
        this.#read(step.value, live);
        return true;
      case "store":
        this.#read(step.address, live);
        this.#read(step.value, live);
        return true;
      case "effect":
        this.#write(step.place, live);
        for (const arg of step.args) this.#read(arg, live);
        return true;
      case "call":
        live.machine = (live.machine & ~this.#callWrites) | this.#callReads;
        if (step.target.kind === "indirect") this.#read(step.target.address, live);
        return true;
    }
  }

  /** Whether what is written is read later. */
  #write(place: number, live: Live): boolean {
    if (place >= this.#machine.firstTemporary) return live.temporaries.delete(place);
    const bit = 1n << BigInt(place);
    const isLive = (live.machine & bit) !== 0n;
    live.machine &= ~bit;
    return isLive;
  }

  #read(expr: Expr, live: Live): void {
    if (expr.kind === "read") {
      if (expr.place >= this.#machine.firstTemporary) live.temporaries.add(expr.place);
      else live.machine |= 1n << BigInt(expr.place);
    } else if (expr.kind === "load") this.#read(expr.address, live);
    else if (expr.kind === "op") for (const arg of expr.args) this.#read(arg, live);
  }
}
