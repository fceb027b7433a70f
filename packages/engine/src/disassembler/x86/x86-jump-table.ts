import { hoistedInstructions, windowInstructions, type JumpContext, type JumpTable } from "../jump-table.js";
import type { Iced } from "./code-table.js";
import { X86Selectors } from "./x86-selector.js";
import { setsFirst } from "./x86-step-kinds.js";
import { X86StepReader, type X86Step } from "./x86-steps.js";

/** Where the entries of a table are read from. */
interface Load {
  readonly table: number;
  readonly index: number;
  readonly entryBytes: number;
  readonly signed: boolean;
  /** Position in the window of the instruction that loads. */
  readonly at: number;
}

/** Instructions that may stand between the call that fetches the program counter and the addition. */
const mostBetween = 6;

/**
 * Finds the table behind a computed jump of x86 code as compilers emit it: an indexed load of an address (`jmp [t + i*8]`),
 * or of an offset that is added to the table's own address, with the bound from the `cmp`/`ja` or `and` before it.
 */
export class X86JumpTables {
  readonly #iced: Iced;
  readonly #reader: X86StepReader;
  readonly #context: JumpContext;
  readonly #bits: number;
  readonly #base: number;
  #window: X86Step[] = [];
  #starts: number[] = [];
  /** True where the step is a conditional jump that was taken to get here. */
  #taken: boolean[] = [];

  constructor(iced: Iced, bits: number, base: bigint, context: JumpContext) {
    this.#iced = iced;
    this.#bits = bits;
    this.#base = Number(base);
    this.#context = context;
    this.#reader = new X86StepReader(iced, bits, context);
  }

  find(rva: number): JumpTable | undefined {
    const jump = this.#reader.read(rva);
    if (jump === undefined) return undefined;
    this.#fillWindow(rva);
    if (jump.isMemory0) return this.#addresses(jump, 0);
    return this.#definition(jump.register0, 0) < 0 ? this.#hoisted(jump.register0, rva) : this.#fromRegister(jump.register0);
  }

  /** What is switched on stays the same in a loop: the address to jump to was made before it. */
  #hoisted(register: number, jump: number): JumpTable | undefined {
    let behind = jump;
    for (let count = 0; count < hoistedInstructions; count += 1) {
      const rva = this.#context.preceding(behind);
      const step = rva < 0 ? undefined : this.#reader.read(rva);
      if (step === undefined) return undefined;
      if (step.register0 === register && this.#writes(step) && step.mnemonic !== this.#iced.Mnemonic.Pop) {
        this.#fillWindow(behind);
        return this.#fromRegister(register);
      }
      behind = rva;
    }
    return undefined;
  }

  #fillWindow(rva: number): void {
    this.#window = [];
    this.#starts = [];
    this.#taken = [];
    let at = rva;
    while (this.#window.length < windowInstructions) {
      const straight = this.#context.previous(at);
      at = straight >= 0 ? straight : this.#context.jumperTo(at);
      const step = at < 0 ? undefined : this.#reader.read(at);
      if (step === undefined) return;
      this.#window.push(step);
      this.#starts.push(at);
      this.#taken.push(straight < 0);
    }
  }

  #fromRegister(register: number): JumpTable | undefined {
    const { Mnemonic } = this.#iced;
    const at = this.#definition(register, 0);
    const step = this.#window[at];
    if (step === undefined) return undefined;
    if (step.mnemonic === Mnemonic.Mov && step.isMemory1) return this.#addresses(step, at + 1);
    if (step.mnemonic === Mnemonic.Add && step.isMemory1) return this.#addedLoad(step, at);
    if (step.mnemonic === Mnemonic.Add && step.register1 !== 0) return this.#offsets(register, step.register1, at + 1);
    if (step.mnemonic === Mnemonic.Lea && step.scale === 1) return this.#offsets(step.base, step.index, at + 1);
    return undefined;
  }

  /** Entries are whole addresses. */
  #addresses(step: X86Step, at: number): JumpTable | undefined {
    const load = this.#loadOf(step, at - 1, this.#bits / 8) ?? this.#summedLoad(step, at);
    if (load === undefined || load.entryBytes !== this.#bits / 8) return undefined;
    return { ...this.#tableOf(load), signed: false, base: undefined };
  }

  /** Entries are added to the address of a base that one of the registers holds; the other was loaded. */
  #offsets(one: number, other: number, at: number): JumpTable | undefined {
    for (const [loaded, base] of [
      [one, other],
      [other, one],
    ] as const) {
      const load = this.#loadInto(loaded, at);
      const from = load === undefined ? undefined : this.#addressIn(base, at);
      if (load !== undefined && from !== undefined) return { ...this.#tableOf(load), base: from };
    }
    return undefined;
  }

  /** The base is added to in memory: `add eax, [eax + esi*4 + t]`. */
  #addedLoad(step: X86Step, at: number): JumpTable | undefined {
    const load = this.#loadOf(step, at, 4);
    const base = load === undefined ? undefined : this.#addressIn(step.register0, at + 1);
    return load === undefined || base === undefined ? undefined : { ...this.#tableOf(load), base };
  }

  #loadInto(register: number, from: number): Load | undefined {
    const { Mnemonic } = this.#iced;
    const at = this.#definition(register, from);
    const step = this.#window[at];
    if (step?.isMemory1 !== true) return undefined;
    const loads: readonly number[] = [Mnemonic.Mov, Mnemonic.Movsxd, Mnemonic.Movsx, Mnemonic.Movzx];
    if (!loads.includes(step.mnemonic)) return undefined;
    return this.#loadOf(step, at, 4, step.mnemonic !== Mnemonic.Movzx);
  }

  /** The load of `step`: a table address plus a scaled index, however the two are split over base, index and displacement. */
  #loadOf(step: X86Step, at: number, standardBytes: number, signed = true): Load | undefined {
    if (step.index === 0 || step.ipRelative) return undefined;
    const load = { index: step.index, entryBytes: step.scale, signed, at };
    if (step.base === 0) return { ...load, table: step.displacement - this.#base };
    const table = this.#addressIn(step.base, at + 1);
    if (table !== undefined && step.scale > 1) return { ...load, table: table + step.offset };
    return step.scale === 1 ? this.#presumedLoad(step, at, standardBytes) : undefined;
  }

  /** Unoptimised code scales the index by itself: `lea rdx, [rax*4]`, then loads from the sum of two registers. */
  #presumedLoad(step: X86Step, at: number, entryBytes: number): Load | undefined {
    for (const [scaled, base] of [
      [step.base, step.index],
      [step.index, step.base],
    ] as const) {
      const place = this.#definition(scaled, at + 1);
      const definition = this.#window[place];
      const table = this.#addressIn(base, at + 1);
      const isScaled = definition?.mnemonic === this.#iced.Mnemonic.Lea && definition.base === 0 && definition.scale === entryBytes;
      if (table !== undefined && isScaled && definition.index !== 0) {
        return { table: table + step.displacement, index: definition.index, entryBytes, signed: true, at: place };
      }
    }
    return undefined;
  }

  /** Unoptimised 32-bit code makes the place by itself: `shl eax, 2; add eax, t`, then loads from it. */
  #summedLoad(step: X86Step, from: number): Load | undefined {
    const { Mnemonic } = this.#iced;
    const entryBytes = this.#bits / 8;
    if (step.base === 0 || step.index !== 0 || step.ipRelative || this.#base <= 0) return undefined;
    const sum = this.#definition(step.base, from);
    const added = this.#window[sum];
    if (added?.mnemonic !== Mnemonic.Add || added.constant === undefined) return undefined;
    const at = this.#definition(step.base, sum + 1);
    const scaled = this.#window[at];
    const scales = scaled?.mnemonic === Mnemonic.Shl && scaled.constant !== undefined && 2 ** scaled.constant === entryBytes;
    return scales ? { table: added.constant + step.offset - this.#base, index: step.base, entryBytes, signed: false, at } : undefined;
  }

  #tableOf(load: Load): Omit<JumpTable, "base"> {
    const entryBytes = load.entryBytes === 8 ? 8 : load.entryBytes === 4 ? 4 : load.entryBytes === 2 ? 2 : 1;
    const { bound, selector } = this.#selectors().select(load.index, load.at + 1);
    return { table: load.table, entryBytes, signed: load.signed, shift: 0, bound, selector };
  }

  #selectors(): X86Selectors {
    return new X86Selectors({
      iced: this.#iced,
      context: this.#context,
      base: this.#base,
      window: { steps: this.#window, starts: this.#starts, taken: this.#taken },
      addressIn: (register, from) => this.#addressIn(register, from),
    });
  }

  /** Position of the nearest instruction that sets the register, -1 without one in the window. */
  #definition(register: number, from: number): number {
    const { Register, Mnemonic } = this.#iced;
    for (let at = from; at < this.#window.length; at += 1) {
      const step = this.#window[at];
      if (step === undefined || this.#isCall(step)) return -1;
      // Sign extension in place keeps what the register stands for.
      if (step.mnemonic === Mnemonic.Cdqe && register === Register.RAX) continue;
      if (step.register0 === register && this.#writes(step)) return at;
    }
    return -1;
  }

  #isCall(step: X86Step): boolean {
    return step.mnemonic === this.#iced.Mnemonic.Call;
  }

  #writes(step: X86Step): boolean {
    return setsFirst(step, this.#iced);
  }

  /** The address a `lea` puts into the register: in the window, or earlier in the function where it was moved out of a loop. */
  #addressIn(register: number, from: number): number | undefined {
    const at = this.#definition(register, from);
    const near = this.#window[at];
    const found = near === undefined ? this.#hoistedAddress(register, from) : this.#addressOf(near, this.#starts[at] ?? -1);
    return found ?? this.#functionCounter(from);
  }

  #hoistedAddress(register: number, from: number): number | undefined {
    let rva = this.#starts[from] ?? this.#starts[this.#starts.length - 1] ?? -1;
    for (let count = 0; count < hoistedInstructions && rva >= 0; count += 1) {
      const step = this.#reader.read(rva);
      // A function may give its registers back in several places and go on behind them.
      const sets = step?.register0 === register && this.#writes(step) && step.mnemonic !== this.#iced.Mnemonic.Pop;
      if (step !== undefined && sets) return this.#addressOf(step, rva);
      rva = this.#context.preceding(rva);
    }
    return undefined;
  }

  #addressOf(step: X86Step, rva: number): number | undefined {
    return this.#leaAddress(step) ?? this.#counterAddress(step, rva);
  }

  /** 32-bit code counts all its data from one place; the register that holds it may have been kept on the stack meanwhile. */
  #functionCounter(from: number): number | undefined {
    if (this.#bits !== 32) return undefined;
    let rva = this.#starts[from] ?? this.#starts[this.#starts.length - 1] ?? -1;
    for (let count = 0; count < hoistedInstructions && rva >= 0; count += 1) {
      const step = this.#reader.read(rva);
      const found = step === undefined ? undefined : this.#counterAddress(step, rva);
      if (found !== undefined) return found;
      rva = this.#context.preceding(rva);
    }
    return undefined;
  }

  /** What `add` makes of the program counter that a call right before it fetched (position-independent 32-bit code). */
  #counterAddress(step: X86Step, rva: number): number | undefined {
    if (this.#bits !== 32 || step.mnemonic !== this.#iced.Mnemonic.Add || step.signedConstant === undefined) return undefined;
    for (let at = rva, count = 0; count < mostBetween && at >= 0; count += 1) {
      const before = this.#context.preceding(at);
      const earlier = before < 0 ? undefined : this.#reader.read(before);
      if (earlier !== undefined && this.#isCall(earlier)) return this.#fetchesCounter(before) ? at + step.signedConstant : undefined;
      at = before;
    }
    return undefined;
  }

  /** True for a call of the next instruction, or of `mov reg, [esp]; ret`. */
  #fetchesCounter(call: number): boolean {
    const bytes = this.#context.read(call, 5);
    if (bytes.byteLength < 5 || bytes[0] !== 0xe8) return false;
    const distance = new DataView(bytes.buffer, bytes.byteOffset, 5).getInt32(1, true);
    const thunk = this.#context.read(call + 5 + distance, 4);
    return distance === 0 || (thunk[0] === 0x8b && ((thunk[1] ?? 0) & 0xc7) === 0x04 && thunk[2] === 0x24 && thunk[3] === 0xc3);
  }

  #leaAddress(step: X86Step): number | undefined {
    const { Mnemonic } = this.#iced;
    if (step.mnemonic === Mnemonic.Lea && step.ipRelative) return step.displacement;
    if (step.mnemonic === Mnemonic.Mov && step.constant !== undefined && this.#base > 0) return step.constant - this.#base;
    return undefined;
  }
}
