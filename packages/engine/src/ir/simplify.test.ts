import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate } from "./evaluate.js";
import { constant, op, use, type Definition, type Expr, type OpName } from "./expression.js";
import { make } from "./simplify.js";

const widths = [1, 8, 16, 32, 64];
const inputs = new Map(widths.map((bits) => [bits, [0, 1].map((number): Definition => ({ id: bits * 2 + number, bits, place: number, source: { kind: "entry" } }))]));

const ofEqualWidths: readonly OpName[] = ["add", "sub", "mul", "and", "or", "xor"];
const comparisons: readonly OpName[] = ["eq", "ne", "ult", "ule", "slt", "sle"];
const shifts: readonly OpName[] = ["shl", "shr", "sar"];
const divisions: readonly OpName[] = ["udiv", "urem", "sdiv", "srem"];

function leaf(bits: number): fc.Arbitrary<Expr> {
  const unknown = fc.nat(1).map((number): Expr => use(inputs.get(bits)?.[number] ?? { id: -1, bits, place: 0, source: { kind: "entry" } }));
  const number = fc.oneof(fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }), fc.bigInt({ min: -3n, max: 3n })).map((value): Expr => constant(bits, value));
  return fc.oneof({ arbitrary: unknown, weight: 3 }, number);
}

const trees = new Map<string, fc.Arbitrary<Expr>>();

/** Trees as given, of a width; nothing in them is reduced. Each kind is made once: it is built of many of the next depth. */
function tree(bits: number, depth: number): fc.Arbitrary<Expr> {
  const key = `${String(bits)} ${String(depth)}`;
  const known = trees.get(key) ?? (depth === 0 ? leaf(bits) : newTree(bits, depth));
  trees.set(key, known);
  return known;
}

function newTree(bits: number, depth: number): fc.Arbitrary<Expr> {
  const of = (width: number): fc.Arbitrary<Expr> => tree(width, depth - 1);
  const narrower = widths.filter((width) => width < bits);
  const wider = widths.filter((width) => width > bits);
  const kinds: fc.Arbitrary<Expr>[] = [
    leaf(bits),
    fc.tuple(fc.constantFrom(...ofEqualWidths), of(bits), of(bits)).map(([name, a, b]) => op(name, bits, [a, b])),
    fc.tuple(fc.constantFrom(...ofEqualWidths), of(bits)).map(([name, a]) => op(name, bits, [a, a])),
    fc.tuple(fc.constantFrom<OpName>("neg", "not"), of(bits)).map(([name, a]) => op(name, bits, [a])),
    fc.tuple(of(1), of(bits), of(bits)).map((args) => op("select", bits, args)),
  ];
  if (bits === 1) {
    const compared = fc.constantFrom(...widths).chain((width) => fc.tuple(fc.constantFrom(...comparisons), of(width), of(width)));
    kinds.push(compared.map(([name, a, b]) => op(name, 1, [a, b])), compared.map(([name, a, b]) => op(name, 1, [a, b])));
  } else {
    kinds.push(
      fc.tuple(fc.constantFrom(...shifts), of(bits), fc.nat(bits - 1)).map(([name, a, by]) => op(name, bits, [a, constant(8, by)])),
      fc.tuple(fc.constantFrom(...divisions), of(bits), fc.integer({ min: 1, max: 127 })).map(([name, a, by]) => op(name, bits, [a, constant(bits, by)])),
      fc.constantFrom(...narrower).chain((width) => fc.tuple(fc.constantFrom<OpName>("zext", "sext"), of(width))).map(([name, a]) => op(name, bits, [a])),
      fc.constantFrom(...narrower).chain((width) => fc.tuple(of(bits), of(width), fc.nat(bits - width))).map(([base, value, imm]) => op("insert", bits, [base, value], { imm })),
    );
  }
  if (bits > 8) kinds.push(fc.tuple(of(bits / 2), of(bits / 2)).map((args) => op("concat", bits, args)));
  if (wider.length > 0) kinds.push(fc.constantFrom(...wider).chain((width) => fc.tuple(of(width), fc.nat(width - bits))).map(([a, imm]) => op("extract", bits, [a], { imm })));
  return fc.oneof(...kinds);
}

function valueOf(expr: Expr, given: ReadonlyMap<Definition, bigint>): bigint {
  if (expr.kind === "const") return expr.value;
  if (expr.kind === "use") return given.get(expr.def) ?? 0n;
  if (expr.kind !== "op") throw new Error("not a value of the inputs");
  const value = evaluate(expr, expr.args.map((arg) => valueOf(arg, given)));
  if (value === undefined) throw new Error(`${expr.op} has no value`);
  return value;
}

function reduced(expr: Expr): Expr {
  return expr.kind === "op" ? make(expr.op, expr.bits, expr.args.map(reduced), { imm: expr.imm, name: expr.name }) : expr;
}

function shown(expr: Expr): string {
  if (expr.kind === "const") return `${expr.value.toString()}:${String(expr.bits)}`;
  if (expr.kind === "use") return `v${String(expr.def.place)}:${String(expr.bits)}`;
  return expr.kind === "op" ? `${expr.op}${String(expr.bits)}${expr.imm === 0 ? "" : `@${String(expr.imm)}`}(${expr.args.map(shown).join(", ")})` : expr.kind;
}

/** No operation whose meaning as C differs on one bit, where what is negative is 1. */
function isOneBitArithmetic(expr: Expr): boolean {
  if (expr.kind !== "op") return false;
  const isSigned = (expr.op === "slt" || expr.op === "sle") && expr.args[0]?.bits === 1;
  return isSigned || (expr.op === "neg" && expr.bits === 1) || expr.args.some(isOneBitArithmetic);
}

const numbers = fc.array(fc.oneof(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.bigInt({ min: -2n, max: 2n })), { minLength: 10, maxLength: 10 });

test("what an operation is reduced to has its value, whatever its parts are", () => {
  fc.assert(
    fc.property(fc.constantFrom(...widths).chain((bits) => tree(bits, 4)), fc.array(numbers, { minLength: 4, maxLength: 4 }), (expr, runs) => {
      const made = reduced(expr);
      expect(made.bits).toBe(expr.bits);
      for (const values of runs) {
        const given = new Map([...inputs.values()].flat().map((def, index) => [def, BigInt.asUintN(def.bits, values[index] ?? 0n)]));
        if (valueOf(made, given) !== valueOf(expr, given)) throw new Error(`${shown(expr)} became ${shown(made)}`);
      }
      expect(isOneBitArithmetic(made), `${shown(expr)} became ${shown(made)}`).toBe(false);
    }),
    { numRuns: Number(process.env["REA_SIMPLIFY_RUNS"] ?? "2000") },
  );
});
