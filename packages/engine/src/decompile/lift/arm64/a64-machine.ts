import { constant, load, read, type Expr } from "../../../ir/expression.js";
import { extract, make, sext, zext } from "../../../ir/simplify.js";
import { StepBuilder } from "../step-builder.js";
import { firstTemporary, flagPlaces, placeBits, sp, vectorBase, type FlagName } from "./places.js";

/** `count` bits of a word from bit `from` on. */
export function field(word: number, from: number, count: number): number {
  return (word >>> from) & (2 ** count - 1);
}

export function signedField(word: number, from: number, count: number): number {
  const value = field(word, from, count);
  return value >= 2 ** (count - 1) ? value - 2 ** count : value;
}

export function isSet(word: number, bit: number): boolean {
  return ((word >>> bit) & 1) === 1;
}

/** Registers, flags and memory of A64 as steps. Register 31 is zero or the stack pointer, as each instruction has it. */
export class A64Machine extends StepBuilder {
  readonly base: bigint;

  constructor(base: bigint) {
    super(firstTemporary);
    this.base = base;
  }

  /** A general register, 31 as zero. */
  general(register: number, bits: number): Expr {
    return register === 31 ? constant(bits, 0) : extract(read(register, 64), 0, bits);
  }

  generalOrSp(register: number, bits: number): Expr {
    return extract(read(register, 64), 0, bits);
  }

  /** Writes a general register, its upper half zero for 32 bits; 31 writes nothing. */
  setGeneral(register: number, value: Expr): void {
    if (register !== 31) this.set(register, zext(value, 64));
  }

  setGeneralOrSp(register: number, value: Expr): void {
    this.set(register === 31 ? sp : register, zext(value, 64));
  }

  /** The low bits of a vector register. */
  vector(register: number, bits = 128): Expr {
    return extract(read(vectorBase + register, 128), 0, bits);
  }

  /** Writes a vector register, zeros above the value. */
  setVector(register: number, value: Expr): void {
    this.set(vectorBase + register, zext(value, 128));
  }

  flag(name: FlagName): Expr {
    return read(flagPlaces[name], placeBits(flagPlaces[name]));
  }

  setFlag(name: FlagName, value: Expr): void {
    this.set(flagPlaces[name], value);
  }

  loadFrom(address: Expr, bits: number): Expr {
    return this.let(load(bits, address));
  }

  plus(base: Expr, offset: number): Expr {
    return offset === 0 ? base : make("add", 64, [base, constant(64, offset)]);
  }

  /** A register extended from its low part as the option says (uxtb … sxtx), then shifted left. */
  extended(register: number, option: number, shift: number, bits: number): Expr {
    const from = Math.min(bits, [8, 16, 32, 64][option & 3] ?? 64);
    const part = this.general(register, from);
    const wide = option >= 4 ? sext(part, bits) : zext(part, bits);
    return shift === 0 ? wide : make("shl", bits, [wide, constant(8, shift)]);
  }
}
