import type { Instruction, InstructionInfoFactory, UsedRegister } from "iced-x86";
import type { MemoryAccess, RegisterSet } from "../register-access.js";
import type { Iced } from "./code-table.js";

/** Numbers of vector registers start here, those of general registers at 0. */
export const firstVector = 32;
/** Bit of the vector set that stands for the top of the x87 stack, where 32-bit code returns floating-point values. */
const x87Top = 31;

export interface Used {
  readonly reads: RegisterSet;
  readonly writes: RegisterSet;
  readonly definiteWrites: RegisterSet;
}

/** What instructions use, by the decoder's own tables: asked once for each opcode with the same registers. */
export class X86RegisterUses {
  readonly #iced: Iced;
  readonly #bits: number;
  readonly #numbers: Int8Array;
  readonly #used = new Map<number, Used>();
  readonly #access = new Map<number, MemoryAccess["kind"] | "none">();

  constructor(iced: Iced, bits: 32 | 64) {
    this.#iced = iced;
    this.#bits = bits;
    this.#numbers = registerNumbers(iced);
    if (bits === 32) this.#numbers[iced.Register.ST0] = firstVector + x87Top;
  }

  /** Number of a register of the decoder; -1 for none and for registers of other kinds. */
  number(register: number): number {
    return register === 0 ? -1 : (this.#numbers[register] ?? -1);
  }

  used(instruction: Instruction, info: InstructionInfoFactory): Used {
    const key = keyOf(instruction);
    const known = key < 0 ? undefined : this.#used.get(key);
    if (known !== undefined) return known;
    const found = this.#ask(instruction, info);
    if (key >= 0) this.#used.set(key, found);
    return found;
  }

  /** How the explicit memory operand is accessed. */
  access(instruction: Instruction, operand: number, info: InstructionInfoFactory): MemoryAccess["kind"] | "none" {
    const key = instruction.code * 8 + operand;
    const known = this.#access.get(key);
    if (known !== undefined) return known;
    const { OpAccess } = this.#iced;
    const about = info.info(instruction);
    const access = about.opAccess(operand);
    about.free();
    const load = access === OpAccess.Read || access === OpAccess.CondRead;
    const store = access === OpAccess.Write || access === OpAccess.CondWrite;
    const none = access === OpAccess.None || access === OpAccess.NoMemAccess;
    const kind = load ? "load" : store ? "store" : none ? "none" : "both";
    this.#access.set(key, kind);
    return kind;
  }

  #ask(instruction: Instruction, info: InstructionInfoFactory): Used {
    const { OpAccess } = this.#iced;
    const reads = { general: 0, vector: 0 };
    const writes = { general: 0, vector: 0 };
    const definiteWrites = { general: 0, vector: 0 };
    const about = info.info(instruction);
    const all: readonly unknown[] = about.usedRegisters();
    for (const used of all) {
      if (!isUsed(used, this.#iced)) continue;
      const { access, register } = used;
      used.free();
      const isRead = access !== OpAccess.Write && access !== OpAccess.CondWrite;
      const isWrite = access !== OpAccess.Read && access !== OpAccess.CondRead;
      if (isRead) this.#mark(reads, register);
      if (isWrite) this.#mark(writes, register);
      if (access === OpAccess.Write || access === OpAccess.ReadWrite) this.#mark(definiteWrites, register);
    }
    about.free();
    this.#forgetUpperHalf(instruction, { reads, writes, definiteWrites });
    if (instruction.mnemonic === this.#iced.Mnemonic.Sbb && instruction.op0Register !== 0 && instruction.op0Register === instruction.op1Register) {
      // Only the carry flag decides the result.
      reads.general = 0;
    }
    this.#markX87(instruction, { reads, writes, definiteWrites });
    return { reads, writes, definiteWrites };
  }

  #mark(set: { general: number; vector: number }, register: number): void {
    const number = this.number(register);
    if (number >= firstVector) set.vector |= 1 << (number - firstVector);
    else if (number >= 0) set.general |= 1 << number;
  }

  /** Scalar conversions keep the upper half of their target, which no compiler means to read. */
  #forgetUpperHalf(instruction: Instruction, used: Record<keyof Used, { general: number; vector: number }>): void {
    const { Mnemonic: m } = this.#iced;
    const scalar: readonly number[] = [m.Cvtsi2sd, m.Cvtsi2ss, m.Cvtss2sd, m.Cvtsd2ss, m.Sqrtsd, m.Sqrtss, m.Roundsd, m.Roundss];
    const target = scalar.includes(instruction.mnemonic) ? this.number(instruction.op0Register) : -1;
    if (target < firstVector) return;
    const bit = 1 << (target - firstVector);
    if (instruction.op1Register !== instruction.op0Register) used.reads.vector &= ~bit;
    used.definiteWrites.vector |= bit;
  }

  /** Loads push onto the x87 stack; what works on the place below the top and pops leaves its result on the top. */
  #markX87(instruction: Instruction, used: Record<keyof Used, { general: number; vector: number }>): void {
    const change = instruction.fpuTopIncrement;
    const intoNext = change > 0 && instruction.opCount > 0 && instruction.op0Register === this.#iced.Register.ST1;
    if (this.#bits === 64 || (change >= 0 && !intoNext)) return;
    used.writes.vector |= 1 << x87Top;
    used.definiteWrites.vector |= 1 << x87Top;
  }
}

function registerNumbers({ Register, RegisterExt }: Iced): Int8Array {
  const numbers = new Int8Array(512).fill(-1);
  for (const register of Object.values(Register)) {
    if (typeof register !== "number" || register <= 0) continue;
    if (RegisterExt.isGPR(register)) numbers[register] = RegisterExt.number(RegisterExt.fullRegister(register));
    else if (RegisterExt.isVectorRegister(register)) numbers[register] = firstVector + RegisterExt.number(register);
  }
  return numbers;
}

/** Opcode and registers in 53 bits; -1 for the few instructions with more operands. */
function keyOf(instruction: Instruction): number {
  const count = instruction.opCount;
  if (count > 3) return -1;
  const registers = [instruction.op0Register, instruction.op1Register, instruction.op2Register, instruction.memoryBase, instruction.memoryIndex];
  return registers.reduce((key, register) => key * 256 + (register & 255), instruction.code);
}

function isUsed(value: unknown, { UsedRegister }: Iced): value is UsedRegister {
  return value instanceof UsedRegister;
}
