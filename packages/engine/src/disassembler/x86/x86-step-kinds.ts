import type { Iced } from "./code-table.js";
import type { X86Step } from "./x86-steps.js";

/** True where the first operand is one the instruction sets. */
export function setsFirst({ mnemonic }: X86Step, { Mnemonic }: Iced): boolean {
  const readers: readonly number[] = [Mnemonic.Cmp, Mnemonic.Test, Mnemonic.Push, Mnemonic.Bt, Mnemonic.Jmp];
  return !readers.includes(mnemonic);
}

/** True for moves, widening ones included. */
export function movesValue({ mnemonic }: X86Step, { Mnemonic }: Iced): boolean {
  const moves: readonly number[] = [Mnemonic.Mov, Mnemonic.Movzx, Mnemonic.Movsx, Mnemonic.Movsxd];
  return moves.includes(mnemonic);
}

/** True for moves from one register to another. */
export function copiesRegister(step: X86Step, iced: Iced): boolean {
  return movesValue(step, iced) && step.register1 !== 0;
}

/** Values that compilers turn around to get a dense table: positions in it no longer follow the values. */
export function scramblesValue({ mnemonic, constant }: X86Step, { Mnemonic: m }: Iced): boolean {
  return mnemonic === m.Not || mnemonic === m.Neg || (mnemonic === m.Xor && constant !== undefined);
}
