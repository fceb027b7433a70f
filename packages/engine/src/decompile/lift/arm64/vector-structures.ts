import { constant, type Expr } from "../../../ir/expression.js";
import { extract, make, zext } from "../../../ir/simplify.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { vectorBase } from "./places.js";
import { lanes } from "./vector-words.js";

/** `ld1` … `ld4`, `st1` … `st4`: whole registers, single lanes, and one value in all lanes. */
export function liftStructures(m: A64Machine, word: number): boolean {
  const isPost = isSet(word, 23);
  const second = field(word, 16, 5);
  if (!isPost && second !== 0 && !isSet(word, 24)) return false;
  const base = field(word, 5, 5);
  const address = m.let(m.generalOrSp(base, 64));
  const bytes = isSet(word, 24) ? singleLane(m, word, address) : wholeRegisters(m, word, address);
  if (bytes === undefined) return false;
  if (isPost) m.setGeneralOrSp(base, make("add", 64, [address, second === 31 ? constant(64, bytes) : m.general(second, 64)]));
  return true;
}

/** Registers and how far their elements are interleaved, by opcode. */
const multiples: Readonly<Record<number, readonly [number, number]>> = { 0: [4, 4], 2: [4, 1], 4: [3, 3], 6: [3, 1], 7: [1, 1], 8: [2, 2], 10: [2, 1] };

function wholeRegisters(m: A64Machine, word: number, address: Expr): number | undefined {
  const [count, interleaved] = multiples[field(word, 12, 4)] ?? [];
  if (count === undefined || interleaved === undefined) return undefined;
  const bits = isSet(word, 30) ? 128 : 64;
  const lane = 8 << field(word, 10, 2);
  const register = (index: number): number => (field(word, 0, 5) + index) & 31;
  const total = (count * bits) / 8;
  if (interleaved > 1 && bits === 64 && lane === 64) return undefined;
  if (isSet(word, 22)) {
    const parts = pieces(total).map(({ at, size }) => zext(m.loadFrom(m.plus(address, at), size), 128));
    const values = interleaved === 1 ? straight(m, address, { count, bits }) : apart(m, parts, { interleaved, lane });
    for (const [index, value] of values.entries()) m.setVector(register(index), m.let(extract(value, 0, bits)));
    return total;
  }
  const sources = Array.from({ length: count }, (_, index) => m.let(m.vector(register(index))));
  if (interleaved === 1) {
    for (const [index, value] of sources.entries()) m.store(m.plus(address, (index * bits) / 8), extract(value, 0, bits));
    return total;
  }
  const woven = together(m, sources, { interleaved, lane });
  for (const [index, { at, size }] of pieces(total).entries()) m.store(m.plus(address, at), extract(woven[index] ?? constant(128, 0), 0, size));
  return total;
}

/** Memory in pieces of sixteen bytes, the last perhaps of eight. */
function pieces(total: number): { readonly at: number; readonly size: number }[] {
  const found = [];
  for (let at = 0; at < total; at += 16) found.push({ at, size: Math.min(16, total - at) * 8 });
  return found;
}

function straight(m: A64Machine, address: Expr, { count, bits }: { readonly count: number; readonly bits: number }): Expr[] {
  return Array.from({ length: count }, (_, index) => zext(m.loadFrom(m.plus(address, (index * bits) / 8), bits), 128));
}

interface Weave {
  readonly interleaved: number;
  readonly lane: number;
}

/** Elements of memory by turns into registers; each register's stand in its low part. */
function apart(m: A64Machine, parts: readonly Expr[], { interleaved, lane }: Weave): Expr[] {
  const none = constant(128, 0);
  const [a = none, b = none, c = none, d = none] = parts;
  const pick = (kind: string, x: Expr, y: Expr): Expr => m.let(lanes(kind, lane, [x, y]));
  if (interleaved === 2) return [pick("even", a, b), pick("odd", a, b)];
  if (interleaved === 3) return [0, 1, 2].map((which) => m.let(lanes("third", lane, [a, b, c], which)));
  const [evenLow, evenHigh, oddLow, oddHigh] = [pick("even", a, b), pick("even", c, d), pick("odd", a, b), pick("odd", c, d)];
  // Of half registers everything stands in the first two pieces.
  return [pick("even", evenLow, evenHigh), pick("even", oddLow, oddHigh), pick("odd", evenLow, evenHigh), pick("odd", oddLow, oddHigh)];
}

/** The other way: pieces of memory from the low elements of registers on. */
function together(m: A64Machine, sources: readonly Expr[], { interleaved, lane }: Weave): Expr[] {
  const none = constant(128, 0);
  const [a = none, b = none, c = none, d = none] = sources;
  const zip = (kind: string, x: Expr, y: Expr): Expr => m.let(lanes(kind, lane, [x, y]));
  if (interleaved === 2) return [zip("unpack_low", a, b), zip("unpack_high", a, b)];
  if (interleaved === 3) return [0, 1, 2].map((which) => m.let(lanes("weave", lane, [a, b, c], which)));
  const halves = ["unpack_low", "unpack_high"].map((kind) => [zip(kind, a, c), zip(kind, b, d)] as const);
  return halves.flatMap(([x, y]) => [zip("unpack_low", x, y), zip("unpack_high", x, y)]);
}

function singleLane(m: A64Machine, word: number, address: Expr): number | undefined {
  const opcode = field(word, 13, 3);
  const count = (field(word, 13, 1) << 1) + field(word, 21, 1) + 1;
  const size = field(word, 10, 2);
  const register = (index: number): number => (field(word, 0, 5) + index) & 31;
  if (opcode >= 6) {
    if (!isSet(word, 22)) return undefined;
    const lane = 8 << size;
    const bits = isSet(word, 30) ? 128 : 64;
    const values = Array.from({ length: count }, (_, index) => m.loadFrom(m.plus(address, (index * lane) / 8), lane));
    for (const [index, value] of values.entries()) m.setVector(register(index), m.let(extract(lanes("dup", lane, [zext(value, 128)]), 0, bits)));
    return (count * lane) / 8;
  }
  const place = laneOf(word, opcode >> 1, size);
  if (place === undefined) return undefined;
  const { lane, from } = place;
  for (let index = 0; index < count; index += 1) {
    const at = m.plus(address, (index * lane) / 8);
    if (isSet(word, 22)) m.set(vectorBase + register(index), make("insert", 128, [m.vector(register(index)), m.loadFrom(at, lane)], { imm: from }));
    else m.store(at, m.let(extract(m.vector(register(index)), from, lane)));
  }
  return (count * lane) / 8;
}

/** Width and first bit of the lane that Q, S and size tell. */
function laneOf(word: number, scale: number, size: number): { readonly lane: number; readonly from: number } | undefined {
  const [q, s] = [field(word, 30, 1), field(word, 12, 1)];
  if (scale === 0) return { lane: 8, from: (q * 8 + s * 4 + size) * 8 };
  if (scale === 1) return (size & 1) === 1 ? undefined : { lane: 16, from: (q * 4 + s * 2 + (size >> 1)) * 16 };
  if (size === 0) return { lane: 32, from: (q * 2 + s) * 32 };
  return size === 1 && s === 0 ? { lane: 64, from: q * 64 } : undefined;
}
