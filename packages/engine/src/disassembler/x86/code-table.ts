import type { Instruction } from "iced-x86";
import { referenceCode } from "../disassembler.js";
import { flow } from "../flow.js";

export type Iced = typeof import("iced-x86");

const unknown = 0xff;
const none = 0xf;

/**
 * What is the same for all instructions of one opcode, learnt when the opcode is first met: asking the decoder's module
 * once for each opcode instead of once for each instruction.
 */
export class CodeTable {
  readonly flows = new Uint8Array(5120).fill(unknown);
  /** 1 where the flow has a direct target. */
  readonly direct = new Uint8Array(5120);
  /** Operand that is or may be memory, 15 without one, 255 before `learnOperands`. */
  readonly memoryOperand = new Uint8Array(5120).fill(unknown);
  /** Operand that is a constant of 32 bits or more, 15 without one; after `learnOperands`. */
  readonly constantOperand = new Uint8Array(5120);
  /** 1 + `referenceCode` of the access to memory, 7 for read and write, 0 not known yet. */
  readonly access = new Uint8Array(5120);
  /** Operands written (bit n: operand n), and from bit 8 on the 32-bit registers written without being operands; -1 not known yet. */
  readonly #writes = new Int32Array(5120).fill(-1);
  readonly #iced: Iced;

  constructor(iced: Iced) {
    this.#iced = iced;
  }

  isKnown(code: number): boolean {
    return this.flows[code] !== unknown;
  }

  learn(code: number, instruction: Instruction): void {
    this.direct[code] = this.#isNearBranch(instruction) ? 1 : 0;
    this.flows[code] = this.#flowOf(instruction, this.direct[code] === 1);
  }

  /** Learnt apart, as it makes the module set up its list of all opcodes, and only who collects references asks. */
  learnOperands(code: number, instruction: Instruction): void {
    this.memoryOperand[code] = none;
    this.constantOperand[code] = none;
    // A branch has its target for an operand.
    if (this.direct[code] !== 1) this.#readOperands(code, instruction);
  }

  learnAccess(code: number, instruction: Instruction): number {
    const factory = new this.#iced.InstructionInfoFactory();
    const info = factory.info(instruction);
    const access = this.#accessCode(info.opAccess(this.memoryOperand[code] ?? 0));
    info.free();
    factory.free();
    this.access[code] = access;
    return access;
  }

  /** The 32-bit general registers that the instruction changes, bit n for register n, whole or in part. */
  writtenMask(instruction: Instruction): number {
    const code = instruction.code;
    let writes = this.#writes[code] ?? -1;
    if (writes === -1) writes = this.#learnWrites(code, instruction);
    let mask = writes >>> 8;
    for (let index = 0; index < instruction.opCount; index += 1) {
      if ((writes >>> index) & 1) mask |= this.#bitOf(instruction, index);
    }
    return mask;
  }

  #learnWrites(code: number, instruction: Instruction): number {
    const factory = new this.#iced.InstructionInfoFactory();
    const info = factory.info(instruction);
    let operands = 0;
    let explicit = 0;
    for (let index = 0; index < instruction.opCount; index += 1) {
      if (!this.#isWrite(info.opAccess(index))) continue;
      operands |= 1 << index;
      explicit |= this.#bitOf(instruction, index);
    }
    let implicit = 0;
    const listed: readonly unknown[] = info.usedRegisters();
    for (const used of listed) {
      if (!(used instanceof this.#iced.UsedRegister)) continue;
      if (this.#isWrite(used.access)) implicit |= this.#bit(used.register);
      used.free();
    }
    info.free();
    factory.free();
    const writes = operands | ((implicit & ~explicit) << 8);
    this.#writes[code] = writes;
    return writes;
  }

  #isWrite(access: number): boolean {
    const { OpAccess } = this.#iced;
    return access === OpAccess.Write || access === OpAccess.CondWrite || access === OpAccess.ReadWrite || access === OpAccess.ReadCondWrite;
  }

  #bitOf(instruction: Instruction, operand: number): number {
    return instruction.opKind(operand) === this.#iced.OpKind.Register ? this.#bit(instruction.opRegister(operand)) : 0;
  }

  #bit(register: number): number {
    const { Register, RegisterExt } = this.#iced;
    const number = register === Register.None ? -1 : RegisterExt.fullRegister32(register) - Register.EAX;
    return number >= 0 && number < 8 ? 1 << number : 0;
  }

  #isNearBranch(instruction: Instruction): boolean {
    const { OpKind } = this.#iced;
    const kind = instruction.opCount > 0 ? instruction.op0Kind : OpKind.Register;
    return kind === OpKind.NearBranch16 || kind === OpKind.NearBranch32 || kind === OpKind.NearBranch64;
  }

  #flowOf(instruction: Instruction, direct: boolean): number {
    const { FlowControl, Mnemonic } = this.#iced;
    switch (instruction.flowControl) {
      case FlowControl.UnconditionalBranch:
        return direct ? flow.jump : flow.indirectJump;
      case FlowControl.IndirectBranch:
        return flow.indirectJump;
      case FlowControl.ConditionalBranch:
        return flow.conditionalJump;
      case FlowControl.XbeginXabortXend:
        return direct ? flow.conditionalJump : flow.sequential;
      case FlowControl.Return:
        return flow.return;
      case FlowControl.Call:
        return this.#callFlow(instruction, direct);
      case FlowControl.IndirectCall:
        return flow.indirectCall;
      case FlowControl.Interrupt:
        return instruction.mnemonic === Mnemonic.Int3 ? flow.trap : flow.sequential;
      case FlowControl.Exception:
        return flow.trap;
      case FlowControl.Next:
        return this.#plainFlow(instruction);
      default:
        return flow.sequential;
    }
  }

  /** `syscall`, `vmcall` and the like come back to the next instruction; a far call goes where we do not look. */
  #callFlow(instruction: Instruction, direct: boolean): number {
    if (direct) return flow.call;
    const { Mnemonic } = this.#iced;
    return instruction.mnemonic === Mnemonic.Call ? flow.indirectCall : flow.sequential;
  }

  #plainFlow(instruction: Instruction): number {
    const { Mnemonic } = this.#iced;
    if (instruction.mnemonic === Mnemonic.Hlt) return flow.halt;
    return instruction.mnemonic === Mnemonic.Nop ? flow.padding : flow.sequential;
  }

  #readOperands(code: number, instruction: Instruction): void {
    const { OpKind, OpCodeOperandKind } = this.#iced;
    const info = instruction.opCode;
    let memory = none;
    let constant = none;
    for (let index = 0; index < instruction.opCount; index += 1) {
      const kind = instruction.opKind(index);
      const declared = info.opKind(index);
      const wide = kind === OpKind.Immediate32 || kind === OpKind.Immediate64 || kind === OpKind.Immediate32to64;
      if (wide) constant = index;
      else if (kind === OpKind.Memory || isMemoryForm(OpCodeOperandKind[declared])) memory = index;
    }
    info.free();
    this.memoryOperand[code] = memory;
    this.constantOperand[code] = constant;
  }

  #accessCode(access: number): number {
    const { OpAccess } = this.#iced;
    switch (access) {
      case OpAccess.Write:
      case OpAccess.CondWrite:
        return 1 + referenceCode.write;
      case OpAccess.ReadWrite:
      case OpAccess.ReadCondWrite:
        return 7;
      case OpAccess.NoMemAccess:
        return 1 + referenceCode.address;
      default:
        return 1 + referenceCode.read;
    }
  }
}

/** The module names the forms `mem`, `mem_offs`, `r32_or_mem`, `xmm_or_mem`, … */
function isMemoryForm(name: string | undefined): boolean {
  return name !== undefined && (name.startsWith("mem") || name.endsWith("_mem") || name.includes("_or_mem"));
}
