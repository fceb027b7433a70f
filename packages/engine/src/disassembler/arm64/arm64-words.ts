/** What single A64 instructions do to general registers (Arm Architecture Reference Manual, "A64 instruction set encoding"). */

/** Loads of two registers, and forms that move the base: the register may be one that bits 0 to 4 do not name. */
export function changesAnother(word: number, register: number): boolean {
  const pair = (word & 0x3a000000) === 0x28000000;
  if (pair && (word >>> 22) & 1 && ((word >>> 10) & 31) === register) return true;
  const moves = (pair && (word >>> 23) & 1) || (word & 0x3b200400) === 0x38000400;
  return Boolean(moves) && ((word >>> 5) & 31) === register;
}

export function isCall(word: number): boolean {
  return word >>> 26 === 0b100101 || (word & 0xfe600000) >>> 0 === 0xd6200000;
}

/** True where bits 0 to 4 name a general register that the instruction sets: data processing, and loads of one register. */
export function writesLow(word: number): boolean {
  const group = (word >>> 25) & 0xf;
  if ((group & 0b1110) === 0b1000 || (group & 0b0111) === 0b0101) return (word & 31) !== 31;
  if ((group & 0b0101) !== 0b0100 || (word >>> 26) & 1) return false;
  if ((word & 0x3b000000) === 0x18000000) return true;
  if ((word & 0x38000000) === 0x38000000) return ((word >>> 22) & 3) !== 0;
  return (word & 0x38000000) === 0x28000000 && ((word >>> 22) & 1) === 1;
}

export function copied(word: number): number {
  return (word & 0x7fe0ffe0) === 0x2a0003e0 ? (word >>> 16) & 31 : (word >>> 5) & 31;
}

/** `mov` between registers, and the zero extensions `uxtb` and `uxth`. */
export function isCopy(word: number): boolean {
  return (word & 0x7fe0ffe0) === 0x2a0003e0 || (word & 0xfffffc00) >>> 0 === 0x53001c00 || (word & 0xfffffc00) >>> 0 === 0x53003c00;
}
