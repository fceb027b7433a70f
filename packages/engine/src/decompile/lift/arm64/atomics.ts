import type { Expr } from "../../../ir/expression.js";
import { extract, make, sext, zext } from "../../../ir/simplify.js";
import { field, isSet, signedField, type A64Machine } from "./a64-machine.js";

/** Exclusive accesses, accesses with an order, and comparing exchanges. */
export function liftExclusive(m: A64Machine, word: number): boolean {
  const bits = 8 << field(word, 30, 2);
  const [o2, isLoad, o1] = [isSet(word, 23), isSet(word, 22), isSet(word, 21)];
  const address = m.let(m.generalOrSp(field(word, 5, 5), 64));
  if (o2 && o1) return compareExchange(m, word, { bits, address });
  if (o2) return ordered(m, word, { bits, address });
  if (o1) return bits >= 32 ? exclusivePair(m, word, address) : compareExchangePair(m, word, address);
  const target = field(word, 0, 5);
  if (isLoad) {
    setNarrow(m, target, m.let(m.effect(`atomic_load_exclusive${String(bits)}`, [address], bits)));
    return true;
  }
  const failed = m.effect(`atomic_store_exclusive${String(bits)}`, [address, m.general(target, bits)], 32);
  m.setGeneral(field(word, 16, 5), m.let(failed));
  return true;
}

interface At {
  readonly bits: number;
  readonly address: Expr;
}

function setNarrow(m: A64Machine, register: number, value: Expr): void {
  m.setGeneral(register, value.bits < 32 ? zext(value, 32) : value);
}

function ordered(m: A64Machine, word: number, { bits, address }: At): boolean {
  const target = field(word, 0, 5);
  if (isSet(word, 22)) setNarrow(m, target, m.let(m.effect(`atomic_load${String(bits)}`, [address], bits)));
  else m.effect(`atomic_store${String(bits)}`, [address, m.general(target, bits)]);
  return true;
}

/** `ldapur` and `stlur`: with an offset. */
export function liftOrderedOffset(m: A64Machine, word: number): boolean {
  const size = field(word, 30, 2);
  const bits = 8 << size;
  const opcode = field(word, 22, 2);
  const address = m.let(m.plus(m.generalOrSp(field(word, 5, 5), 64), signedField(word, 12, 9)));
  const target = field(word, 0, 5);
  if (opcode === 0) {
    m.effect(`atomic_store${String(bits)}`, [address, m.general(target, bits)]);
    return true;
  }
  if (size === 3 && opcode > 1) return false;
  const value = m.let(m.effect(`atomic_load${String(bits)}`, [address], bits));
  if (opcode === 1) setNarrow(m, target, value);
  else m.setGeneral(target, sext(value, opcode === 2 ? 64 : 32));
  return true;
}

function compareExchange(m: A64Machine, word: number, { bits, address }: At): boolean {
  if (field(word, 10, 5) !== 31) return false;
  const expected = field(word, 16, 5);
  const old = m.effect(`atomic_compare_exchange${String(bits)}`, [address, m.general(expected, bits), m.general(field(word, 0, 5), bits)], bits);
  setNarrow(m, expected, m.let(old));
  return true;
}

/** Two neighbouring registers as one value, the first low. */
function joined(m: A64Machine, register: number, bits: number): Expr {
  return make("concat", bits * 2, [m.general(register + 1, bits), m.general(register, bits)]);
}

function compareExchangePair(m: A64Machine, word: number, address: Expr): boolean {
  const bits = isSet(word, 30) ? 64 : 32;
  const [expected, wanted] = [field(word, 16, 5), field(word, 0, 5)];
  if (expected % 2 === 1 || wanted % 2 === 1 || field(word, 10, 5) !== 31) return false;
  const old = m.let(m.effect(`atomic_compare_exchange${String(bits * 2)}`, [address, joined(m, expected, bits), joined(m, wanted, bits)], bits * 2));
  m.setGeneral(expected, extract(old, 0, bits));
  m.setGeneral(expected + 1, extract(old, bits, bits));
  return true;
}

function exclusivePair(m: A64Machine, word: number, address: Expr): boolean {
  const bits = isSet(word, 30) ? 64 : 32;
  const [first, second] = [field(word, 0, 5), field(word, 10, 5)];
  const name = String(bits * 2);
  if (isSet(word, 22)) {
    const value = m.let(m.effect(`atomic_load_exclusive${name}`, [address], bits * 2));
    m.setGeneral(first, extract(value, 0, bits));
    m.setGeneral(second, extract(value, bits, bits));
    return true;
  }
  const value = make("concat", bits * 2, [m.general(second, bits), m.general(first, bits)]);
  m.setGeneral(field(word, 16, 5), m.let(m.effect(`atomic_store_exclusive${name}`, [address, value], 32)));
  return true;
}

const operations = ["add", "and", "xor", "or", "max_s", "min_s", "max_u", "min_u"] as const;

/** `ldadd`, `swp` and their like: one operation that gives what stood there. */
export function liftAtomic(m: A64Machine, word: number): boolean {
  if (isSet(word, 26)) return false;
  const bits = 8 << field(word, 30, 2);
  const address = m.let(m.generalOrSp(field(word, 5, 5), 64));
  const target = field(word, 0, 5);
  const source = m.general(field(word, 16, 5), bits);
  const opcode = field(word, 12, 3);
  if (isSet(word, 15)) {
    if (opcode === 0) setNarrow(m, target, m.let(m.effect(`atomic_exchange${String(bits)}`, [address, source], bits)));
    else if (opcode === 4) setNarrow(m, target, m.let(m.effect(`atomic_load${String(bits)}`, [address], bits)));
    else return false;
    return true;
  }
  // `ldclr` clears the bits that are set in its operand.
  const by = opcode === 1 ? make("not", bits, [source]) : source;
  const old = m.let(m.effect(`atomic_${operations[opcode] ?? "add"}${String(bits)}`, [address, m.let(by)], bits));
  setNarrow(m, target, old);
  return true;
}
