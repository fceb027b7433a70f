import { someExpr, type Definition, type Expr } from "../../ir/expression.js";
import type { CType } from "./c-type.js";
import type { ExpressionPrinter } from "./expressions.js";

interface Target {
  readonly name: string;
  readonly type: CType;
  /** True for values that stand in the variable. */
  isOwn(def: Definition): boolean;
}

const floatSymbols: Readonly<Record<string, string>> = { fadd: "+", fsub: "-", fmul: "*", fdiv: "/" };
const symbols: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*", and: "&", or: "|", xor: "^" };

/** `x += y` and its like; undefined where an assignment is none of them. */
export function compoundAssignment({ name, type, isOwn }: Target, value: Expr, expressions: ExpressionPrinter): string | undefined {
  if (value.kind !== "op") return undefined;
  const [a, b] = value.args;
  if (a?.kind !== "use" || b === undefined || !isOwn(a.def)) return undefined;
  if (someExpr(b, (part) => part.kind === "use" && isOwn(part.def))) return undefined;
  const float = floatSymbols[value.op];
  if (float !== undefined && type.kind === "float") return `${name} ${float}= ${expressions.float(b).text};`;
  if (type.kind !== "int" || value.bits > 64) return undefined;
  const symbol = symbols[value.op];
  if (symbol === undefined || value.bits === 1) return undefined;
  if (value.op === "add" && b.kind === "const" && b.isAddress !== true) {
    const by = BigInt.asIntN(value.bits, b.value);
    if (by === 1n) return `${name}++;`;
    if (by === -1n) return `${name}--;`;
    if (by < 0n) return `${name} -= ${String(-by)};`;
  }
  return `${name} ${symbol}= ${expressions.integer(b, { signed: true }).text};`;
}
