import type { IndexBound, JumpContext, SwitchSelector } from "../jump-table.js";
import { firstValue } from "../switch-values.js";
import type { Iced } from "./code-table.js";
import { comparisonIn, type ComparedCopy } from "./x86-compared-copy.js";
import { copiesRegister, movesValue, scramblesValue, setsFirst } from "./x86-step-kinds.js";
import type { X86Step } from "./x86-steps.js";

/** Instructions that run up to a computed jump, nearest first. */
export interface X86Window {
  readonly steps: readonly X86Step[];
  readonly starts: readonly number[];
  /** True where the step is a conditional jump that was taken to get here. */
  readonly taken: readonly boolean[];
}

export interface Selection {
  readonly bound: IndexBound | undefined;
  readonly selector: SwitchSelector | undefined;
}

interface SearchInput {
  readonly iced: Iced;
  readonly context: JumpContext;
  readonly window: X86Window;
  readonly base: number;
  /** The address a register holds at a position of the window. */
  readonly addressIn: (register: number, from: number) => number | undefined;
}

interface Guard {
  readonly condition: number;
  readonly rva: number;
  readonly taken: boolean;
}

/** What a search has come to: the register or the cell that holds the index, and what was met on the way. */
interface Search {
  register: number;
  cell: X86Step | undefined;
  bytes: ByteTable | undefined;
  guard: Guard | undefined;
  compared: ComparedCopy | undefined;
}

interface Found {
  readonly bound: IndexBound | undefined;
  readonly guard: Guard | undefined;
  readonly bytes: ByteTable | undefined;
  readonly lowest: number | undefined;
}

interface ByteTable {
  readonly table: number;
  readonly index: number;
}

const mostEntries = 65_536;

/** Finds what bounds the index of a table of jump targets, and which value it was made from. */
export class X86Selectors {
  readonly #input: SearchInput;
  readonly #window: X86Window;

  constructor(input: SearchInput) {
    this.#input = input;
    this.#window = input.window;
  }

  /** Number of values the index can take at the load, from the nearest comparison or mask of it. */
  select(index: number, from: number): Selection {
    const search: Search = { register: index, cell: undefined, bytes: undefined, guard: undefined, compared: undefined };
    for (let at = from; at < this.#window.steps.length; at += 1) {
      const step = this.#window.steps[at];
      if (step === undefined || step.mnemonic === this.#input.iced.Mnemonic.Call) break;
      if (this.#isConditional(step)) {
        search.guard = this.#guardAt(step, at);
        search.compared = undefined;
      } else if (search.guard !== undefined) search.compared ??= comparisonIn(step, at, this.#input.iced);
      const found = isOf(step, search.register, search.cell) ? this.#bounds(search, step, at) ?? this.#goOn(search, step, at) : undefined;
      if (found !== undefined) return found;
    }
    return nothing;
  }

  /** What an instruction that uses the index says of it. */
  #bounds({ register, cell, bytes, guard, compared }: Search, step: X86Step, at: number): Selection | undefined {
    const { Mnemonic } = this.#input.iced;
    const { mnemonic, constant } = step;
    if (mnemonic === Mnemonic.Cmp && constant !== undefined) {
      const bound = guard === undefined ? undefined : this.#countBehind(guard, constant);
      return bound === undefined ? undefined : this.#selection({ bound, guard, bytes, lowest: cell === undefined ? this.#lowest(register, at, bound.count) : 0 });
    }
    if (mnemonic === Mnemonic.And && constant !== undefined) return this.#selection({ bound: bounded(constant + 1, false), guard: undefined, bytes, lowest: 0 });
    if (cell !== undefined) {
      // Unoptimised code keeps the index on the stack while it compares a copy.
      const isCompared = step.register1 !== 0 && compared?.holds(step.register1, at, this.#window.steps) === true;
      const bound = isCompared && guard !== undefined ? this.#countBehind(guard, compared.constant) : undefined;
      return bound === undefined ? undefined : this.#selection({ bound, guard, bytes, lowest: undefined });
    }
    const few = this.#few(step);
    return few === undefined ? undefined : this.#selection({ bound: few, guard: undefined, bytes, lowest: 0 });
  }

  /** Where the index comes from; a selection ends the search. */
  #goOn(search: Search, step: X86Step, at: number): Selection | undefined {
    const { Mnemonic } = this.#input.iced;
    if (search.cell !== undefined) {
      if (step.mnemonic !== Mnemonic.Mov || step.register1 === 0) return undefined;
      search.cell = undefined;
      search.register = step.register1;
      return undefined;
    }
    if (step.mnemonic === Mnemonic.Cmp || !this.writes(step)) return undefined;
    const through = search.bytes === undefined ? this.#byteTable(step, at) : undefined;
    if (through !== undefined) {
      search.bytes = through;
      search.register = through.index;
    } else if (!this.#copies(step)) return nothing;
    else if (step.isMemory1) search.cell = step;
    else search.register = step.register1;
    return undefined;
  }

  /** How many values an instruction can leave in its register, where that is few. */
  #few({ mnemonic, constant, isMemory0 }: X86Step): IndexBound | undefined {
    const { Mnemonic: m } = this.#input.iced;
    if (isMemory0) return undefined;
    if (mnemonic === m.Mov && constant !== undefined) return bounded(constant + 1, false);
    return mnemonic >= m.Seta && mnemonic <= m.Sets ? bounded(2, false) : undefined;
  }

  /** True where the first operand is one the instruction sets. */
  writes(step: X86Step): boolean {
    return setsFirst(step, this.#input.iced);
  }

  #guardAt(step: X86Step, at: number): Guard {
    return { condition: step.mnemonic, rva: this.#window.starts[at] ?? -1, taken: this.#window.taken[at] === true };
  }

  #selection({ bound, guard, bytes, lowest }: Found): Selection {
    if (bound === undefined) return nothing;
    const selector = { lowest, guard: guard?.rva, guardTaken: guard?.taken === true };
    if (bytes === undefined) return { bound, selector: { ...selector, indices: undefined } };
    const cells = this.#input.context.read(bytes.table, bound.count);
    if (cells.byteLength < bound.count) return nothing;
    const highest = cells.reduce((most, cell) => Math.max(most, cell), 0);
    const indices = { table: bytes.table, count: bound.count };
    return { bound: { count: highest + 1, exact: bound.exact }, selector: { ...selector, indices } };
  }

  /** `movzx` of a byte from a fixed table: the byte is the index, what selects the byte is the value. */
  #byteTable(step: X86Step, at: number): ByteTable | undefined {
    const { base } = this.#input;
    if (step.mnemonic !== this.#input.iced.Mnemonic.Movzx || !step.isMemory1 || step.scale !== 1 || step.ipRelative) return undefined;
    if (step.index === 0 || step.base === 0) {
      const index = step.index === 0 ? step.base : step.index;
      const table = step.displacement - base;
      return index !== 0 && base > 0 && table > 0 ? { table, index } : undefined;
    }
    for (const [fixed, index] of [
      [step.base, step.index],
      [step.index, step.base],
    ] as const) {
      const address = this.#input.addressIn(fixed, at + 1);
      if (address !== undefined) return { table: address + step.offset, index };
    }
    return undefined;
  }

  /**
   * The value that index 0 stands for: what a subtraction took from it before the comparison, 0 where the value comes from
   * elsewhere; undefined where not all that leads there is seen.
   */
  #lowest(first: number, from: number, count: number): number | undefined {
    const { Mnemonic, Register } = this.#input.iced;
    const { steps, starts } = this.#window;
    let register = first;
    let bytes = steps[from]?.bytes0 ?? 0;
    for (let at = from; at < steps.length; at += 1) {
      const step = steps[at];
      if (step === undefined) return undefined;
      if (at > from && step.mnemonic === Mnemonic.Call) return register === Register.RAX ? 0 : undefined;
      if (at > from && !this.#isPlain(step)) return undefined;
      if (at > from && step.register0 === register && this.writes(step)) {
        if (!this.#copies(step) || step.isMemory1) return this.#firstOf(step, at, { count, bytes });
        register = step.register1;
        bytes = Math.min(bytes, step.bytes1);
      }
      const origin = this.#input.context.comesFrom?.(starts[at] ?? -1);
      if (origin !== "one") return origin === "entry" ? 0 : undefined;
    }
    return undefined;
  }

  /** The value that becomes 0 where the instruction makes the index of `count` values, compared with `bytes` bytes. */
  #firstOf(step: X86Step, at: number, { count, bytes }: { readonly count: number; readonly bytes: number }): number | undefined {
    if (this.#shifts(step)) return firstValue(this.#taken(step, at), count, bytes * 8);
    return scramblesValue(step, this.#input.iced) ? undefined : 0;
  }

  /** True for additions and subtractions: case values may be shifted by a constant. */
  #shifts({ mnemonic, isMemory1 }: X86Step): boolean {
    const { Mnemonic: m } = this.#input.iced;
    return mnemonic === m.Lea || mnemonic === m.Dec || mnemonic === m.Inc || ((mnemonic === m.Add || mnemonic === m.Sub) && !isMemory1);
  }

  /** What the instruction takes from the value; undefined when that is not known. */
  #taken(step: X86Step, at: number): number | undefined {
    const { Mnemonic: m } = this.#input.iced;
    const { mnemonic, signedConstant, register0, register1, base, index, scale, offset, ipRelative } = step;
    if (mnemonic === m.Dec) return 1;
    if (mnemonic === m.Inc) return -1;
    if (mnemonic === m.Lea) {
      if (ipRelative) return undefined;
      if (index === 0) return -offset;
      const added = sum(this.#constantIn(base, at), this.#constantIn(index, at));
      return added === undefined || (scale > 1 && this.#constantIn(index, at) !== 0) ? undefined : -(added + offset);
    }
    const sign = mnemonic === m.Sub ? 1 : -1;
    if (signedConstant !== undefined) return sign * signedConstant;
    const changed = this.#constantIn(register0, at);
    // A constant that something is taken from leaves the values upside down.
    if (sign === 1 && changed !== 0) return undefined;
    const other = this.#constantIn(register1, at);
    return changed === undefined || other === undefined ? undefined : -changed + sign * other;
  }

  /** The constant a register holds before the position; 0 for a value of the program, undefined where that is not seen. */
  #constantIn(register: number, at: number): number | undefined {
    const { Mnemonic: m, Register } = this.#input.iced;
    const { steps, starts } = this.#window;
    if (register === 0) return 0;
    for (let before = at + 1; before <= steps.length; before += 1) {
      const origin = this.#input.context.comesFrom?.(starts[before - 1] ?? -1);
      if (origin !== "one") return origin === "entry" ? 0 : undefined;
      const step = steps[before];
      if (step?.mnemonic === m.Call) return register === Register.RAX ? 0 : undefined;
      if (step === undefined || !this.#isPlain(step)) return undefined;
      if (step.register0 !== register || !this.writes(step)) continue;
      if (step.mnemonic === m.Mov && step.constant !== undefined) return step.signedConstant;
      return this.#copies(step) && step.isMemory1 ? 0 : undefined;
    }
    return undefined;
  }

  /** Instructions that set no general register but their first operand. */
  #isPlain(step: X86Step): boolean {
    const { Mnemonic: m } = this.#input.iced;
    if (this.#isConditional(step)) return true;
    const plain: readonly number[] = [
      m.Mov, m.Movzx, m.Movsx, m.Movsxd, m.Lea, m.Add, m.Sub, m.And, m.Or, m.Xor, m.Shl, m.Shr, m.Sar, m.Cmp, m.Test, m.Push,
      m.Inc, m.Dec, m.Neg, m.Not, m.Nop, m.Endbr64, m.Jmp, m.Bt, m.Movsd, m.Movss, m.Movaps, m.Movups, m.Movdqa, m.Movdqu, m.Cdqe,
    ];
    return plain.includes(step.mnemonic) || (step.mnemonic === m.Imul && step.operands > 1);
  }

  #isConditional(step: X86Step): boolean {
    const { Mnemonic } = this.#input.iced;
    return step.operands === 1 && step.mnemonic >= Mnemonic.Ja && step.mnemonic <= Mnemonic.Js && step.mnemonic !== Mnemonic.Jmp;
  }

  /** Falling through `ja`, or taking `jbe`, leaves 0..n; falling through `jae`, or taking `jb`, leaves 0..n-1. */
  #countBehind({ condition, taken }: Guard, constant: number): IndexBound | undefined {
    const { Mnemonic } = this.#input.iced;
    if (condition === (taken ? Mnemonic.Jbe : Mnemonic.Ja)) return bounded(constant + 1, true);
    return condition === (taken ? Mnemonic.Jb : Mnemonic.Jae) ? bounded(constant, true) : undefined;
  }

  #copies(step: X86Step): boolean {
    return copiesRegister(step, this.#input.iced) || (step.isMemory1 && movesValue(step, this.#input.iced));
  }
}

const nothing: Selection = { bound: undefined, selector: undefined };

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

function isOf(step: X86Step, register: number, cell: X86Step | undefined): boolean {
  return cell === undefined ? step.register0 === register : isSameCell(step, cell);
}

function isSameCell(step: X86Step, cell: X86Step): boolean {
  return (
    step.isMemory0 &&
    step.base === cell.base &&
    step.index === cell.index &&
    step.displacement === cell.displacement &&
    step.ipRelative === cell.ipRelative
  );
}

function bounded(count: number, exact: boolean): IndexBound | undefined {
  return count > 0 && count <= mostEntries ? { count, exact } : undefined;
}
