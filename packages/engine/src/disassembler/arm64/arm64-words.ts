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

/** Low bits that a copy or an extension, also one written as a mask, keeps of the copied register; undefined for others. */
export function keptBits(word: number): number | undefined {
  if ((word & 0x7fe0ffe0) === 0x2a0003e0) return word >>> 31 === 1 ? 64 : 32;
  const form = (word & 0xfffffc00) >>> 0;
  if ([0x53001c00, 0x13001c00, 0x93401c00, 0x12001c00, 0x92401c00].includes(form)) return 8;
  if ([0x53003c00, 0x13003c00, 0x93403c00, 0x12003c00, 0x92403c00].includes(form)) return 16;
  return form === 0x93407c00 || form === 0x92407c00 ? 32 : undefined;
}

/**
 * True where the result may not count up with the value that is switched on, or by a constant the word does not show: ADD
 * and SUB of registers, EOR and EON, EXTR and ROR, RBIT and REV.
 */
export function scrambles(word: number): boolean {
  const adds = (word & 0x1f000000) === 0x0b000000;
  const exclusive = (word & 0x7f000000) === 0x4a000000 || (word & 0x7f800000) === 0x52000000;
  return adds || exclusive || (word & 0x7f800000) === 0x13800000 || (word & 0x7ffff000) === 0x5ac00000;
}
