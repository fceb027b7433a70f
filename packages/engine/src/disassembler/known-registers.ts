import { captureRegisters, restoreRegisters, type RegisterSnapshot, type RegisterState } from "./register-snapshot.js";

/** Values that general registers are known to hold. */
export class KnownRegisters implements RegisterState {
  readonly #known: Uint8Array;
  readonly #value: Float64Array;

  constructor(count: number) {
    this.#known = new Uint8Array(count);
    this.#value = new Float64Array(count);
  }

  clear(): void {
    this.#known.fill(0);
  }

  /** True when nothing is known. */
  get isEmpty(): boolean {
    return !this.#known.includes(1);
  }

  get(register: number): number | undefined {
    return this.#known[register] === 1 ? this.#value[register] : undefined;
  }

  /** Undefined forgets. */
  set(register: number, value: number | undefined): void {
    this.#known[register] = value === undefined ? 0 : 1;
    this.#value[register] = value ?? 0;
  }

  forget(...registers: readonly number[]): void {
    for (const register of registers) this.#known[register] = 0;
  }

  /** Forgets the registers whose bits are set. */
  forgetMask(mask: number): void {
    for (let register = 0; register < this.#known.length; register += 1) {
      if ((mask >>> register) & 1) this.#known[register] = 0;
    }
  }

  capture(): RegisterSnapshot {
    return captureRegisters(this.#known, this.#value);
  }

  restore(snapshot: RegisterSnapshot): void {
    restoreRegisters(snapshot, this.#known, this.#value);
  }
}
