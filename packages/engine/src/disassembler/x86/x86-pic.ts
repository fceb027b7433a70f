import type { Instruction } from "iced-x86";
import type { CodeBytes } from "../disassembler.js";
import { KnownRegisters } from "../known-registers.js";
import type { CodeTable, Iced } from "./code-table.js";

/** eax, ecx and edx (System V ABI for i386, "Registers and the stack frame"). */
const callerSaved = 0b111;
/** Most bytes of the code that hands the program counter to its caller. */
const thunkBytes = 4;

/**
 * Addresses that position-independent 32-bit x86 code counts from the program counter: a call of `mov reg, [esp]; ret`, or
 * a call of the next instruction with `pop reg`, then `add`, `lea` and memory operands from that register. Values are RVAs.
 */
export class X86Pic {
  readonly registers = new KnownRegisters(8);
  readonly #iced: Iced;
  readonly #table: CodeTable;
  readonly #code: CodeBytes;
  /** What a `pop` would get, -1 when unknown. */
  #top = -1;

  constructor(iced: Iced, table: CodeTable, code: CodeBytes) {
    this.#iced = iced;
    this.#table = table;
    this.#code = code;
  }

  begin(): void {
    this.registers.clear();
    this.#top = -1;
  }

  /** True when nothing is known that an instruction could change. */
  get isIdle(): boolean {
    return this.#top < 0 && this.registers.isEmpty;
  }

  /** RVA that a memory operand with a known base names, its index left out; -1 without one. */
  cell(instruction: Instruction): number {
    const { Register } = this.#iced;
    if (instruction.memoryBase === Register.None || instruction.isIpRelMemoryOperand) return -1;
    const base = this.registers.get(this.#number(instruction.memoryBase));
    return base === undefined ? -1 : base + Number(BigInt.asIntN(32, instruction.memoryDisplacementU64));
  }

  /** Follows what the instruction, which ends at RVA `end`, does to registers; `call` is the target of a direct call or -1. */
  follow(instruction: Instruction, end: number, call: number): void {
    const top = this.#top;
    this.#top = -1;
    if (call >= 0) this.#afterCall(end, call);
    else this.#afterOther(instruction, top);
  }

  #afterCall(end: number, call: number): void {
    if (call === end) {
      this.#top = end;
      return;
    }
    const register = this.#thunkRegister(call);
    if (register < 0) this.registers.forgetMask(callerSaved);
    else this.registers.set(register, end);
  }

  /** The register that the code at `rva` loads with its return address, -1 when it is no such code. */
  #thunkRegister(rva: number): number {
    const at = rva - this.#code.start;
    const { bytes } = this.#code;
    if (at < 0 || at + thunkBytes > bytes.byteLength) return -1;
    const operand = bytes[at + 1] ?? 0;
    const isThunk = bytes[at] === 0x8b && (operand & 0xc7) === 0x04 && bytes[at + 2] === 0x24 && bytes[at + 3] === 0xc3;
    return isThunk ? operand >>> 3 : -1;
  }

  #afterOther(instruction: Instruction, top: number): void {
    const { Mnemonic, OpKind } = this.#iced;
    const register = instruction.opCount > 0 && instruction.op0Kind === OpKind.Register ? this.#number(instruction.op0Register) : -1;
    const value = register < 0 ? undefined : this.#result(instruction, register, top);
    this.registers.forgetMask(this.#table.writtenMask(instruction));
    if (instruction.mnemonic === Mnemonic.Call) this.registers.forgetMask(callerSaved);
    if (value !== undefined) this.registers.set(register, value);
  }

  /** The address that the instruction puts into the register, undefined for anything else. */
  #result(instruction: Instruction, register: number, top: number): number | undefined {
    const { Mnemonic, OpKind, Register } = this.#iced;
    switch (instruction.mnemonic) {
      case Mnemonic.Pop:
        return top < 0 ? undefined : top;
      case Mnemonic.Add:
      case Mnemonic.Sub: {
        const known = this.registers.get(register);
        if (known === undefined || instruction.op1Kind === OpKind.Register || instruction.op1Kind === OpKind.Memory) return undefined;
        const constant = Number(BigInt.asIntN(32, instruction.immediate(1)));
        return known + (instruction.mnemonic === Mnemonic.Add ? constant : -constant);
      }
      case Mnemonic.Lea: {
        const cell = instruction.memoryIndex === Register.None ? this.cell(instruction) : -1;
        return cell < 0 ? undefined : cell;
      }
      case Mnemonic.Mov:
        return instruction.op1Kind === OpKind.Register ? this.registers.get(this.#number(instruction.op1Register)) : undefined;
      default:
        return undefined;
    }
  }

  /** 0 to 7 for a 32-bit register, 31 (never known) for all others. */
  #number(register: number): number {
    const number = register - this.#iced.Register.EAX;
    return number >= 0 && number < 8 ? number : 31;
  }
}
