import type { Decoder, Instruction, InstructionInfoFactory } from "iced-x86";
import { noRegisters, type InstructionEffects, type MemoryAccess, type RegisterDecoder, type RegisterMove, type RegisterSet } from "../register-access.js";
import type { Iced } from "./code-table.js";
import { firstVector, type Used, type X86RegisterUses } from "./x86-register-uses.js";

const stackPointer = 4;
const framePointer = 5;

interface Piece {
  readonly iced: Iced;
  readonly bits: number;
  readonly bytes: Uint8Array;
  readonly start: number;
}

/** Reads the effects of instructions of one piece of code. */
export class X86RegisterDecoder implements RegisterDecoder {
  readonly #uses: X86RegisterUses;
  readonly #iced: Iced;
  readonly #bits: number;
  readonly #start: number;
  readonly #size: number;
  readonly #decoder: Decoder;
  readonly #instruction: Instruction;
  readonly #info: InstructionInfoFactory;
  #closed = false;

  constructor(uses: X86RegisterUses, { iced, bits, bytes, start }: Piece) {
    this.#uses = uses;
    this.#iced = iced;
    this.#bits = bits;
    this.#start = start;
    this.#size = bytes.byteLength;
    this.#decoder = new iced.Decoder(bits, bytes, iced.DecoderOptions.None);
    this.#instruction = new iced.Instruction();
    this.#info = new iced.InstructionInfoFactory();
  }

  read(offset: number): InstructionEffects | undefined {
    // A function may reach past the bytes that the file still holds.
    if (offset < 0 || offset >= this.#size) return undefined;
    this.#decoder.position = offset;
    this.#decoder.ip = BigInt(this.#start + offset);
    const instruction = this.#instruction;
    this.#decoder.decodeOut(instruction);
    if (instruction.code === this.#iced.Code.INVALID) return undefined;
    const used = this.#uses.used(instruction, this.#info);
    const change = instruction.stackPointerIncrement;
    const isReturn = instruction.flowControl === this.#iced.FlowControl.Return;
    const { Mnemonic } = this.#iced;
    const transfers = isReturn || this.#isCall();
    return {
      length: instruction.length,
      ...(transfers ? withoutStack(used) : this.#isConstant() ? { ...used, reads: noRegisters } : used),
      moves: transfers ? [] : this.#moves(change),
      memory: this.#memory(change),
      isPush: instruction.mnemonic === Mnemonic.Push,
      returnPops: isReturn ? change - this.#bits / 8 : 0,
      address: instruction.mnemonic === Mnemonic.Lea && instruction.memoryIndex === 0 ? this.#place() : undefined,
      setsFlags: (instruction.rflagsModified & this.#iced.RflagsBits.ZF) !== 0,
      checksGuard: this.#checksGuard(),
      x87Pushes: this.#bits === 64 && instruction.fpuWritesTop ? -instruction.fpuTopIncrement : undefined,
    };
  }

  /** GCC takes the guard at fs:0x28 or gs:0x14 from the copy in the frame; only the flags count. */
  #checksGuard(): boolean {
    const { Mnemonic, OpKind, Register } = this.#iced;
    const { mnemonic, op1Kind, opCount, memorySegment } = this.#instruction;
    if ((mnemonic !== Mnemonic.Sub && mnemonic !== Mnemonic.Xor) || opCount !== 2 || op1Kind !== OpKind.Memory) return false;
    return memorySegment === Register.FS || memorySegment === Register.GS;
  }

  #content(): MemoryAccess["content"] {
    const { MemorySize } = this.#iced;
    const { memorySize } = this.#instruction;
    if (memorySize === MemorySize.Float32 || memorySize === MemorySize.Float64) return "float";
    return memorySize === MemorySize.Float80 ? "unclear" : undefined;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#decoder.free();
    this.#instruction.free();
    this.#info.free();
  }

  /** `or` with all ones and `and` with zero: the short way to a constant. */
  #isConstant(): boolean {
    const { Mnemonic, OpKind } = this.#iced;
    const { mnemonic, op0Kind, opCount } = this.#instruction;
    if ((mnemonic !== Mnemonic.Or && mnemonic !== Mnemonic.And) || opCount !== 2 || op0Kind !== OpKind.Register) return false;
    return this.#constant() === (mnemonic === Mnemonic.Or ? -1 : 0);
  }

  #isCall(): boolean {
    const { FlowControl } = this.#iced;
    const flow = this.#instruction.flowControl;
    return flow === FlowControl.Call || flow === FlowControl.IndirectCall;
  }

  #place(): { readonly base: number; readonly offset: number } {
    return { base: this.#uses.number(this.#instruction.memoryBase), offset: this.#displacement() };
  }

  #displacement(): number {
    return Number(BigInt.asIntN(this.#bits, this.#instruction.memoryDisplacement));
  }

  #moves(change: number): RegisterMove[] {
    const { Mnemonic, OpKind } = this.#iced;
    const instruction = this.#instruction;
    const moves: RegisterMove[] = [];
    if (change !== 0) moves.push({ to: stackPointer, from: stackPointer, add: change });
    if (instruction.mnemonic === Mnemonic.Leave) moves.push({ to: stackPointer, from: framePointer, add: this.#bits / 8 });
    if (instruction.opCount !== 2 || instruction.op0Kind !== OpKind.Register) return moves;
    const to = this.#uses.number(instruction.op0Register);
    const move = to >= 0 && to < firstVector ? this.#moveTo(to) : undefined;
    if (move !== undefined) moves.push({ to, ...move });
    return moves;
  }

  #moveTo(to: number): Omit<RegisterMove, "to"> | undefined {
    const { Mnemonic, OpKind } = this.#iced;
    const instruction = this.#instruction;
    const whole = this.#isWhole(instruction.op0Register);
    const source = instruction.op1Kind === OpKind.Register ? this.#uses.number(instruction.op1Register) : -1;
    const other = source < firstVector ? source : -1;
    const constant = this.#constant();
    switch (instruction.mnemonic) {
      case Mnemonic.Mov:
        if (constant !== undefined) return { from: -1, add: constant };
        return whole && other >= 0 ? { from: other, add: 0 } : undefined;
      case Mnemonic.Lea:
        return whole && instruction.memoryIndex === 0 && !instruction.isIpRelMemoryOperand && instruction.memoryBase !== 0
          ? { from: this.#place().base, add: this.#displacement() }
          : undefined;
      case Mnemonic.Add:
        return whole ? sum(to, constant, other, 1) : undefined;
      case Mnemonic.Sub:
        return whole ? sum(to, constant, other, -1) : undefined;
      default:
        return undefined;
    }
  }

  /** True for registers of the full width of addresses. */
  #isWhole(register: number): boolean {
    const { RegisterExt } = this.#iced;
    return this.#bits === 64 ? RegisterExt.isGPR64(register) : RegisterExt.isGPR32(register);
  }

  #constant(): number | undefined {
    const { OpKind } = this.#iced;
    const kind = this.#instruction.op1Kind;
    if (kind < OpKind.Immediate8 || kind > OpKind.Immediate32to64) return undefined;
    const value = this.#instruction.immediate(1);
    // Constants of 32-bit operations come without their sign extended.
    const narrow = value <= 0xffff_ffffn && kind !== OpKind.Immediate64;
    return Number(BigInt.asIntN(narrow ? 32 : this.#bits, value));
  }

  #memory(change: number): MemoryAccess[] {
    const { Mnemonic, OpKind } = this.#iced;
    const instruction = this.#instruction;
    const found: MemoryAccess[] = [];
    for (let operand = 0; operand < instruction.opCount; operand += 1) {
      if (instruction.opKind(operand) !== OpKind.Memory || instruction.isIpRelMemoryOperand) continue;
      const kind = this.#uses.access(instruction, operand, this.#info);
      if (kind !== "none") found.push(this.#explicit(operand, kind));
    }
    const own = instruction.mnemonic === Mnemonic.Push || instruction.mnemonic === Mnemonic.Pop;
    const word = this.#bits / 8;
    if (own && instruction.op0Kind === OpKind.Register && Math.abs(change) === word) {
      const store = instruction.mnemonic === Mnemonic.Push;
      const register = this.#uses.number(instruction.op0Register);
      found.push({ base: stackPointer, offset: store ? -word : 0, indexed: false, bytes: word, kind: store ? "store" : "load", general: register, vector: -1 });
    } else if (instruction.mnemonic === Mnemonic.Leave) {
      found.push({ base: framePointer, offset: 0, indexed: false, bytes: word, kind: "load", general: framePointer, vector: -1 });
    }
    return found;
  }

  #explicit(operand: number, kind: MemoryAccess["kind"]): MemoryAccess {
    const { OpKind, MemorySizeExt } = this.#iced;
    const instruction = this.#instruction;
    const otherOperand = operand === 0 ? 1 : 0;
    const moved = instruction.opCount === 2 && instruction.opKind(otherOperand) === OpKind.Register;
    const register = moved ? this.#uses.number(instruction.opRegister(otherOperand)) : -1;
    return {
      base: this.#uses.number(instruction.memoryBase),
      offset: this.#displacement(),
      indexed: instruction.memoryIndex !== 0,
      bytes: MemorySizeExt.size(instruction.memorySize),
      kind,
      general: register >= 0 && register < firstVector && this.#isWhole(instruction.opRegister(otherOperand)) ? register : -1,
      vector: register >= firstVector ? register - firstVector : -1,
      content: this.#content(),
    };
  }
}

function sum(to: number, constant: number | undefined, other: number, sign: 1 | -1): Omit<RegisterMove, "to"> | undefined {
  if (constant !== undefined) return { from: to, add: sign * constant };
  return other < 0 ? undefined : { from: to, add: 0, term: { register: other, sign } };
}

/** What a call pushes is gone when it is back; what a return pops is the caller's. */
function withoutStack({ reads, writes, definiteWrites }: Used): Used {
  const kept = ({ general, vector }: RegisterSet): RegisterSet => ({ general: general & ~(1 << stackPointer), vector });
  return { reads: kept(reads), writes: kept(writes), definiteWrites: kept(definiteWrites) };
}
