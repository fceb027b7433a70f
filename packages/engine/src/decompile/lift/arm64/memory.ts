import { addressConstant, load, type Expr } from "../../../ir/expression.js";
import { make, sext, zext } from "../../../ir/simplify.js";
import { liftAtomic, liftExclusive, liftOrderedOffset } from "./atomics.js";
import { field, isSet, signedField, type A64Machine } from "./a64-machine.js";
import { liftStructures } from "./vector-structures.js";

/** Loads and stores. */
export function liftMemory(m: A64Machine, word: number): boolean {
  if ((word & 0xbe000000) >>> 0 === 0x0c000000) return liftStructures(m, word);
  if ((word & 0x3f000000) === 0x08000000) return liftExclusive(m, word);
  if ((word & 0x3b000000) === 0x18000000) return literal(m, word);
  if ((word & 0x3a000000) === 0x28000000) return pair(m, word);
  if ((word & 0x3f200c00) === 0x19000000) return liftOrderedOffset(m, word);
  if ((word & 0x3a000000) === 0x38000000) return single(m, word);
  return false;
}

function literal(m: A64Machine, word: number): boolean {
  const address = addressConstant(64, m.base + BigInt(m.at + signedField(word, 5, 19) * 4));
  const opcode = field(word, 30, 2);
  const target = field(word, 0, 5);
  if (isSet(word, 26)) {
    if (opcode === 3) return false;
    m.setVector(target, m.loadFrom(address, 32 << opcode));
    return true;
  }
  // The last form only announces a load.
  if (opcode === 3) return true;
  const value = m.loadFrom(address, opcode === 1 ? 64 : 32);
  m.setGeneral(target, opcode === 2 ? sext(value, 64) : value);
  return true;
}

/** Where a pair stands, and what becomes of the base register. */
function pair(m: A64Machine, word: number): boolean {
  const isVector = isSet(word, 26);
  const opcode = field(word, 30, 2);
  const mode = field(word, 23, 2);
  if (opcode === 3) return false;
  const isSignedLoad = !isVector && opcode === 1;
  const bits = isVector ? 32 << opcode : opcode === 2 ? 64 : 32;
  const isLoad = isSet(word, 22);
  if (isSignedLoad && !isLoad) return false;
  const offset = signedField(word, 15, 7) * (bits / 8);
  const base = field(word, 5, 5);
  const before = m.let(m.generalOrSp(base, 64));
  const moved = m.plus(before, offset);
  const address = m.let(mode === 1 ? before : moved);
  const second = m.plus(address, bits / 8);
  const [first, other] = [field(word, 0, 5), field(word, 10, 5)];
  if (isLoad) {
    const values = [m.loadFrom(address, bits), m.loadFrom(second, bits)];
    if (mode === 1 || mode === 3) m.setGeneralOrSp(base, moved);
    for (const [index, register] of [first, other].entries()) {
      const value = values[index] ?? m.unknown(bits);
      if (isVector) m.setVector(register, value);
      else m.setGeneral(register, isSignedLoad ? sext(value, 64) : value);
    }
    return true;
  }
  const value = (register: number): Expr => m.let(isVector ? m.vector(register, bits) : m.general(register, bits));
  const [low, high] = [value(first), value(other)];
  m.store(address, low);
  m.store(second, high);
  if (mode === 1 || mode === 3) m.setGeneralOrSp(base, moved);
  return true;
}

function single(m: A64Machine, word: number): boolean {
  if (isSet(word, 24)) return access(m, word, { offset: field(word, 10, 12) * sizeOf(word), mode: "offset" });
  if (!isSet(word, 21)) {
    const mode = (["offset", "after", "offset", "before"] as const)[field(word, 10, 2)] ?? "offset";
    return access(m, word, { offset: signedField(word, 12, 9), mode });
  }
  const kind = field(word, 10, 2);
  if (kind === 2) return registerOffset(m, word);
  if (kind === 0) return liftAtomic(m, word);
  return signedPointerLoad(m, word);
}

/** Bytes that are loaded or stored; vector forms tell the largest by another bit. */
function sizeOf(word: number): number {
  const size = field(word, 30, 2);
  return isSet(word, 26) && isSet(word, 23) ? 16 : 1 << size;
}

interface Place {
  readonly offset: number;
  readonly mode: "offset" | "before" | "after";
}

function access(m: A64Machine, word: number, { offset, mode }: Place): boolean {
  const base = field(word, 5, 5);
  const before = m.let(m.generalOrSp(base, 64));
  const moved = m.plus(before, offset);
  const address = m.let(mode === "after" ? before : moved);
  const isDone = transfer(m, word, address, () => { if (mode !== "offset") m.setGeneralOrSp(base, moved); });
  return isDone;
}

function registerOffset(m: A64Machine, word: number): boolean {
  const option = field(word, 13, 3);
  if ((option & 2) === 0) return false;
  const shift = isSet(word, 12) ? Math.log2(sizeOf(word)) : 0;
  const index = m.extended(field(word, 16, 5), option, shift, 64);
  const address = m.let(make("add", 64, [m.generalOrSp(field(word, 5, 5), 64), index]));
  return transfer(m, word, address, () => undefined);
}

/** The transfer itself; `move` changes the base register between reading and writing registers. */
function transfer(m: A64Machine, word: number, address: Expr, move: () => void): boolean {
  const opcode = field(word, 22, 2);
  const size = field(word, 30, 2);
  const target = field(word, 0, 5);
  const bits = sizeOf(word) * 8;
  if (isSet(word, 26)) {
    if (isSet(word, 23) && size !== 0) return false;
    if (isSet(word, 22)) {
      const value = m.loadFrom(address, bits);
      move();
      m.setVector(target, value);
    } else {
      m.store(address, m.let(m.vector(target, bits)));
      move();
    }
    return true;
  }
  if (opcode === 0) {
    m.store(address, m.let(m.general(target, bits)));
    move();
    return true;
  }
  // A prefetch changes nothing.
  if (size === 3 && opcode === 2) return true;
  if (size === 3 ? opcode > 1 : size === 2 && opcode === 3) return false;
  const value = m.loadFrom(address, bits);
  move();
  m.setGeneral(target, opcode === 1 ? (bits < 32 ? zext(value, 32) : value) : sext(value, opcode === 2 ? 64 : 32));
  return true;
}

/** `ldraa` and `ldrab`: a load through a signed pointer, whose signature is left out. */
function signedPointerLoad(m: A64Machine, word: number): boolean {
  if (field(word, 30, 2) !== 3 || isSet(word, 26) || !isSet(word, 10)) return false;
  const base = field(word, 5, 5);
  const offset = (field(word, 12, 9) - (isSet(word, 22) ? 512 : 0)) * 8;
  const address = m.let(m.plus(m.generalOrSp(base, 64), offset));
  const value = m.let(load(64, address));
  if (isSet(word, 11)) m.setGeneralOrSp(base, address);
  m.setGeneral(field(word, 0, 5), value);
  return true;
}
