import { captureRegisters, restoreRegisters, type RegisterSnapshot, type RegisterState } from "../register-snapshot.js";

/**
 * Addresses that general registers are known to hold, and which instructions end that knowledge. Encodings: Arm Architecture Reference Manual, "A64 instruction set encoding".
 */
export class RegisterValues implements RegisterState {
  readonly #known = new Uint8Array(32);
  readonly #value = new Float64Array(32);

  clear(): void {
    this.#known.fill(0);
  }

  capture(): RegisterSnapshot {
    return captureRegisters(this.#known, this.#value);
  }

  restore(snapshot: RegisterSnapshot): void {
    restoreRegisters(snapshot, this.#known, this.#value);
  }

  /** The address a register holds, -1 when unknown. Register 31 is the stack pointer or zero, never known. */
  get(register: number): number {
    return this.#known[register] === 1 ? (this.#value[register] ?? -1) : -1;
  }

  set(register: number, value: number): void {
    if (register === 31) return;
    this.#known[register] = 1;
    this.#value[register] = value;
  }

  /** Forgets what the instruction `word` writes. Where that is not plain, it forgets more rather than less. */
  overwrite(word: number): void {
    const group = (word >>> 25) & 0xf;
    if ((group & 0b1110) === 0b1010) this.#afterBranch(word);
    else if ((group & 0b0101) === 0b0100) this.#afterMemory(word);
    else this.#known[word & 31] = 0;
  }

  /** A call may change x0 to x18 and x30 (AAPCS64 §6.1.1). System instructions may write their low register. */
  #afterBranch(word: number): void {
    const call = word >>> 26 === 0b100101 || (word & 0xfe600000) >>> 0 === 0xd6200000;
    if (call) {
      this.#known.fill(0, 0, 19);
      this.#known[30] = 0;
    } else if (word >>> 24 === 0xd5) this.#known[word & 31] = 0;
  }

  #afterMemory(word: number): void {
    const pair = (word & 0x38000000) >>> 0 === 0x28000000;
    const offsetForm = (word & 0x3b000000) >>> 0 === 0x39000000;
    const indexed = (word & 0x3b200000) >>> 0 === 0x38000000;
    if (offsetForm) this.#forgetLoaded(word, (word >>> 22) & 3);
    else if (pair) {
      if ((word >>> 22) & 1) this.#forget(word & 31, (word >>> 10) & 31);
      if ((word >>> 23) & 1) this.#forget((word >>> 5) & 31);
    } else if (indexed) {
      this.#forgetLoaded(word, (word >>> 22) & 3);
      if ((word >>> 10) & 1) this.#forget((word >>> 5) & 31);
    } else this.#forget(word & 31, (word >>> 5) & 31, (word >>> 16) & 31, (word >>> 10) & 31);
  }

  /** Opcode 0 of the single-register forms is a store. */
  #forgetLoaded(word: number, opcode: number): void {
    if (opcode !== 0) this.#known[word & 31] = 0;
  }

  #forget(...registers: readonly number[]): void {
    for (const register of registers) this.#known[register] = 0;
  }
}
