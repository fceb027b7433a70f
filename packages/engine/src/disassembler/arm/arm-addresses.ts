import { referenceCode, type CodeBytes } from "../disassembler.js";
import { KnownRegisters } from "../known-registers.js";
import type { DecodedBranch } from "./decoded-branch.js";
import { instructionSet, type InstructionSets } from "./instruction-sets.js";

type Refer = (to: number, kind: number, operand: number) => void;

const pc = 15;
/** r0 to r3, r12, lr (Procedure Call Standard for the Arm Architecture §6.1.1). */
const callerSaved = 0x500f;

/**
 * Addresses that A32 and T32 code puts together inside one straight run: constants beside the code, `movw` and `movt`, and
 * what is added to them, the program counter above all.
 */
export class ArmAddresses {
  readonly #code: CodeBytes;
  readonly #view: DataView;
  readonly #sets: InstructionSets;
  readonly #refer: Refer;
  /** Plain 32-bit values. */
  readonly #values = new KnownRegisters(16);
  /** RVAs. */
  readonly #known = new KnownRegisters(16);

  constructor(code: CodeBytes, view: DataView, sets: InstructionSets, refer: Refer) {
    this.#code = code;
    this.#view = view;
    this.#sets = sets;
    this.#refer = refer;
  }

  begin(): void {
    this.#values.clear();
    this.#known.clear();
  }

  afterCall(): void {
    this.#values.forgetMask(callerSaved);
    this.#known.forgetMask(callerSaved);
  }

  /** The word at an RVA of this code. */
  wordAt(rva: number): number | undefined {
    const offset = rva - this.#code.start;
    return offset >= 0 && offset + 4 <= this.#view.byteLength ? this.#view.getUint32(offset, true) : undefined;
  }

  foldA32(word: number, at: number, branch: DecodedBranch): void {
    const [destination, base] = [(word >>> 12) & 15, (word >>> 16) & 15];
    const up = (word >>> 23) & 1;
    if (branch.literal >= 0) this.#literal((word & 0x0c500000) === 0x04100000 ? destination : -1, branch, at);
    else if ((word & 0x0ff00000) === 0x03000000) this.#low(destination, ((word >>> 4) & 0xf000) | (word & 0xfff));
    else if ((word & 0x0ff00000) === 0x03400000) this.#high(destination, ((word >>> 4) & 0xf000) | (word & 0xfff));
    else if ((word & 0x0fef0ff0) === 0x008f0000) this.#plusCounter(destination, word & 15, at + 8);
    else if ((word & 0x0fff0ff0) === 0x079f0000) this.#readPlusCounter(destination, word & 15, at + 8);
    else if ((word & 0x0fe00000) === 0x02800000) this.#plus(destination, base === pc ? at + 8 : this.#known.get(base), rotated(word));
    else if ((word & 0x0fe00000) === 0x02400000) this.#plus(destination, base === pc ? at + 8 : this.#known.get(base), -rotated(word));
    else if ((word & 0x0f200000) === 0x05000000) {
      const load = (word & 0x00100000) !== 0;
      this.#access(base, up ? word & 0xfff : -(word & 0xfff), load);
      if (load) this.#forget(destination);
    } else if ((word & 0x0e000000) === 0x08000000) this.#forgetAll();
    else if ((word & 0x0e000000) !== 0x0a000000) this.#forget(destination, base);
  }

  foldT16(half: number, at: number, branch: DecodedBranch): void {
    const low = half & 7;
    const high = (half >>> 8) & 7;
    const wide = low | ((half >>> 4) & 8);
    if (branch.literal >= 0) this.#literal(high, branch, at);
    else if ((half & 0xff78) === 0x4478) this.#plusCounter(wide, wide, at + 4);
    else if (half >>> 11 === 0b10100) this.#plus(high, at + 4 - ((at + 4) % 4), (half & 0xff) * 4);
    else if (half >>> 11 === 0b00110) this.#plus(high, this.#known.get(high), half & 0xff);
    else if (half >>> 13 === 0b011 || half >>> 12 === 0b1000) {
      const size = half >>> 12 === 0b1000 ? 2 : half & 0x1000 ? 1 : 4;
      const load = (half & 0x800) !== 0;
      this.#access((half >>> 3) & 7, ((half >>> 6) & 31) * size, load);
      if (load) this.#forget(low);
    } else if (half >>> 12 !== 0xd && half >>> 11 !== 0b11100 && (half & 0xf500) !== 0xb100) this.#forget(low, high, wide);
  }

  foldT32(first: number, second: number, at: number, branch: DecodedBranch): void {
    const base = first & 15;
    const destination = (second >>> 8) & 15;
    const split = ((first & 0x400) << 1) | ((second >>> 4) & 0x700) | (second & 0xff);
    if (branch.literal >= 0) this.#literal((first & 0xff7f) === 0xf85f ? second >>> 12 : -1, branch, at);
    else if ((first & 0xfbf0) === 0xf240) this.#low(destination, (base << 12) | split);
    else if ((first & 0xfbf0) === 0xf2c0) this.#high(destination, (base << 12) | split);
    else if ((first & 0xfbf0) === 0xf200) this.#plus(destination, this.#base(base, at), split);
    else if ((first & 0xfbf0) === 0xf2a0) this.#plus(destination, this.#base(base, at), -split);
    else if ((first & 0xff80) === 0xf880) {
      const load = (first & 0x10) !== 0;
      this.#access(base, second & 0xfff, load);
      if (load) this.#forget(second >>> 12);
    } else if ((first & 0xf800) !== 0xf000 || !(second & 0x8000)) {
      if ((first & 0xfe40) === 0xe800) this.#forgetAll();
      else this.#forget(destination, second >>> 12, base);
    }
  }

  #base(register: number, at: number): number | undefined {
    return register === pc ? at + 4 - ((at + 4) % 4) : this.#known.get(register);
  }

  /** The constant itself is read; where constants are addresses, so is what it leads to named. */
  #literal(destination: number, { literal, through }: DecodedBranch, at: number): void {
    if (!through) this.#refer(literal, referenceCode.read, 1);
    if (destination < 0) return;
    const value = this.wordAt(literal);
    this.#values.set(destination, value);
    this.#known.forget(destination);
    if (value !== undefined) this.#whole(destination, value, at);
  }

  /** A whole address in a register. */
  #whole(destination: number, value: number, at: number): void {
    if (!this.#code.absolute) return;
    const rva = Number(BigInt(value) - this.#code.base);
    if (rva < 0 || rva >= this.#code.imageSize || rva === at) return;
    this.#known.set(destination, rva);
    if (!this.#isInCode(rva) || this.#looksLikeCode(rva)) this.#name(rva, 1);
  }

  #isInCode(rva: number): boolean {
    return rva >= this.#code.start && rva < this.#code.start + this.#view.byteLength;
  }

  /** A number may happen to lie in the range of code: it is an address only where code is known or a function seems to start. */
  #looksLikeCode(rva: number): boolean {
    const word = this.wordAt(rva - (rva % 2));
    if (word === undefined) return false;
    if (this.#sets.isCertainStart(rva - (rva % 2))) return true;
    if (rva % 2 === 1) return (word & 0xff00) === 0xb500 || (word & 0x4000ffff) === (0x4000e92d | 0);
    return rva % 4 === 0 && (word & 0xffff4000) >>> 0 === 0xe92d4000;
  }

  #low(destination: number, value: number): void {
    this.#values.set(destination, value);
    this.#known.forget(destination);
  }

  #high(destination: number, value: number): void {
    const low = this.#values.get(destination);
    const whole = low === undefined ? undefined : value * 0x1_0000 + (low % 0x1_0000);
    this.#values.set(destination, whole);
    this.#known.forget(destination);
    if (whole !== undefined) this.#whole(destination, whole, -1);
  }

  #plusCounter(destination: number, register: number, counter: number): void {
    const value = this.#values.get(register);
    this.#forget(destination);
    if (value === undefined) return;
    this.#known.set(destination, counter + (value | 0));
    this.#name(counter + (value | 0), 1);
  }

  #readPlusCounter(destination: number, register: number, counter: number): void {
    const value = this.#values.get(register);
    this.#forget(destination);
    if (value !== undefined) this.#refer(counter + (value | 0), referenceCode.read, 1);
  }

  #plus(destination: number, base: number | undefined, offset: number): void {
    this.#forget(destination);
    if (base === undefined) return;
    this.#known.set(destination, base + offset);
    this.#name(base + offset, 2);
  }

  #access(register: number, offset: number, load: boolean): void {
    const base = this.#known.get(register);
    if (base !== undefined) this.#refer(base + offset, load ? referenceCode.read : referenceCode.write, 1);
  }

  /** Bit 0 of an address of code marks T32; without it, what stands there is A32 if it is code at all. */
  #name(rva: number, operand: number): void {
    const thumb = rva % 2 === 1 && this.#sets.holds(rva);
    if (thumb) this.#sets.note(rva - 1, instructionSet.t32);
    else if (rva % 4 === 0) this.#sets.note(rva, instructionSet.a32);
    this.#refer(thumb ? rva - 1 : rva, referenceCode.address, operand);
  }

  #forget(...registers: readonly number[]): void {
    this.#values.forget(...registers);
    this.#known.forget(...registers);
  }

  #forgetAll(): void {
    this.#values.clear();
    this.#known.clear();
  }
}

/** The constant of A32 data processing: 8 bits rotated right by an even count. */
function rotated(word: number): number {
  const turn = ((word >>> 8) & 15) * 2;
  const value = word & 0xff;
  return turn === 0 ? value : ((value >>> turn) | (value << (32 - turn))) >>> 0;
}
