/**
 * Fields of 16-bit instructions (The RISC-V Instruction Set Manual, volume I, "C" extension). Quadrant is bits 0 and 1,
 * function bits 13 to 15.
 */

/** Offset of `c.j`. */
export function jumpOffset(half: number): number {
  const bits =
    (bit(half, 12) << 11) |
    (bit(half, 11) << 4) |
    (((half >>> 9) & 3) << 8) |
    (bit(half, 8) << 10) |
    (bit(half, 7) << 6) |
    (bit(half, 6) << 7) |
    (((half >>> 3) & 7) << 1) |
    (bit(half, 2) << 5);
  return (bits << 20) >> 20;
}

/** Offset of `c.beqz` and `c.bnez`. */
export function branchOffset(half: number): number {
  const bits =
    (bit(half, 12) << 8) |
    (((half >>> 10) & 3) << 3) |
    (((half >>> 5) & 3) << 6) |
    (((half >>> 3) & 3) << 1) |
    (bit(half, 2) << 5);
  return (bits << 23) >> 23;
}

/** Signed constant of `c.addi`, `c.li`; times 4096 that of `c.lui`. */
export function smallImmediate(half: number): number {
  return (((bit(half, 12) << 5) | ((half >>> 2) & 31)) << 26) >> 26;
}

/** Offset of loads and stores through a pointer: of 4 bytes with function 2 and 6, of 8 with the others. */
export function memoryOffset(half: number): number {
  const high = ((half >>> 10) & 7) << 3;
  const word = ((half >>> 13) & 3) === 2;
  return word ? high | (bit(half, 6) << 2) | (bit(half, 5) << 6) : high | (((half >>> 5) & 3) << 6);
}

/** Register that a 16-bit instruction may set, 0 when it sets none. */
export function writtenRegister(half: number): number {
  const quadrant = half & 3;
  const fn = half >>> 13;
  const full = (half >>> 7) & 31;
  if (quadrant === 0) return fn === 0 || fn === 2 || fn === 3 ? 8 + ((half >>> 2) & 7) : 0;
  if (quadrant === 1) return fn < 4 ? full : fn === 4 ? 8 + ((half >>> 7) & 7) : 0;
  return fn === 0 || fn === 2 || fn === 3 || fn === 4 ? full : 0;
}

function bit(half: number, index: number): number {
  return (half >>> index) & 1;
}
