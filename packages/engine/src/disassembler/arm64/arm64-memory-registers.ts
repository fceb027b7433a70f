import type { MemoryAccess } from "../register-access.js";
import { plain, type WordEffects } from "./arm64-word-effects.js";

/** Loads and stores. */
export function memoryOperation(word: number, out: WordEffects): void {
  const kind = (word >>> 27) & 7;
  if (kind === 0b011 && ((word >>> 24) & 1) === 0) transferred(word & 31, { word, load: true, bytes: 0 }, out);
  else if (kind === 0b101) pair(word, out);
  else if (kind === 0b111) single(word, out);
  else if (((word >>> 26) & 1) === 1) structures(word, out);
  else if (kind === 0b001) exclusive(word, out);
  else out.reads |= 1 << ((word >>> 5) & 31);
}

interface Transfer {
  readonly word: number;
  readonly load: boolean;
  readonly bytes: number;
}

/** Marks the register that is loaded or stored. */
function transferred(register: number, { word, load }: Transfer, out: WordEffects): void {
  if ((word >>> 26) & 1) {
    if (load) out.vectorWrites |= 1 << register;
    else out.vectorReads |= 1 << register;
  } else if (load) out.writes |= plain(register);
  else out.reads |= plain(register);
}

function access(register: number, offset: number, { word, load, bytes }: Transfer): MemoryAccess {
  const vector = ((word >>> 26) & 1) === 1;
  const general = !vector && bytes === 8 && register !== 31 ? register : -1;
  return { base: (word >>> 5) & 31, offset, indexed: false, bytes, kind: load ? "load" : "store", general, vector: vector ? register : -1 };
}

/** LDP and STP; the base moves before (pre-index) or after (post-index) the access. */
function pair(word: number, out: WordEffects): void {
  const vector = ((word >>> 26) & 1) === 1;
  const size = word >>> 30;
  const bytes = vector ? 4 << size : size === 2 ? 8 : 4;
  const transfer = { word, load: ((word >>> 22) & 1) === 1, bytes };
  const mode = (word >>> 23) & 3;
  const offset = ((word << 10) >> 25) * bytes;
  const first = mode === 1 ? 0 : offset;
  base(word, mode === 1 || mode === 3 ? offset : 0, out);
  for (const [index, register] of [word & 31, (word >>> 10) & 31].entries()) {
    transferred(register, transfer, out);
    out.memory.push(access(register, first + index * bytes, transfer));
  }
}

function base(word: number, change: number, out: WordEffects): void {
  const register = (word >>> 5) & 31;
  out.reads |= 1 << register;
  if (change === 0) return;
  out.writes |= 1 << register;
  out.moves.push({ to: register, from: register, add: change });
}

function single(word: number, out: WordEffects): void {
  const vector = ((word >>> 26) & 1) === 1;
  const opcode = (word >>> 22) & 3;
  const size = word >>> 30;
  const bytes = vector && opcode >= 2 ? 16 : 1 << size;
  const prefetch = !vector && size === 3 && opcode === 2;
  const transfer = { word, load: vector ? (opcode & 1) === 1 : opcode !== 0, bytes };
  if (((word >>> 24) & 1) === 1) return direct(transfer, ((word >>> 10) & 0xfff) * bytes, { change: 0, prefetch }, out);
  if (((word >>> 21) & 1) === 1) return registerForm(transfer, prefetch, out);
  const mode = (word >>> 10) & 3;
  const offset = (word << 11) >> 23;
  return direct(transfer, mode === 1 ? 0 : offset, { change: mode === 1 || mode === 3 ? offset : 0, prefetch }, out);
}

interface Form {
  readonly change: number;
  readonly prefetch: boolean;
}

function direct(transfer: Transfer, offset: number, { change, prefetch }: Form, out: WordEffects): void {
  base(transfer.word, change, out);
  if (prefetch) return;
  transferred(transfer.word & 31, transfer, out);
  out.memory.push(access(transfer.word & 31, offset, transfer));
}

/** Register offset, atomic operations, and loads with pointer authentication. */
function registerForm(transfer: Transfer, prefetch: boolean, out: WordEffects): void {
  const { word } = transfer;
  out.reads |= 1 << ((word >>> 5) & 31);
  const mode = (word >>> 10) & 3;
  if (mode === 2) {
    out.reads |= plain((word >>> 16) & 31);
    if (!prefetch) transferred(word & 31, transfer, out);
  } else {
    if (mode === 0) out.reads |= plain((word >>> 16) & 31);
    out.writes |= plain(word & 31);
  }
}

/** Exclusive and ordered accesses, compare and swap. */
function exclusive(word: number, out: WordEffects): void {
  const load = ((word >>> 22) & 1) === 1;
  const swap = ((word >>> 23) & 1) === 1 && ((word >>> 21) & 1) === 1;
  const status = (word >>> 16) & 31;
  out.reads |= 1 << ((word >>> 5) & 31);
  if (swap) {
    out.reads |= plain(word & 31) | plain(status);
    out.writes |= plain(status);
  } else if (load) out.writes |= plain(word & 31) | ((word >>> 21) & 1 ? plain((word >>> 10) & 31) : 0);
  else {
    out.reads |= plain(word & 31);
    if (((word >>> 23) & 1) === 0) out.writes |= plain(status);
  }
}

const structureRegisters: Readonly<Record<number, number>> = { 0: 4, 2: 4, 4: 3, 6: 3, 7: 1, 8: 2, 10: 2 };

/** LD1 to LD4 and ST1 to ST4: consecutive vector registers. */
function structures(word: number, out: WordEffects): void {
  const load = ((word >>> 22) & 1) === 1;
  const whole = ((word >>> 24) & 1) === 0;
  const count = whole ? (structureRegisters[(word >>> 12) & 15] ?? 1) : 1;
  for (let index = 0; index < count; index += 1) {
    const bit = 1 << (((word & 31) + index) % 32);
    if (load) out.vectorWrites |= bit;
    else out.vectorReads |= bit;
  }
  const register = (word >>> 5) & 31;
  out.reads |= 1 << register;
  if (((word >>> 23) & 1) === 1) out.writes |= 1 << register;
  if (load && !whole) out.definite = false;
}
