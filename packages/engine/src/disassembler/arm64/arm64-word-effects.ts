import type { MemoryAccess, RegisterMove } from "../register-access.js";

/** What a word does, collected while its fields are read. */
export interface WordEffects {
  reads: number;
  writes: number;
  vectorReads: number;
  vectorWrites: number;
  /** False where a write may not take place. */
  definite: boolean;
  readonly moves: RegisterMove[];
  readonly memory: MemoryAccess[];
  address: { readonly base: number; readonly offset: number } | undefined;
}

/** Bit of a register field; nothing for the zero register. */
export function plain(register: number): number {
  return register === 31 ? 0 : 1 << register;
}
