import type { RegisterFile } from "../disassembler/register-access.js";
import type { BlockEffects, ReturnWrite } from "./block-effects.js";
import type { FlowGraph } from "./flow-graph.js";
import { WorkList } from "./work-list.js";

/** Value of a register on entry of a block, counted from the stack pointer at the function's entry. */
export class StackValues {
  readonly #values: Float64Array;
  readonly #registers: number;
  /** Blocks where paths meet with different stack pointers. */
  readonly conflicts: ReadonlySet<number>;

  constructor(graph: FlowGraph, effects: readonly BlockEffects[], file: RegisterFile) {
    this.#registers = file.general.length;
    // Infinity: nothing has led here yet; NaN: not the stack pointer plus a constant, or not always the same.
    this.#values = new Float64Array(graph.blocks.length * this.#registers).fill(Infinity);
    this.conflicts = this.#solve(graph, effects, file.stackPointer);
  }

  /** Undefined where it is not known. */
  at(block: number, register: number): number | undefined {
    const value = this.#values[block * this.#registers + register];
    return value === undefined || !Number.isFinite(value) ? undefined : value;
  }

  /** The value behind a block. */
  after(block: number, register: number, effects: BlockEffects): number | undefined {
    const value = this.#out(block, register, effects);
    return Number.isFinite(value) ? value : undefined;
  }

  #solve({ entry, successors, blocks }: FlowGraph, effects: readonly BlockEffects[], stackPointer: number): ReadonlySet<number> {
    const conflicts = new Set<number>();
    if (entry < 0) return conflicts;
    this.#values.fill(NaN, entry * this.#registers, (entry + 1) * this.#registers);
    this.#values[entry * this.#registers + stackPointer] = 0;
    const work = new WorkList(blocks.length);
    work.add(entry);
    for (let block = work.take(); block >= 0; block = work.take()) {
      const effect = effects[block];
      if (effect === undefined) continue;
      for (const to of successors[block] ?? []) {
        const { changed, conflict } = this.#meet(block, to, effect, stackPointer);
        if (conflict) conflicts.add(to);
        if (changed) work.add(to);
      }
    }
    return conflicts;
  }

  #meet(from: number, to: number, effect: BlockEffects, stackPointer: number): { readonly changed: boolean; readonly conflict: boolean } {
    let changed = false;
    let conflict = false;
    for (let register = 0; register < this.#registers; register += 1) {
      const at = to * this.#registers + register;
      const known = this.#values[at] ?? NaN;
      const next = this.#out(from, register, effect);
      if (Number.isNaN(known) || known === next) continue;
      if (register === stackPointer && Number.isFinite(known) && Number.isFinite(next)) conflict = true;
      this.#values[at] = known === Infinity ? next : NaN;
      changed = true;
    }
    return { changed, conflict };
  }

  #out(block: number, register: number, { values, written }: BlockEffects): number {
    const value = values.get(register);
    if (value !== undefined) return value.from < 0 ? NaN : (this.#values[block * this.#registers + value.from] ?? NaN) + value.add;
    return (written >>> register) & 1 ? NaN : (this.#values[block * this.#registers + register] ?? NaN);
  }
}

/** Registers that a block finds unchanged since the function's entry, on every way to it. */
export function unchangedRegisters(graph: FlowGraph, effects: readonly BlockEffects[]): { readonly general: Int32Array; readonly vector: Int32Array } {
  const general = new Int32Array(graph.blocks.length).fill(-1);
  const vector = new Int32Array(graph.blocks.length).fill(-1);
  const work = new WorkList(graph.blocks.length);
  for (const block of graph.reversePostorder) work.add(block);
  for (let block = work.take(); block >= 0; block = work.take()) {
    const effect = effects[block];
    if (effect === undefined) continue;
    const out = (general[block] ?? 0) & ~effect.written;
    const outVector = (vector[block] ?? 0) & ~effect.killedVector;
    for (const to of graph.successors[block] ?? []) {
      const next = (general[to] ?? 0) & out;
      const nextVector = (vector[to] ?? 0) & outVector;
      if (next === general[to] && nextVector === vector[to]) continue;
      general[to] = next;
      vector[to] = nextVector;
      work.add(to);
    }
  }
  return { general, vector };
}

/** Registers the function reads before it writes them, on some way from its entry. */
export function readFirst(graph: FlowGraph, effects: readonly BlockEffects[]): { readonly general: number; readonly vector: number } {
  const general = Int32Array.from(effects, ({ exposed }) => exposed);
  const vector = Int32Array.from(effects, ({ exposedVector }) => exposedVector);
  const work = new WorkList(graph.blocks.length);
  for (let index = graph.reversePostorder.length - 1; index >= 0; index -= 1) work.add(graph.reversePostorder[index] ?? 0);
  for (let block = work.take(); block >= 0; block = work.take()) {
    for (const before of graph.predecessors[block] ?? []) {
      const effect = effects[before];
      if (effect === undefined) continue;
      const next = (general[before] ?? 0) | ((general[block] ?? 0) & ~effect.killed);
      const nextVector = (vector[before] ?? 0) | ((vector[block] ?? 0) & ~effect.killedVector);
      if (next === general[before] && nextVector === vector[before]) continue;
      general[before] = next;
      vector[before] = nextVector;
      work.add(before);
    }
  }
  return { general: general[graph.entry] ?? 0, vector: vector[graph.entry] ?? 0 };
}

/** What may have happened last to a return register, as bits. */
export const lastWrite = { none: 1, written: 2, read_since: 4, call: 8, flags: 16, leftover: 32 } as const satisfies Record<ReturnWrite, number>;

interface ReturnRegister {
  readonly of: (effects: BlockEffects) => ReturnWrite;
  readonly isRead: (effects: BlockEffects) => boolean;
}

/** For each block that leaves the function: what may have happened last to a return register. */
export function writesBeforeReturns(graph: FlowGraph, effects: readonly BlockEffects[], { of, isRead }: ReturnRegister): readonly number[] {
  const before = new Uint8Array(graph.blocks.length);
  const after = (block: number, effect: BlockEffects): number => {
    const own = of(effect);
    if (own !== "none") return lastWrite[own];
    const state = before[block] ?? 0;
    return isRead(effect) && state & lastWrite.written ? (state & ~lastWrite.written) | lastWrite.read_since : state;
  };
  const work = new WorkList(graph.blocks.length);
  if (graph.entry >= 0) {
    before[graph.entry] = lastWrite.none;
    work.add(graph.entry);
  }
  for (let block = work.take(); block >= 0; block = work.take()) {
    const effect = effects[block];
    if (effect === undefined) continue;
    for (const to of graph.successors[block] ?? []) {
      const next = (before[to] ?? 0) | after(block, effect);
      if (next === before[to]) continue;
      before[to] = next;
      work.add(to);
    }
  }
  return graph.reversePostorder.flatMap((block) => {
    const effect = effects[block];
    return effect?.returns === true ? [after(block, effect)] : [];
  });
}
