import { constant, read, type Expr } from "../../../ir/expression.js";
import { extract, make } from "../../../ir/simplify.js";
import { addFlags, isZero, logicFlags, subtractFlags } from "./flags.js";
import type { Machine } from "./machine.js";

const rax = 0;
const rcx = 1;
const rsi = 6;
const rdi = 7;

const word = (place: number): Expr => read(place, 64);

function advance(m: Machine, place: number, by: Expr): void {
  m.set(place, make("add", 64, [word(place), by]));
}

function times(count: Expr, bytes: number): Expr {
  return make("mul", 64, [count, constant(64, bytes)]);
}

/** String instructions, the direction flag taken as clear, as the calling conventions have it. */
export function liftString(m: Machine, kind: string, bytes: number): boolean {
  const repeats = m.instruction.hasRepPrefix || m.instruction.hasRepnePrefix;
  switch (kind) {
    case "movs":
      return move(m, bytes, repeats);
    case "stos":
      return store(m, bytes, repeats);
    case "lods":
      if (repeats) return false;
      m.writePart({ place: rax, from: 0, bits: bytes * 8, wide: false }, m.let({ kind: "load", bits: bytes * 8, address: word(rsi) }));
      advance(m, rsi, constant(64, bytes));
      return true;
    case "scas":
      return repeats ? scan(m, bytes) : false;
    case "cmps":
      return repeats ? compare(m, bytes) : false;
    default:
      return false;
  }
}

function move(m: Machine, bytes: number, repeats: boolean): boolean {
  if (repeats) {
    m.effect(`rep_movs${String(bytes * 8)}`, [word(rdi), word(rsi), word(rcx)]);
    const by = m.let(times(word(rcx), bytes));
    advance(m, rdi, by);
    advance(m, rsi, by);
    m.set(rcx, constant(64, 0));
    return true;
  }
  m.store(word(rdi), m.let({ kind: "load", bits: bytes * 8, address: word(rsi) }));
  advance(m, rdi, constant(64, bytes));
  advance(m, rsi, constant(64, bytes));
  return true;
}

function store(m: Machine, bytes: number, repeats: boolean): boolean {
  const value = extract(word(rax), 0, bytes * 8);
  if (repeats) {
    m.effect(`rep_stos${String(bytes * 8)}`, [word(rdi), value, word(rcx)]);
    advance(m, rdi, m.let(times(word(rcx), bytes)));
    m.set(rcx, constant(64, 0));
    return true;
  }
  m.store(word(rdi), value);
  advance(m, rdi, constant(64, bytes));
  return true;
}

/** The count that is left when the scan ends, and what the last comparison said. */
function scan(m: Machine, bytes: number): boolean {
  const name = `${m.instruction.hasRepnePrefix ? "repne" : "repe"}_scas${String(bytes * 8)}`;
  const value = m.let(extract(word(rax), 0, bytes * 8));
  const count = m.let(word(rcx));
  const left = m.let(m.effect(name, [word(rdi), value, count], 64));
  advance(m, rdi, times(make("sub", 64, [count, left]), bytes));
  m.set(rcx, left);
  const last = m.let({ kind: "load", bits: bytes * 8, address: make("add", 64, [word(rdi), constant(64, -bytes)]) });
  subtractFlags(m, [value, last], m.let(make("sub", bytes * 8, [value, last])));
  return true;
}

function compare(m: Machine, bytes: number): boolean {
  const name = `${m.instruction.hasRepnePrefix ? "repne" : "repe"}_cmps${String(bytes * 8)}`;
  const count = m.let(word(rcx));
  const zf = m.let(m.flag("zf"));
  const left = m.let(m.effect(name, [word(rsi), word(rdi), count], 64));
  const by = m.let(times(make("sub", 64, [count, left]), bytes));
  advance(m, rdi, by);
  advance(m, rsi, by);
  m.set(rcx, left);
  const lastOf = (place: number): Expr => m.let({ kind: "load", bits: bytes * 8, address: make("add", 64, [word(place), constant(64, -bytes)]) });
  const [a, b] = [lastOf(rsi), lastOf(rdi)];
  subtractFlags(m, [a, b], m.let(make("sub", bytes * 8, [a, b])));
  // Nothing is compared, and no flag changes, where the count is zero.
  m.setFlag("zf", make("select", 1, [isZero(count), zf, m.flag("zf")]));
  return true;
}

/** Locked instructions on memory, and `xchg` with memory; each becomes one named operation that gives the old value. */
export function liftLocked(m: Machine, mnemonic: string): boolean {
  if (!m.isMemory(0)) return false;
  const bits = m.bits(0);
  const address = m.address();
  const second = (): Expr => (m.operands > 1 ? m.let(m.read(1, bits)) : constant(bits, 1));
  const atomic = (name: string, args: readonly Expr[]): Expr => m.let(m.effect(`atomic_${name}${String(bits)}`, [address, ...args], bits));
  switch (mnemonic) {
    case "add":
    case "inc":
    case "xadd": {
      const by = second();
      const old = atomic("add", [by]);
      addFlags(m, [old, by], m.let(make("add", bits, [old, by])));
      if (mnemonic === "xadd") m.write(1, old);
      return true;
    }
    case "sub":
    case "dec": {
      const by = second();
      const old = atomic("sub", [by]);
      subtractFlags(m, [old, by], m.let(make("sub", bits, [old, by])));
      return true;
    }
    case "and":
    case "or":
    case "xor": {
      const by = second();
      logicFlags(m, m.let(make(mnemonic, bits, [atomic(mnemonic, [by]), by])));
      return true;
    }
    case "xchg": {
      m.write(1, atomic("exchange", [second()]));
      return true;
    }
    case "cmpxchg": {
      const expected = m.let(extract(word(rax), 0, bits));
      const old = atomic("compare_exchange", [expected, second()]);
      keepUnlessOther(m, m.let(make("eq", 1, [expected, old])), old);
      subtractFlags(m, [expected, old], m.let(make("sub", bits, [expected, old])));
      return true;
    }
    default:
      return false;
  }
}

/** The accumulator takes what was found, and stays untouched, its upper bits too, where that was expected. */
function keepUnlessOther(m: Machine, isEqual: Expr, old: Expr): void {
  const before = m.let(word(rax));
  m.writePart({ place: rax, from: 0, bits: old.bits, wide: false }, old);
  m.set(rax, make("select", 64, [isEqual, before, word(rax)]));
}

/** Without the lock: plain memory or a register. */
export function liftExchangeAdd(m: Machine): void {
  const a = m.let(m.read(0));
  const b = m.let(m.read(1));
  const sum = m.let(make("add", a.bits, [a, b]));
  m.write(1, a);
  m.write(0, sum);
  addFlags(m, [a, b], sum);
}

export function liftCompareExchange(m: Machine): void {
  const bits = m.bits(0);
  const expected = m.let(extract(word(rax), 0, bits));
  const old = m.let(m.read(0));
  const isEqual = m.let(make("eq", 1, [expected, old]));
  const part = m.part(0);
  // Where nothing is exchanged the register stays as it is, its upper bits too.
  const before = part === undefined ? undefined : m.let(word(part.place));
  m.write(0, make("select", bits, [isEqual, m.read(1, bits), old]));
  if (part !== undefined && before !== undefined) m.set(part.place, make("select", 64, [isEqual, word(part.place), before]));
  keepUnlessOther(m, isEqual, old);
  subtractFlags(m, [expected, old], m.let(make("sub", bits, [expected, old])));
}

