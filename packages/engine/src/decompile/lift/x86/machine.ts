import type { Instruction } from "iced-x86";
import { addressConstant, constant, load, op, read, type Expr, type OpName } from "../../../ir/expression.js";
import { extract, make, sext, zext } from "../../../ir/simplify.js";
import type { Iced } from "../../../disassembler/x86/code-table.js";
import { StepBuilder } from "../step-builder.js";
import { firstTemporary, flagPlaces, placeBits, registerParts, segmentBases, upperBase, type FlagName, type RegisterPart } from "./x86-places.js";

/** What is known of the numbers of the decoder's module. */
export interface X86Names {
  readonly iced: Iced;
  readonly parts: ReadonlyMap<number, RegisterPart>;
  readonly mnemonics: ReadonlyMap<number, string>;
  /** Bytes of a memory operand by its `MemorySize`. */
  readonly memoryBytes: (size: number) => number;
}

export function x86Names(iced: Iced): X86Names {
  const byName = registerParts();
  const parts = new Map<number, RegisterPart>();
  for (const [name, number] of Object.entries(iced.Register)) {
    const part = byName.get(name.toLowerCase());
    if (part !== undefined && typeof number === "number") parts.set(number, part);
  }
  const mnemonics = new Map<number, string>();
  for (const [name, number] of Object.entries(iced.Mnemonic)) if (typeof number === "number") mnemonics.set(number, name.toLowerCase());
  const bytes = new Map<number, number>();
  const memoryBytes = (size: number): number => {
    const known = bytes.get(size) ?? iced.MemorySizeExt.size(size);
    bytes.set(size, known);
    return known;
  };
  return { iced, parts, mnemonics, memoryBytes };
}

/** One instruction as the lifter reads it, and the steps it becomes. */
export class Machine extends StepBuilder {
  readonly names: X86Names;
  instruction: Instruction;
  /** Shifts operand numbers of three-operand forms, so that sources are where the two-operand forms have them. */
  isVex = false;
  readonly #base: bigint;

  constructor(names: X86Names, instruction: Instruction, base: bigint) {
    super(firstTemporary);
    this.names = names;
    this.instruction = instruction;
    this.#base = base;
  }

  get operands(): number {
    return this.instruction.opCount;
  }

  flag(name: FlagName): Expr {
    return read(flagPlaces[name], 1);
  }

  setFlag(name: FlagName, value: Expr): void {
    this.set(flagPlaces[name], value);
  }

  isMemory(operand: number): boolean {
    return this.instruction.opKind(operand) === this.names.iced.OpKind.Memory;
  }

  isRegister(operand: number): boolean {
    return this.instruction.opKind(operand) === this.names.iced.OpKind.Register;
  }

  part(operand: number): RegisterPart | undefined {
    return this.isRegister(operand) ? this.names.parts.get(this.instruction.opRegister(operand)) : undefined;
  }

  /** Width of an operand; of an immediate the width of the first operand. */
  bits(operand: number): number {
    if (this.isRegister(operand)) return this.part(operand)?.bits ?? 64;
    if (this.isMemory(operand)) return this.names.memoryBytes(this.instruction.memorySize) * 8;
    return operand === 0 ? 64 : this.bits(0);
  }

  /** The value of an operand; `bits` reads less of a register or other bytes of memory. */
  read(operand: number, bits = this.bits(operand)): Expr {
    if (this.isMemory(operand)) return this.let(load(bits, this.address()));
    const part = this.part(operand);
    if (part === undefined) return this.immediate(operand, bits);
    return this.readPart(part, bits);
  }

  readPart(part: RegisterPart, bits = part.bits): Expr {
    if (bits === 256) return op("concat", 256, [read(part.place + upperBase - 16, 128), read(part.place, 128)]);
    return extract(read(part.place, placeBits(part.place)), part.from, bits);
  }

  immediate(operand: number, bits: number): Expr {
    return constant(bits, this.instruction.immediate(operand));
  }

  imm8(operand: number): number {
    return Number(this.instruction.immediate(operand) & 255n);
  }

  /** Writes a general or vector register, or memory. A 32-bit write clears the upper half, a vector write as `keepUpper` says. */
  write(operand: number, value: Expr): void {
    if (this.isMemory(operand)) {
      this.store(this.address(), value);
      return;
    }
    const part = this.part(operand);
    if (part !== undefined) this.writePart(part, value);
  }

  writePart(part: RegisterPart, value: Expr): void {
    const width = placeBits(part.place);
    if (value.bits === 256) {
      this.set(part.place + upperBase - 16, extract(value, 128, 128));
      this.set(part.place, extract(value, 0, 128));
    } else if (width === 128) {
      this.set(part.place, zext(value, 128));
      if (this.isVex) this.set(part.place + upperBase - 16, constant(128, 0));
    } else if (value.bits === 64) this.set(part.place, value);
    else if (value.bits === 32) this.set(part.place, zext(value, 64));
    else this.set(part.place, make("insert", 64, [read(part.place, 64), value], { imm: part.from }));
  }

  /** The address of the memory operand. */
  address(): Expr {
    const { instruction, names } = this;
    const { Register } = names.iced;
    const segment = instruction.memorySegment;
    let sum: Expr = instruction.isIpRelMemoryOperand
      ? addressConstant(64, this.#base + instruction.ipRelMemoryAddress)
      : this.#sum();
    if (segment === Register.FS) sum = make("add", 64, [read(segmentBases.fs, 64), sum]);
    if (segment === Register.GS) sum = make("add", 64, [read(segmentBases.gs, 64), sum]);
    return this.let(sum);
  }

  #sum(): Expr {
    const { instruction, names } = this;
    const { Register } = names.iced;
    let sum: Expr = constant(64, instruction.memoryDisplacementU64);
    let is32 = false;
    const add = (register: number, scale: number): void => {
      const part = names.parts.get(register);
      if (part === undefined) return;
      is32 ||= part.bits === 32;
      const value = zext(this.readPart(part), 64);
      const scaled = scale === 1 ? value : make("mul", 64, [value, constant(64, scale)]);
      sum = make("add", 64, [scaled, sum]);
    };
    if (instruction.memoryIndex !== Register.None) add(instruction.memoryIndex, instruction.memoryIndexScale);
    if (instruction.memoryBase !== Register.None) add(instruction.memoryBase, 1);
    return is32 ? zext(extract(sum, 0, 32), 64) : sum;
  }

  binary(name: OpName, a: Expr, b: Expr): Expr {
    return make(name, a.bits, [a, b]);
  }

  signExtend(value: Expr, bits: number): Expr {
    return sext(value, bits);
  }
}
