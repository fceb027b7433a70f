/** Registers whose values are known, ascending: register, value, register, value, … */
export type RegisterSnapshot = readonly number[];

/** Values of registers that a decoder follows from one instruction to the next. */
export interface RegisterState {
  capture(): RegisterSnapshot;
  /** Knows these values and no others. */
  restore(snapshot: RegisterSnapshot): void;
}

const nothing: RegisterSnapshot = Object.freeze([]);

export function captureRegisters(known: Uint8Array, value: Float64Array): RegisterSnapshot {
  let pairs: number[] | undefined;
  for (let register = 0; register < known.length; register += 1) {
    if (known[register] === 1) (pairs ??= []).push(register, value[register] ?? 0);
  }
  return pairs ?? nothing;
}

export function restoreRegisters(snapshot: RegisterSnapshot, known: Uint8Array, value: Float64Array): void {
  known.fill(0);
  for (let at = 0; at < snapshot.length; at += 2) {
    const register = snapshot[at] ?? 0;
    known[register] = 1;
    value[register] = snapshot[at + 1] ?? 0;
  }
}
