import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { constant, mask, op, use, type Definition, type Expr } from "../../ir/expression.js";
import { evaluate } from "../../ir/evaluate.js";
import { extract, make, sext, zext } from "../../ir/simplify.js";
import { asIdiom } from "./idioms.js";

const input: Definition = { id: 1, bits: 8, place: 0, source: { kind: "entry" } };
const wideInput: Definition = { id: 2, bits: 32, place: 0, source: { kind: "entry" } };
const x = use(input);

function valueOf(expr: Expr, given: bigint): bigint {
  if (expr.kind === "const") return expr.value;
  if (expr.kind === "use") return expr.def.source.kind === "expr" ? valueOf(expr.def.source.expr, given) : given;
  if (expr.kind !== "op") throw new Error("not a value of the input");
  const value = evaluate(expr, expr.args.map((arg) => valueOf(arg, given)));
  if (value === undefined) throw new Error(`${expr.op} has no value`);
  return value;
}

/** Folds every node from the leaves on, as the decompiler does. */
function folded(expr: Expr): Expr {
  if (expr.kind !== "op") return expr;
  const made = make(expr.op, expr.bits, expr.args.map(folded), { imm: expr.imm, name: expr.name });
  return made.kind === "op" ? (asIdiom(made) ?? made) : made;
}

function has(expr: Expr, name: string): boolean {
  return expr.kind === "op" && (expr.op === name || expr.args.some((arg) => has(arg, name)));
}

function expectSame(expr: Expr): Expr {
  const made = folded(expr);
  const different = Array.from({ length: 256 }, (_, value) => BigInt(value)).filter((value) => valueOf(made, value) !== valueOf(expr, value));
  expect(different).toEqual([]);
  return made;
}

const eight = (value: number): Expr => constant(8, value);
const bound = { factor: fc.integer({ min: 1, max: 511 }), shift: fc.integer({ min: 1, max: 16 }), d: fc.integer({ min: 2, max: 127 }) };

function unsignedProduct(factor: number, shift: number): Expr {
  return extract(make("shr", 32, [make("mul", 32, [zext(x, 32), constant(32, factor)]), constant(8, shift)]), 0, 8);
}

/** By a factor of nine bits: `((x - h) / 2 + h) >> shift`. */
function longProduct(factor: number, shift: number): Expr {
  const high = extract(make("mul", 16, [zext(x, 16), constant(16, factor & 255)]), 8, 8);
  const half = make("shr", 8, [make("sub", 8, [x, high]), eight(1)]);
  return make("shr", 8, [make("add", 8, [half, high]), eight(shift)]);
}

function signedProduct(factor: number, { shift, isNegative }: { readonly shift: number; readonly isNegative: boolean }): Expr {
  const product = make("mul", 32, [sext(x, 32), constant(32, isNegative ? -factor : factor)]);
  const part = extract(make("sar", 32, [product, constant(8, shift)]), 0, 8);
  return isNegative ? make("add", 8, [part, extract(make("shr", 32, [product, constant(8, 31)]), 0, 8)]) : make("sub", 8, [part, make("sar", 8, [x, eight(7)])]);
}

describe("operations that compilers write for a division", () => {
  test("mean the same for every number once they are folded, whatever their constants are", () => {
    fc.assert(
      fc.property(bound.factor, bound.shift, fc.boolean(), (factor, shift, isNegative) => {
        expectSame(unsignedProduct(factor, shift));
        expectSame(longProduct(factor, shift % 8));
        expectSame(signedProduct(factor, { shift, isNegative }));
      }),
      { numRuns: 400 },
    );
  });

  test("are a division again for the constants that compilers take", () => {
    let found = 0;
    for (let d = 3; d < 128; d += 1) {
      if ((d & (d - 1)) === 0) continue;
      // The shortest factor that is exact for every number of eight bits.
      for (let shift = 8; shift <= 16; shift += 1) {
        const factor = Math.floor(2 ** shift / d) + 1;
        const error = factor * d - 2 ** shift;
        if (error * (Math.floor(256 / d) * d - 1) >= 2 ** shift || factor > 511) continue;
        found += 1;
        expect(has(expectSame(unsignedProduct(factor, shift)), "udiv"), `${String(d)} by ${String(factor)} and ${String(shift)}`).toBe(true);
        if (error * 128 < 2 ** shift) for (const isNegative of [false, true]) expect(has(expectSame(signedProduct(factor, { shift, isNegative })), "sdiv")).toBe(true);
      }
    }
    expect(found).toBeGreaterThan(100);
  });

  test("stay as they are one beside the right constant", () => {
    expect(has(folded(unsignedProduct(204, 11)), "udiv")).toBe(false);
    expect(has(folded(unsignedProduct(205, 11)), "udiv")).toBe(true);
    const wide = use(wideInput);
    const byTen = (factor: bigint): Expr => extract(make("shr", 64, [make("mul", 64, [zext(wide, 64), constant(64, factor)]), constant(8, 35)]), 0, 32);
    expect(has(folded(byTen(0xcccccccdn)), "udiv")).toBe(true);
    for (const beside of [0xccccccccn, 0xcccccccen]) expect(has(folded(byTen(beside)), "udiv")).toBe(false);
  });
});

describe("operations that compilers write for a remainder", () => {
  test("are one whatever sums and shifts the product is made of", () => {
    for (let d = 2; d < 128; d += 1) {
      const quotient = op("udiv", 8, [x, eight(d)]);
      const twice = make("add", 8, [quotient, make("shl", 8, [quotient, eight(2)])]);
      const product = make("add", 8, [make("mul", 8, [twice, eight(2)]), make("mul", 8, [quotient, eight(d - 10)])]);
      const made = expectSame(make("sub", 8, [x, product]));
      expect(has(made, "urem")).toBe(true);
    }
  });

  test("of powers of two keep the sign of what is divided", () => {
    for (let by = 1; by < 7; by += 1) {
      const low = eight((1 << by) - 1);
      const bias = by === 1 ? make("shr", 8, [x, eight(7)]) : make("shr", 8, [make("sar", 8, [x, eight(7)]), eight(8 - by)]);
      const biased = make("add", 8, [x, bias]);
      const chosen = make("select", 8, [make("slt", 1, [x, eight(0)]), make("add", 8, [x, low]), x]);
      const minus = make("sub", 8, [eight(0), x]);
      const turned = make("select", 8, [make("slt", 1, [minus, eight(0)]), make("and", 8, [x, low]), make("neg", 8, [make("and", 8, [minus, low])])]);
      for (const rounded of [biased, chosen]) {
        expect(has(expectSame(make("sar", 8, [rounded, eight(by)])), "sdiv")).toBe(true);
        expect(has(expectSame(make("sub", 8, [x, make("and", 8, [rounded, constant(8, mask(8) ^ BigInt((1 << by) - 1))])])), "srem")).toBe(true);
      }
      expect(has(expectSame(make("sub", 8, [make("and", 8, [biased, low]), bias])), "srem")).toBe(true);
      expect(has(expectSame(turned), "srem")).toBe(true);
    }
  });
});
