import { noRegisters, type InstructionEffects, type RegisterDecoder, type RegisterFile, type RegisterModel } from "../register-access.js";
import { vectorOperation } from "./arm64-vector-registers.js";
import { memoryOperation } from "./arm64-memory-registers.js";
import { plain, type WordEffects } from "./arm64-word-effects.js";

const stackPointer = 31;

/**
 * Registers that A64 instructions use, read from the encodings (Arm Architecture Reference Manual, "A64 instruction set
 * encoding"). Register number 31 is the stack pointer; the zero register is no register here. SVE and SME are not read.
 */
export const arm64Registers: RegisterModel = {
  file: {
    general: [...Array.from({ length: 31 }, (_, index) => `x${String(index)}`), "sp"],
    vector: Array.from({ length: 32 }, (_, index) => `v${String(index)}`),
    stackPointer,
    framePointer: 29,
    wordBytes: 8,
    returnAddressBytes: 0,
  } satisfies RegisterFile,
  open: (bytes) => new Arm64RegisterDecoder(bytes),
};

class Arm64RegisterDecoder implements RegisterDecoder {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(offset: number): InstructionEffects | undefined {
    if (offset + 4 > this.#view.byteLength) return undefined;
    const word = this.#view.getUint32(offset, true);
    const found: WordEffects = { reads: 0, writes: 0, vectorReads: 0, vectorWrites: 0, definite: true, moves: [], memory: [], address: undefined };
    operation(word, found);
    const writes = { general: found.writes, vector: found.vectorWrites };
    return {
      length: 4,
      reads: { general: found.reads, vector: found.vectorReads },
      writes,
      definiteWrites: found.definite ? writes : noRegisters,
      moves: found.moves,
      memory: found.memory,
      isPush: false,
      returnPops: 0,
      address: found.address,
      setsFlags: setsFlags(word),
    };
  }

  close(): void {
    // Holds nothing outside the JavaScript heap.
  }
}

/** ADDS, SUBS and ANDS in their immediate and register forms. */
function setsFlags(word: number): boolean {
  const arithmetic = (word & 0x3f000000) === 0x31000000 || (word & 0x3f000000) === 0x2b000000;
  const logical = (word & 0x7f800000) === 0x72000000 || (word & 0x7f000000) === 0x6a000000;
  return arithmetic || logical;
}

function operation(word: number, out: WordEffects): void {
  const group = (word >>> 25) & 0xf;
  if ((group & 0b1110) === 0b1000) immediateOperation(word, out);
  else if ((group & 0b1110) === 0b1010) branchOrSystem(word, out);
  else if ((group & 0b0101) === 0b0100) memoryOperation(word, out);
  else if ((group & 0b0111) === 0b0101) registerOperation(word, out);
  else if ((group & 0b0111) === 0b0111) vectorOperation(word, out);
}

function field(word: number, shift: number): number {
  return (word >>> shift) & 31;
}

function immediateOperation(word: number, out: WordEffects): void {
  const [d, n] = [field(word, 0), field(word, 5)];
  const kind = (word >>> 23) & 7;
  if (kind <= 1) out.writes |= plain(d);
  else if (kind === 2 || kind === 3) addImmediate(word, out);
  else if (kind === 4) {
    const flags = word >>> 29 & 3;
    out.reads |= plain(n);
    out.writes |= flags === 3 ? plain(d) : 1 << d;
  } else if (kind === 5) moveWide(word, out);
  else {
    out.reads |= plain(n) | (kind === 7 ? plain(field(word, 16)) : 0);
    if (kind === 6 && ((word >>> 29) & 3) === 1) out.reads |= plain(d);
    out.writes |= plain(d);
  }
}

/** ADD and SUB of an immediate; register 31 is the stack pointer except as target of a comparison. */
function addImmediate(word: number, out: WordEffects): void {
  const [d, n] = [field(word, 0), field(word, 5)];
  const setsFlags = ((word >>> 29) & 1) === 1;
  out.reads |= 1 << n;
  out.writes |= setsFlags ? plain(d) : 1 << d;
  if (setsFlags || word >>> 31 === 0 || ((word >>> 23) & 1) === 1) return;
  const amount = ((word >>> 10) & 0xfff) * ((word >>> 22) & 1 ? 4096 : 1);
  const add = (word >>> 30) & 1 ? -amount : amount;
  out.moves.push({ to: d, from: n, add });
  if (d !== n) out.address = { base: n, offset: add };
}

function moveWide(word: number, out: WordEffects): void {
  const d = field(word, 0);
  const opcode = (word >>> 29) & 3;
  const value = ((word >>> 5) & 0xffff) * 2 ** (((word >>> 21) & 3) * 16);
  if (opcode === 3) {
    out.reads |= plain(d);
    // The upper half of a constant; the lower one was moved before.
    if (d !== 31 && ((word >>> 21) & 3) > 0) out.moves.push({ to: d, from: d, add: value });
  } else if (opcode === 2 && d !== 31) out.moves.push({ to: d, from: -1, add: value });
  out.writes |= plain(d);
}

function branchOrSystem(word: number, out: WordEffects): void {
  if ((word & 0x7c000000) === 0x34000000) out.reads |= plain(field(word, 0));
  else if (word >>> 25 === 0b1101011) out.reads |= plain(field(word, 5));
  else if ((word & 0xfff00000) >>> 0 === 0xd5300000) out.writes |= plain(field(word, 0));
  else if ((word & 0xfff00000) >>> 0 === 0xd5100000) out.reads |= plain(field(word, 0));
}

function registerOperation(word: number, out: WordEffects): void {
  const [d, n, m] = [field(word, 0), field(word, 5), field(word, 16)];
  const kind = (word >>> 21) & 0xf;
  const upper = (word >>> 28) & 1;
  if (upper === 1 && kind >= 8) {
    out.reads |= plain(n) | plain(m) | plain(field(word, 10));
    out.writes |= plain(d);
  } else if (upper === 1) lessCommon(word, kind, out);
  else if ((word & 0x01200000) === 0x01200000) addExtended(word, out);
  else {
    out.reads |= plain(n) | plain(m);
    out.writes |= plain(d);
    const isMove = (word & 0xffe0ffe0) >>> 0 === 0xaa0003e0;
    if (isMove && m !== 31 && d !== 31) out.moves.push({ to: d, from: m, add: 0 });
  }
}

/** ADD and SUB with an extended register, the form that moves the stack pointer by a computed amount. */
function addExtended(word: number, out: WordEffects): void {
  const [d, n, m] = [field(word, 0), field(word, 5), field(word, 16)];
  const setsFlags = ((word >>> 29) & 1) === 1;
  out.reads |= (1 << n) | plain(m);
  out.writes |= setsFlags ? plain(d) : 1 << d;
  const isSum = (word & 0xbfe01c00) >>> 0 === 0x8b200000 && m !== 31;
  if (isSum) out.moves.push({ to: d, from: n, add: 0, term: { register: m, sign: (word >>> 30) & 1 ? -1 : 1 } });
}

/** Sums with carry, conditional comparison and selection, and operations of one or two sources. */
function lessCommon(word: number, kind: number, out: WordEffects): void {
  const [d, n, m] = [field(word, 0), field(word, 5), field(word, 16)];
  const oneSource = kind === 6 && ((word >>> 30) & 1) === 1;
  const comparison = kind === 2;
  out.reads |= plain(n);
  if (!oneSource && !(comparison && (word >>> 11) & 1)) out.reads |= plain(m);
  if (!comparison) out.writes |= plain(d);
}
