import { plain, type WordEffects } from "./arm64-word-effects.js";

/** Floating-point and vector operations on registers. */
export function vectorOperation(word: number, out: WordEffects): void {
  const scalarFloat = (word & 0x5f000000) === 0x1e000000;
  if (scalarFloat) floatOperation(word, out);
  else if ((word & 0x5f000000) === 0x1f000000) {
    out.vectorReads |= bit(word, 5) | bit(word, 16) | bit(word, 10);
    out.vectorWrites |= bit(word, 0);
  } else advanced(word, out);
}

function bit(word: number, shift: number): number {
  return 1 << ((word >>> shift) & 31);
}

function general(word: number, shift: number): number {
  return plain((word >>> shift) & 31);
}

function floatOperation(word: number, out: WordEffects): void {
  const fixedPoint = ((word >>> 21) & 1) === 0;
  if (fixedPoint || ((word >>> 10) & 0x3f) === 0) return conversion(word, out);
  const low = (word >>> 10) & 3;
  const isComparison = ((word >>> 10) & 0xf) === 0b1000;
  const isConstant = ((word >>> 10) & 7) === 0b100;
  if (isConstant) out.vectorWrites |= bit(word, 0);
  else if (isComparison || low === 1) {
    // The form that compares with zero has opcode bit 3 set.
    out.vectorReads |= bit(word, 5) | (isComparison && (word >>> 3) & 1 ? 0 : bit(word, 16));
  } else {
    const oneSource = low === 0;
    out.vectorReads |= bit(word, 5) | (oneSource ? 0 : bit(word, 16));
    out.vectorWrites |= bit(word, 0);
  }
}

/** Between general and vector registers. */
function conversion(word: number, out: WordEffects): void {
  const opcode = (word >>> 16) & 7;
  const toVector = opcode === 2 || opcode === 3 || opcode === 7;
  if (toVector) {
    out.reads |= general(word, 5);
    out.vectorWrites |= bit(word, 0);
  } else {
    out.vectorReads |= bit(word, 5);
    out.writes |= general(word, 0);
  }
}

function advanced(word: number, out: WordEffects): void {
  const copies = (word & 0x9fe08400) === 0x0e000400;
  const byImmediate = (word & 0x9f800400) === 0x0f000400 || (word & 0xdf800400) === 0x5f000400;
  if (copies) return copy(word, out);
  out.vectorWrites |= bit(word, 0);
  if (byImmediate && (word & 0x00780000) === 0) {
    // A constant; ORR and BIC change what is there.
    const changes = ((word >>> 12) & 1) === 1 && ((word >>> 12) & 15) < 12;
    if (changes) out.vectorReads |= bit(word, 0);
    return;
  }
  const twoRegisters = (word & 0x1f3e0c00) === 0x0e200800 || (word & 0x1f3e0c00) === 0x0e300800;
  const isZero = isExclusiveOr(word) && ((word >>> 5) & 31) === ((word >>> 16) & 31);
  if (!isZero) out.vectorReads |= bit(word, 5) | (byImmediate || twoRegisters ? 0 : bit(word, 16));
}

/** EOR of a register with itself is a constant. */
function isExclusiveOr(word: number): boolean {
  return (word & 0xbfe0fc00) >>> 0 === 0x2e201c00;
}

/** DUP, INS, SMOV and UMOV. */
function copy(word: number, out: WordEffects): void {
  const opcode = (word >>> 11) & 15;
  const insertElement = ((word >>> 29) & 1) === 1;
  if (insertElement) out.vectorReads |= bit(word, 5) | bit(word, 0);
  else if (opcode === 1) out.reads |= general(word, 5);
  else if (opcode === 3) {
    out.reads |= general(word, 5);
    out.vectorReads |= bit(word, 0);
  } else out.vectorReads |= bit(word, 5);
  if (!insertElement && (opcode === 5 || opcode === 7)) out.writes |= general(word, 0);
  else out.vectorWrites |= bit(word, 0);
}
