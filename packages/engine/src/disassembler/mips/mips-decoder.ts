import { referenceCode, type CodeBytes } from "../disassembler.js";
import { flow } from "../flow.js";
import { RunDecoder } from "../run-decoder.js";
import type { GlobalTable } from "./global-table.js";
import { mipsBranch, type MipsBranch } from "./mips-branches.js";

const gp = 28;
const t9 = 25;
/** at, v0, v1, a0 to a3, t0 to t9, ra (System V ABI, MIPS supplement). */
const callerSaved = 0x8300fffe;
/** Major opcodes that no release before 6 has. */
const reserved: ReadonlySet<number> = new Set([0x1e, 0x3b]);
/** `lui` and `addiu` that together hold the distance from a function to the global pointer. */
const distanceKnown = 1;

export interface MipsCode {
  readonly little: boolean;
  readonly global: GlobalTable | undefined;
}

/**
 * MIPS I to release 5 of 32 and 64 bits (MIPS Architecture For Programmers, volume II): control flow and addresses. A branch
 * takes effect behind its delay slot, so the instruction in the slot carries flow and target of the branch before it.
 */
export class MipsDecoder extends RunDecoder {
  readonly #little: boolean;
  readonly #global: GlobalTable | undefined;
  readonly #baseLow: number;
  /** For each register, whether it holds the upper part of a distance to the global pointer. */
  readonly #distance = new Uint8Array(32);

  constructor(code: CodeBytes, { little, global }: MipsCode) {
    super(code);
    this.#little = little;
    this.#global = global;
    this.#baseLow = Number(code.base & 0xfff_ffffn);
  }

  decode(offset: number): boolean {
    if (offset + 4 > this.size || offset % 4 !== 0) return false;
    const word = this.#word(offset);
    this.reset();
    if (reserved.has(word >>> 26)) return false;
    const before = offset < 4 ? undefined : this.#branch(offset - 4);
    if (before !== undefined) this.#take(before);
    else if (word === 0) this.flow = flow.padding;
    else if ((word & 0xfc00003f) === 0x0d) this.flow = flow.trap;
    else if (word === 0x42000018) this.flow = flow.return;
    return true;
  }

  /** The flow and target of the instruction itself, without regard to delay slots. */
  own(offset: number): { readonly flow: number; readonly target: number } {
    const branch = this.#branch(offset);
    if (branch !== undefined) return branch;
    const known = this.decode(offset) && this.delay === 0;
    return { flow: known ? this.flow : flow.sequential, target: -1 };
  }

  /** The stack pointer is lowered, or the global pointer is made. */
  startsFunction(offset: number): boolean {
    if (offset + 4 > this.size) return false;
    const word = this.#word(offset);
    const lowersStack = (word & 0xffff8000) >>> 0 === 0x27bd8000 || (word & 0xffff8000) >>> 0 === 0x67bd8000;
    return lowersStack || word >>> 16 === 0x3c1c;
  }

  override begin(): void {
    super.begin();
    this.#distance.fill(0);
  }

  #branch(offset: number): MipsBranch | undefined {
    return mipsBranch(this.#word(offset), this.code.start + offset, this.#baseLow);
  }

  #take(branch: MipsBranch): void {
    this.flow = branch.flow;
    this.target = branch.target;
    this.targetOperand = branch.operand;
    this.delay = 4;
  }

  protected fold(offset: number): void {
    const word = this.#word(offset);
    this.#foldWord(word, this.code.start + offset);
    if (this.delay === 4 && (this.flow === flow.call || this.flow === flow.indirectCall || this.flow === flow.conditionalCall)) {
      this.values.forgetMask(callerSaved);
    }
  }

  #foldWord(word: number, at: number): void {
    const code = word >>> 26;
    const [source, second, low] = [(word >>> 21) & 31, (word >>> 16) & 31, (word << 16) >> 16];
    const base = this.#value(source);
    if (code === 0x0f) {
      this.#set(second, this.absolute(BigInt(word << 16)));
      this.#distance[second] = distanceKnown;
    } else if (code === 0x09 || code === 0x19) this.#addImmediate(source, second, base === undefined ? undefined : base + low);
    else if (code === 0x0d) this.#set(second, base === undefined ? undefined : base + (word & 0xffff));
    else if (code === 0x00) this.#register(word, at);
    else if (isLoad(code)) this.#load(code, second, base === undefined ? undefined : base + low);
    else if (isStore(code)) {
      if (base !== undefined) this.refer(base + low, referenceCode.write, 1);
    } else this.#set(second, undefined);
  }

  #addImmediate(source: number, destination: number, value: number | undefined): void {
    const distance = this.#distance[source] ?? 0;
    this.#set(destination, value);
    this.#distance[destination] = distance;
    if (value !== undefined) this.refer(value, referenceCode.address, 2);
  }

  /** Register forms; the distance to the global pointer added to t9 (the function's own address) is the global pointer. */
  #register(word: number, at: number): void {
    const [first, second, destination, fn] = [(word >>> 21) & 31, (word >>> 16) & 31, (word >>> 11) & 31, word & 0x3f];
    const adds = fn === 0x21 || fn === 0x2d;
    const other = second === t9 ? first : first === t9 ? second : -1;
    if (adds && other >= 0 && this.#distance[other] === distanceKnown) this.#set(destination, this.#globalPointer());
    else if (adds && second === 0) this.#set(destination, this.#value(first));
    else if (fn === 0x25 && second === 0) this.#set(destination, this.#value(first));
    else if (fn === 0x09) this.#callThrough(this.#value(first), at);
    else if (fn !== 0x08) this.#set(destination, undefined);
  }

  /** `jalr` through a register that holds an address of this image. */
  #callThrough(target: number | undefined, at: number): void {
    if (target !== undefined && target !== at) this.refer(target, referenceCode.call, 0);
  }

  /** What a local entry of the global offset table holds is an address, or the page of one. */
  #load(code: number, destination: number, cell: number | undefined): void {
    if (cell !== undefined) this.refer(cell, referenceCode.read, 1);
    if (code === 0x31 || code === 0x35 || code === 0x32 || code === 0x36) return;
    const held = cell === undefined || (code !== 0x23 && code !== 0x37) ? undefined : this.#global?.read(this.code.base + BigInt(cell));
    const value = held === undefined ? undefined : Number(held - this.code.base);
    this.#set(destination, value);
    if (value !== undefined && value >= 0 && value < this.code.imageSize) this.refer(value, referenceCode.address, 1);
  }

  #globalPointer(): number | undefined {
    return this.#global === undefined ? undefined : Number(this.#global.pointer - this.code.base);
  }

  #value(register: number): number | undefined {
    return register === gp ? this.#globalPointer() : this.values.get(register);
  }

  #set(register: number, value: number | undefined): void {
    this.#distance[register] = 0;
    if (register !== 0) this.values.set(register, value);
  }

  #word(offset: number): number {
    return this.view.getUint32(offset, this.#little);
  }
}

/** lb to lwr, lwu, ld, ll, lld, ldl, ldr and the floating-point loads. */
function isLoad(code: number): boolean {
  return (code >= 0x20 && code <= 0x27) || code === 0x1a || code === 0x1b || (code >= 0x30 && code <= 0x37 && code !== 0x33);
}

function isStore(code: number): boolean {
  return (code >= 0x28 && code <= 0x2e) || code >= 0x38;
}
