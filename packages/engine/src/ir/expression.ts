/**
 * Expressions of the intermediate representation: pure values of a width in bits. Floating point numbers are their bit
 * patterns; operations that read them so begin with `f`. Vectors are wide values; operations by lanes begin with `v`.
 */
export type Expr = Const | Read | Use | Op | Load;

export interface Const {
  readonly kind: "const";
  readonly bits: number;
  /** Unsigned. */
  readonly value: bigint;
  /** Known to be an address of the image, which a number alone does not say. */
  readonly isAddress?: boolean;
}

/** A register, flag, temporary or stack place, before it has one definition a use. */
export interface Read {
  readonly kind: "read";
  readonly bits: number;
  readonly place: number;
}

/** A value with one definition. */
export interface Use {
  readonly kind: "use";
  readonly bits: number;
  readonly def: Definition;
}

export interface Op {
  readonly kind: "op";
  readonly op: OpName;
  readonly bits: number;
  readonly args: readonly Expr[];
  /** First bit of `extract` and `insert`, control byte of lane operations. */
  readonly imm: number;
  /** Of `vector` and `intrinsic`: which one. */
  readonly name: string;
}

export interface Load {
  readonly kind: "load";
  readonly bits: number;
  readonly address: Expr;
}

/** What gives a value; identity is what counts. Analyses replace what it is made of. */
export interface Definition {
  readonly id: number;
  bits: number;
  /** The register or place it was made for, -1 for none. */
  readonly place: number;
  source: Source;
}

export type Source =
  | { readonly kind: "expr"; readonly expr: Expr }
  /** One argument for each predecessor of its block, in their order. */
  | { readonly kind: "phi"; readonly args: Expr[] }
  /** What the place holds when the function is entered. */
  | { readonly kind: "entry" }
  /** What a call or an effect leaves in the place; which one is known by the statement that names the definition. */
  | { readonly kind: "result" }
  /** Nothing that is known: left over by a call. */
  | { readonly kind: "clobber" };

export type OpName =
  | "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem"
  | "and" | "or" | "xor" | "not" | "neg"
  | "shl" | "shr" | "sar" | "rol" | "ror"
  | "eq" | "ne" | "ult" | "ule" | "slt" | "sle"
  | "zext" | "sext" | "extract" | "insert" | "concat"
  | "select" | "bswap" | "clz" | "ctz" | "popcnt" | "parity"
  | "fadd" | "fsub" | "fmul" | "fdiv" | "fsqrt" | "fmin" | "fmax" | "fneg" | "fabs"
  // The number of two where one is none, or the one that is none; and `a * b + c` rounded once.
  | "fmaxnm" | "fminnm" | "fmaxnan" | "fminnan" | "fma"
  | "feq" | "flt" | "fle" | "funord"
  | "sitof" | "uitof" | "ftosi" | "ftosir" | "ftof"
  // Numbers that do not fit become the nearest that does, and what is no number zero.
  | "ftosat" | "ftousat"
  | "fround"
  | "vector" | "intrinsic" | "unknown";

export function mask(bits: number): bigint {
  return (1n << BigInt(bits)) - 1n;
}

/** The value as a signed number of that width. */
export function signed(value: bigint, bits: number): bigint {
  return BigInt.asIntN(bits, value);
}

export function constant(bits: number, value: bigint | number): Const {
  return { kind: "const", bits, value: BigInt.asUintN(bits, BigInt(value)) };
}

/** A constant that is an address of the image. */
export function addressConstant(bits: number, value: bigint): Const {
  return { ...constant(bits, value), isAddress: true };
}

export function read(place: number, bits: number): Read {
  return { kind: "read", bits, place };
}

export function use(def: Definition): Use {
  return { kind: "use", bits: def.bits, def };
}

export function load(bits: number, address: Expr): Load {
  return { kind: "load", bits, address };
}

interface OpParts {
  readonly imm?: number;
  readonly name?: string;
}

/** An operation as given; `make` in simplify.ts also reduces it. */
export function op(name: OpName, bits: number, args: readonly Expr[], { imm = 0, name: which = "" }: OpParts = {}): Op {
  return { kind: "op", op: name, bits, args, imm, name: which };
}

/** True for equal trees that read no memory. */
export function same(a: Expr, b: Expr): boolean {
  if (a === b) return a.kind !== "load";
  if (a.bits !== b.bits) return false;
  switch (a.kind) {
    case "const":
      return b.kind === "const" && a.value === b.value;
    case "read":
      return b.kind === "read" && a.place === b.place;
    case "use":
      return b.kind === "use" && a.def === b.def;
    case "load":
      return false;
    case "op":
      return (
        b.kind === "op" && a.op === b.op && a.imm === b.imm && a.name === b.name && a.op !== "unknown" && a.args.length === b.args.length &&
        a.args.every((arg, index) => sameAt(arg, b.args[index]))
      );
  }
}

function sameAt(a: Expr, b: Expr | undefined): boolean {
  return b !== undefined && same(a, b);
}

/** Calls for each value used in the tree, in order of evaluation. */
export function forEachUse(expr: Expr, visit: (def: Definition) => void): void {
  if (expr.kind === "use") visit(expr.def);
  else if (expr.kind === "load") forEachUse(expr.address, visit);
  else if (expr.kind === "op") for (const arg of expr.args) forEachUse(arg, visit);
}

export function someExpr(expr: Expr, test: (expr: Expr) => boolean): boolean {
  if (test(expr)) return true;
  if (expr.kind === "load") return someExpr(expr.address, test);
  return expr.kind === "op" && expr.args.some((arg) => someExpr(arg, test));
}

export function readsMemory(expr: Expr): boolean {
  return someExpr(expr, ({ kind }) => kind === "load");
}

/** Nodes of the tree, counted up to `most`. */
export function sizeOf(expr: Expr, most = 1000): number {
  let count = 1;
  const parts = expr.kind === "op" ? expr.args : expr.kind === "load" ? [expr.address] : [];
  for (const part of parts) {
    if (count >= most) return count;
    count += sizeOf(part, most - count);
  }
  return count;
}
