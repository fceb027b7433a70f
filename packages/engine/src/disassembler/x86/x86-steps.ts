import type { Instruction } from "iced-x86";
import type { JumpContext } from "../jump-table.js";
import type { Iced } from "./code-table.js";

/** One instruction as plain numbers; registers are their full-width forms, 0 for none. */
export interface X86Step {
  readonly mnemonic: number;
  readonly operands: number;
  /** First and second operand when they are registers. */
  readonly register0: number;
  readonly register1: number;
  /** Bytes of the first and second operand where they are registers or memory, 0 otherwise. */
  readonly bytes0: number;
  readonly bytes1: number;
  readonly isMemory0: boolean;
  readonly isMemory1: boolean;
  readonly base: number;
  readonly index: number;
  readonly scale: number;
  /** Displacement; the RVA itself for operands relative to the instruction pointer. */
  readonly displacement: number;
  /** The displacement as the signed number that is added. */
  readonly offset: number;
  readonly ipRelative: boolean;
  /** Constant of the second operand, undefined without one. */
  readonly constant: number | undefined;
  /** That constant as a signed number. */
  readonly signedConstant: number | undefined;
}

/** Reads single instructions for searches that go backwards; slow and thorough, for few instructions. */
export class X86StepReader {
  readonly #iced: Iced;
  readonly #bits: number;
  readonly #context: JumpContext;

  constructor(iced: Iced, bits: number, context: JumpContext) {
    this.#iced = iced;
    this.#bits = bits;
    this.#context = context;
  }

  read(rva: number): X86Step | undefined {
    const { Decoder, DecoderOptions, Code } = this.#iced;
    const decoder = new Decoder(this.#bits, this.#context.read(rva, 15), DecoderOptions.None);
    decoder.ip = BigInt(rva);
    const instruction = decoder.decode();
    const step = instruction.code === Code.INVALID ? undefined : this.#stepOf(instruction);
    instruction.free();
    decoder.free();
    return step;
  }

  #stepOf(instruction: Instruction): X86Step {
    const { OpKind } = this.#iced;
    const count = instruction.opCount;
    const kind0 = count > 0 ? instruction.op0Kind : OpKind.Immediate8_2nd;
    const kind1 = count > 1 ? instruction.op1Kind : OpKind.Immediate8_2nd;
    const memory = kind0 === OpKind.Memory || kind1 === OpKind.Memory;
    const ipRelative = memory && instruction.isIpRelMemoryOperand;
    return {
      mnemonic: instruction.mnemonic,
      operands: count,
      register0: kind0 === OpKind.Register ? this.#full(instruction.op0Register) : 0,
      register1: kind1 === OpKind.Register ? this.#full(instruction.op1Register) : 0,
      bytes0: this.#bytes(instruction, kind0, 0),
      bytes1: this.#bytes(instruction, kind1, 1),
      isMemory0: kind0 === OpKind.Memory,
      isMemory1: kind1 === OpKind.Memory,
      base: memory && !ipRelative ? this.#full(instruction.memoryBase) : 0,
      index: memory ? this.#full(instruction.memoryIndex) : 0,
      scale: memory ? instruction.memoryIndexScale : 1,
      displacement: memory ? Number(ipRelative ? instruction.ipRelMemoryAddress : instruction.memoryDisplacement) : 0,
      offset: memory && !ipRelative ? Number(BigInt.asIntN(this.#bits === 64 ? 64 : 32, instruction.memoryDisplacement)) : 0,
      ipRelative,
      constant: this.#isConstant(kind1) ? Number(instruction.immediate(1)) : undefined,
      signedConstant: this.#isConstant(kind1) ? this.#signed(instruction) : undefined,
    };
  }

  #bytes(instruction: Instruction, kind: number, operand: number): number {
    const { OpKind, RegisterExt, MemorySizeExt } = this.#iced;
    if (kind === OpKind.Register) return RegisterExt.size(instruction.opRegister(operand));
    return kind === OpKind.Memory ? MemorySizeExt.size(instruction.memorySize) : 0;
  }

  #isConstant(kind: number): boolean {
    const { OpKind } = this.#iced;
    return kind >= OpKind.Immediate8 && kind <= OpKind.Immediate32to64 && kind !== OpKind.Immediate8_2nd;
  }

  /** Constants of 32-bit operations come without their sign extended. */
  #signed(instruction: Instruction): number {
    const value = instruction.immediate(1);
    const wide = instruction.op1Kind === this.#iced.OpKind.Immediate64 || value > 0xffff_ffffn;
    return Number(BigInt.asIntN(wide ? 64 : 32, value));
  }

  #full(register: number): number {
    return register === 0 ? 0 : this.#iced.RegisterExt.fullRegister(register);
  }
}
