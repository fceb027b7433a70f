import { changesAnother, copied, isCall, isCopy, keptBits, scrambles, writesLow } from "./arm64-words.js";
import { firstValue } from "../switch-values.js";
import { hoistedInstructions, windowInstructions, type IndexBound, type JumpContext, type JumpTable, type SwitchSelector } from "../jump-table.js";

const pageBytes = 4096;
/** Condition codes (unsigned comparisons). */
const higherOrSame = 2;
const lower = 3;
const higher = 8;
const lowerOrSame = 9;

interface Load {
  readonly table: number;
  readonly entryBytes: 1 | 2 | 4 | 8;
  readonly signed: boolean;
  readonly index: number;
  readonly at: number;
}

/**
 * Finds the table behind `br` as compilers emit it: an indexed load of an address, or of an offset that is added, scaled by
 * four or plainly, to an address made by `adr` or `adrp` and `add`; with the bound from `cmp` and `b.hi`. Encodings: Arm
 * Architecture Reference Manual, "A64 instruction set encoding".
 */
export class Arm64JumpTables {
  readonly #context: JumpContext;
  #words: number[] = [];
  #starts: number[] = [];
  /** True where the word is a conditional jump that was taken to get here. */
  #taken: boolean[] = [];

  constructor(context: JumpContext) {
    this.#context = context;
  }

  find(rva: number): JumpTable | undefined {
    const jump = this.#word(rva);
    if (jump === undefined) return undefined;
    this.#words = [];
    this.#starts = [];
    this.#taken = [];
    for (let at = rva; this.#words.length < windowInstructions; ) {
      const straight = this.#context.previous(at);
      at = straight >= 0 ? straight : this.#context.jumperTo(at);
      if (at < 0) break;
      this.#words.push(this.#word(at) ?? 0);
      this.#starts.push(at);
      this.#taken.push(straight < 0);
    }
    return this.#fromRegister((jump >>> 5) & 31);
  }

  #word(rva: number): number | undefined {
    const bytes = this.#context.read(rva, 4);
    return bytes.byteLength < 4 ? undefined : new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  #fromRegister(register: number): JumpTable | undefined {
    const at = this.#definition(register, 0);
    const word = this.#words[at] ?? 0;
    const load = this.#loadAt(at);
    if (load?.entryBytes === 8) return this.#table(load, undefined, 0);
    const add = addedRegisters(word);
    if (add === undefined) return undefined;
    for (const [base, loaded, shift] of [
      [add.first, add.second, add.shift],
      [add.second, add.first, 0],
    ] as const) {
      const from = this.#loadAt(this.#definition(loaded, at + 1));
      const address = from === undefined ? undefined : this.#addressIn(base, at + 1);
      if (from === undefined || address === undefined || (shift > 0 && base !== add.first)) continue;
      return this.#table({ ...from, signed: add.signed ?? from.signed }, address, shift);
    }
    return undefined;
  }

  #table(load: Load, base: number | undefined, shift: number): JumpTable {
    const { table, entryBytes, signed } = load;
    return { table, entryBytes, signed, shift, base, ...this.#select(load.index, load.at + 1) };
  }

  /** LDR, LDRH, LDRB and their signed forms with a register offset. */
  #loadAt(at: number): Load | undefined {
    const word = this.#words[at];
    if (word === undefined || (word & 0x3f200c00) >>> 0 !== 0x38200800) return undefined;
    const opcode = (word >>> 22) & 3;
    const size = word >>> 30;
    if (opcode === 0) return undefined;
    const table = this.#addressIn((word >>> 5) & 31, at + 1);
    if (table === undefined) return undefined;
    const entryBytes = size === 3 ? 8 : size === 2 ? 4 : size === 1 ? 2 : 1;
    return { table, entryBytes, signed: opcode >= 2, index: (word >>> 16) & 31, at };
  }

  /** Position of the nearest instruction in the window that sets the register; -1 without one. */
  #definition(register: number, from: number): number {
    for (let at = from; at < this.#words.length; at += 1) {
      const word = this.#words[at] ?? 0;
      if (isCall(word)) return -1;
      if (writesLow(word) && (word & 31) === register) return at;
    }
    return -1;
  }

  /** The address that `adr`, or `adrp` with `add`, puts into the register; also where it was moved out of a loop. */
  #addressIn(register: number, from: number): number | undefined {
    const at = this.#definition(register, from);
    const word = this.#words[at] ?? 0;
    const start = this.#starts[at] ?? 0;
    if (at >= 0) return isFrameLoad(word) ? this.#spilled(frameSlot(word), start) : this.#addressAt(word, start);
    let rva = this.#starts[Math.min(from, this.#starts.length - 1)] ?? -1;
    for (let count = 0; count < hoistedInstructions && rva >= 0; count += 1) {
      const word = this.#word(rva) ?? 0;
      // A function may give its registers back in several places and go on behind them.
      if (writesLow(word) && (word & 31) === register && !restoresPair(word)) return this.#addressAt(word, rva);
      rva = this.#context.preceding(rva);
    }
    return undefined;
  }

  /** The address that the nearest earlier instruction put into a place of the stack frame. */
  #spilled(slot: number, load: number): number | undefined {
    let rva = this.#context.preceding(load);
    for (let count = 0; count < hoistedInstructions && rva >= 0; count += 1) {
      const word = this.#word(rva) ?? 0;
      if (isFrameStore(word) && frameSlot(word) === slot) return this.#formedBefore(rva, word & 31);
      rva = this.#context.preceding(rva);
    }
    return undefined;
  }

  #formedBefore(store: number, register: number): number | undefined {
    let rva = this.#context.preceding(store);
    for (let count = 0; count < windowInstructions && rva >= 0; count += 1) {
      const word = this.#word(rva) ?? 0;
      if (writesLow(word) && (word & 31) === register) return this.#addressAt(word, rva);
      rva = this.#context.preceding(rva);
    }
    return undefined;
  }

  #addressAt(word: number, rva: number): number | undefined {
    if ((word & 0x9f000000) === 0x10000000) return rva + ((word << 8) >> 13) * 4 + ((word >>> 29) & 3);
    if ((word & 0x9f000000) >>> 0 === 0x90000000) {
      return (Math.floor(rva / pageBytes) + ((word << 8) >> 13) * 4 + ((word >>> 29) & 3)) * pageBytes;
    }
    if ((word & 0xff800000) >>> 0 !== 0x91000000) return undefined;
    const page = this.#before(rva, (word >>> 5) & 31);
    return page === undefined ? undefined : page + ((word >>> 10) & 0xfff) * ((word >>> 22) & 1 ? 4096 : 1);
  }

  /** What the nearest earlier `adrp` or `adr` puts into the register. */
  #before(rva: number, register: number): number | undefined {
    let at = this.#context.preceding(rva);
    for (let count = 0; count < windowInstructions && at >= 0; count += 1) {
      const word = this.#word(at) ?? 0;
      if (writesLow(word) && (word & 31) === register) {
        return (word & 0x1f000000) === 0x10000000 ? this.#addressAt(word, at) : undefined;
      }
      at = this.#context.preceding(at);
    }
    return undefined;
  }

  #select(index: number, from: number): Selection {
    let register = index;
    let guard: Guard | undefined;
    for (let at = from; at < this.#words.length; at += 1) {
      const word = this.#words[at] ?? 0;
      if (isCall(word)) return nothing;
      if (word >>> 24 === 0x54) {
        guard = { condition: word & 15, rva: this.#starts[at] ?? -1, taken: this.#taken[at] === true };
      } else if ((word & 0x7f80001f) === 0x7100001f && ((word >>> 5) & 31) === register) {
        const bound = guard === undefined ? undefined : boundBehind(guard, (word >>> 10) & 0xfff);
        if (bound === undefined) continue;
        const lowest = this.#lowest(register, at, bound.count);
        return { bound, selector: { lowest, guard: guard?.rva, guardTaken: guard?.taken === true, indices: undefined } };
      } else if (writesLow(word) && (word & 31) === register) {
        if (!isCopy(word)) return nothing;
        register = copied(word);
      }
    }
    return nothing;
  }

  /**
   * The value that index 0 stands for: what a subtraction took from it before the comparison, 0 where the value comes from
   * elsewhere; undefined where not all that leads there is seen.
   */
  #lowest(first: number, from: number, count: number): number | undefined {
    let register = first;
    let bits = (this.#words[from] ?? 0) >>> 31 === 1 ? 64 : 32;
    for (let at = from; at < this.#words.length; at += 1) {
      const word = this.#words[at] ?? 0;
      if (isCall(word)) return register === 0 ? 0 : undefined;
      if (changesAnother(word, register)) return undefined;
      if (writesLow(word) && (word & 31) === register) {
        const taken = takenImmediate(word);
        if (taken !== undefined) return firstValue(taken, count, bits);
        const kept = keptBits(word);
        if (kept === undefined) return scrambles(word) ? undefined : 0;
        register = copied(word);
        bits = Math.min(bits, kept);
      }
      const origin = this.#context.comesFrom?.(this.#starts[at] ?? -1);
      if (origin !== "one") return origin === "entry" ? 0 : undefined;
    }
    return undefined;
  }
}

/** LDP of two general registers from the stack frame, with or without giving it back. */
function restoresPair(word: number): boolean {
  const form = (word & 0xffc00000) >>> 0;
  return (form === 0xa9400000 || form === 0xa8c00000) && ((word >>> 5) & 31) === 31;
}

/** LDR and STR of a general register of 64 bits at an offset from the stack pointer. */
const isFrameLoad = (word: number): boolean => (word & 0xffc003e0) >>> 0 === 0xf94003e0;
const isFrameStore = (word: number): boolean => (word & 0xffc003e0) >>> 0 === 0xf90003e0;
const frameSlot = (word: number): number => (word >>> 10) & 0xfff;

interface Selection {
  readonly bound: IndexBound | undefined;
  readonly selector: SwitchSelector | undefined;
}

const nothing: Selection = { bound: undefined, selector: undefined };

interface Guard {
  readonly condition: number;
  readonly rva: number;
  readonly taken: boolean;
}

function boundBehind({ condition, taken }: Guard, limit: number): IndexBound | undefined {
  if (condition === (taken ? lowerOrSame : higher)) return { count: limit + 1, exact: true };
  return condition === (taken ? lower : higherOrSame) && limit > 0 ? { count: limit, exact: true } : undefined;
}

/** SUB or ADD of an immediate: what it takes from its source. */
function takenImmediate(word: number): number | undefined {
  if ((word & 0x1f800000) !== 0x11000000 || (word >>> 29) & 1) return undefined;
  const immediate = ((word >>> 10) & 0xfff) * ((word >>> 22) & 1 ? 4096 : 1);
  return (word >>> 30) & 1 ? immediate : -immediate;
}

/** ADD of two registers: plain, or with the second extended and shifted. */
function addedRegisters(
  word: number,
): { readonly first: number; readonly second: number; readonly shift: number; readonly signed: boolean | undefined } | undefined {
  const first = (word >>> 5) & 31;
  const second = (word >>> 16) & 31;
  if ((word & 0xffe00000) >>> 0 === 0x8b200000) {
    return { first, second, shift: (word >>> 10) & 7, signed: ((word >>> 15) & 1) === 1 };
  }
  if ((word & 0xffe00000) >>> 0 === 0x8b000000) return { first, second, shift: (word >>> 10) & 63, signed: undefined };
  return undefined;
}
