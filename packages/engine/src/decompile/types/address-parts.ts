import { constant, op, same, signed, type Const, type Expr } from "../../ir/expression.js";

export interface AddressParts {
  readonly terms: readonly Expr[];
  readonly offset: number;
  readonly address: Const | undefined;
}

interface Term {
  readonly expr: Expr;
  factor: bigint;
}

/** Terms of a sum and the constants in it, products of sums multiplied out. */
export function addressParts(expr: Expr): AddressParts {
  const terms: Term[] = [];
  const found: { offset: bigint; address: Const | undefined } = { offset: 0n, address: undefined };
  const add = (part: Expr, factor: bigint): void => {
    if (part.kind === "const" && part.isAddress === true && factor === 1n && found.address === undefined) found.address = part;
    else if (part.kind === "const" && part.isAddress !== true && isSmall(part)) found.offset += signed(part.value, part.bits) * factor;
    else if (!addParts(part, factor, add)) collect(terms, part, factor);
  };
  add(expr, 1n);
  const offset = BigInt.asIntN(64, found.offset);
  const fits = offset >= -mostOffset && offset < mostOffset;
  const shown = terms.flatMap(({ expr: part, factor }) => (factor === 0n ? [] : factor === 1n ? [part] : [op("mul", part.bits, [part, constant(part.bits, factor)])]));
  return { terms: fits ? shown : [...shown, constant(expr.bits, offset)], offset: fits ? Number(offset) : 0, address: found.address };
}

const mostOffset = 1n << 47n;
const mostTerms = 12;

function isSmall({ value, bits }: Const): boolean {
  const shown = signed(value, bits);
  return shown >= -mostOffset && shown < mostOffset;
}

/** Goes on with what a sum, or a product with a number, is made of; false for anything else. */
function addParts(part: Expr, factor: bigint, add: (part: Expr, factor: bigint) => void): boolean {
  if (part.kind !== "op") return false;
  const [a, b] = part.args;
  if (a === undefined || b === undefined) return false;
  if (part.op === "add") {
    add(a, factor);
    add(b, factor);
    return true;
  }
  if (b.kind !== "const" || b.isAddress === true) return false;
  if (part.op === "mul") add(a, factor * signed(b.value, b.bits));
  else if (part.op === "shl" && b.value < 32n) add(a, factor << b.value);
  else return false;
  return true;
}

function collect(terms: Term[], expr: Expr, factor: bigint): void {
  const known = terms.length > mostTerms ? undefined : terms.find((term) => same(term.expr, expr));
  if (known === undefined) terms.push({ expr, factor });
  else known.factor += factor;
}

/** The factor beside the size of an element; undefined where the term is no multiple of it. */
export function scaled(term: Expr, size: number): Expr | undefined {
  if (size === 1) return term;
  if (size <= 0) return undefined;
  if (term.kind === "const") return term.value % BigInt(size) === 0n ? { ...term, value: term.value / BigInt(size) } : undefined;
  if (term.kind !== "op" || term.args[1]?.kind !== "const") return undefined;
  const by = term.args[1].value;
  const factor = term.op === "mul" ? by : term.op === "shl" && by < 64n ? 1n << by : 0n;
  if (factor === 0n || factor % BigInt(size) !== 0n) return undefined;
  if (factor === BigInt(size)) return term.args[0];
  return { ...term, op: "mul", args: [term.args[0] ?? term, { ...term.args[1], bits: term.bits, value: factor / BigInt(size) }] };
}
