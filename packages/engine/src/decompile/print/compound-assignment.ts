import { someExpr, type Expr } from "../../ir/expression.js";
import type { CType } from "./c-type.js";
import type { ExpressionPrinter } from "./expressions.js";

interface Target {
  readonly name: string;
  readonly type: CType;
  /** True for the value that the place holds. */
  isItself(expr: Expr): boolean;
}

const floatSymbols: Readonly<Record<string, string>> = { fadd: "+", fsub: "-", fmul: "*", fdiv: "/" };
const symbols: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*", and: "&", or: "|", xor: "^" };

/** `x += y` and its like for a variable or a place in memory; undefined where an assignment is none of them. */
export function compoundAssignment({ name, type, isItself }: Target, value: Expr, expressions: ExpressionPrinter): string | undefined {
  if (value.kind !== "op") return undefined;
  const [a, b] = value.args;
  if (a === undefined || b === undefined || !isItself(a)) return undefined;
  if (someExpr(b, isItself)) return undefined;
  if (type.kind === "pointer") return step(name, expressions.print(value).text);
  const float = floatSymbols[value.op];
  if (float !== undefined && type.kind === "float") return `${name} ${float}= ${expressions.float(b).text};`;
  if (type.kind !== "int" || value.bits > 64) return undefined;
  const symbol = symbols[value.op];
  if (symbol === undefined || value.bits === 1) return undefined;
  if (value.op === "add" && b.kind === "const" && b.isAddress !== true) {
    const by = BigInt.asIntN(value.bits, b.value);
    if (by === 1n) return increment(name, "+");
    if (by === -1n) return increment(name, "-");
    if (by < 0n) return `${name} -= ${String(-by)};`;
  }
  return `${name} ${symbol}= ${expressions.integer(b, { signed: true }).text};`;
}

/** A pointer that goes on by whole elements. */
function step(name: string, text: string): string | undefined {
  if (!text.startsWith(`${name} `)) return undefined;
  const [, sign, by] = /^ ([+-]) (\d+)$/.exec(text.slice(name.length)) ?? [];
  if (sign === undefined || by === undefined) return undefined;
  return by === "1" ? increment(name, sign) : `${name} ${sign}= ${by};`;
}

/** What begins with a star binds less tightly than the operator. */
function increment(name: string, sign: string): string {
  return name.startsWith("*") ? `${name} ${sign}= 1;` : `${name}${sign}${sign};`;
}
