import { constant, mask, type Const, type Expr, type Load, type Op } from "../../ir/expression.js";
import type { Core, Hint } from "./core.js";
import { floatPrinter, type FloatPrinter } from "./float-expressions.js";
import { i32, intType, sameType, widthOf, type CType } from "./c-type.js";
import { integerLiteral } from "./literals.js";
import { memoryPrinter, type MemoryPrinter } from "./memory-expressions.js";
import { operationPrinter } from "./operation-expressions.js";
import { cast, inside, level, operand, primary, type Printed } from "./printed.js";
import { promoted, signedTogether, usual } from "./usual-conversions.js";
import type { Surroundings } from "./surroundings.js";

const symbols: Readonly<Record<string, readonly [string, number]>> = {
  add: ["+", level.sum], sub: ["-", level.sum], mul: ["*", level.product],
  and: ["&", level.bitAnd], or: ["|", level.bitOr], xor: ["^", level.bitXor],
  eq: ["==", level.equality], ne: ["!=", level.equality], ult: ["<", level.relation], ule: ["<=", level.relation], slt: ["<", level.relation], sle: ["<=", level.relation],
};

const comparisons = new Set(["eq", "ne", "ult", "ule", "slt", "sle"]);

/** Writes expressions in C so that each means exactly what the tree says. */
export class ExpressionPrinter implements Core {
  readonly surroundings: Surroundings;
  readonly #floats: FloatPrinter;
  readonly #memory: MemoryPrinter;
  readonly #operations: ReturnType<typeof operationPrinter>;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
    this.#floats = floatPrinter(this);
    this.#memory = memoryPrinter(this);
    this.#operations = operationPrinter(this);
  }

  print(expr: Expr, hint: Hint = {}): Printed {
    switch (expr.kind) {
      case "const":
        return this.#constant(expr, hint);
      case "use":
        return this.#memory.value(expr);
      case "load":
        return this.#memory.loaded(expr, hint);
      case "read":
        return primary(`rea_unknown${String(expr.bits)}()`, intType(expr.bits, false));
      case "op":
        return this.#op(expr, hint);
    }
  }

  /** A place in memory, to read or to assign. */
  place(load: Load, hint: Hint): Printed {
    return this.#memory.load(load, hint);
  }

  /** As an integer or pointer-free value, of which the low bits count. */
  integer(expr: Expr, hint: Hint = {}): Printed {
    return this.toInteger(this.print(expr, hint), expr.bits);
  }

  toInteger(printed: Printed, bits: number): Printed {
    if (printed.type.kind === "pointer") return cast(printed, intType(64, true));
    if (printed.type.kind === "float") return this.call(`rea_bits${String(printed.type.bits)}`, [printed.text], intType(Math.max(8, bits), false));
    return printed;
  }

  /** With the value that the pattern has as a signed number, in a type that may be narrower. */
  signed(expr: Expr): Printed {
    if (expr.bits === 1) return this.condition(expr);
    const printed = this.integer(expr, { signed: true });
    return this.#isKept(printed, expr.bits, true) ? printed : cast(printed, intType(expr.bits, true));
  }

  unsigned(expr: Expr): Printed {
    if (expr.bits === 1) return this.condition(expr);
    const printed = this.integer(expr, { signed: false });
    // A literal that is not below zero is the number that is meant in any type.
    if (expr.kind === "const" && printed.type.kind === "int" && /^\d/.test(printed.text)) return printed;
    return this.#isKept(printed, expr.bits, false) ? printed : cast(printed, intType(expr.bits, false));
  }

  /** Whether the type of the text gives the number that is meant. */
  #isKept({ type, valid }: Printed, bits: number, isSigned: boolean): boolean {
    if (type.kind !== "int" || valid < type.bits) return false;
    if (type.bits === bits) return type.signed === isSigned;
    return type.bits < bits && (isSigned || !type.signed);
  }

  /** A floating number of the width. */
  float(expr: Expr): Printed {
    return this.#floats.value(expr);
  }

  /** A truth value as C has it: an `int` of 0 or 1, or anything that is tested against zero. */
  condition(expr: Expr): Printed {
    const printed = this.print(expr);
    return printed.type.kind === "int" && expr.bits === 1 ? { ...printed, valid: Math.max(32, printed.type.bits) } : printed;
  }

  /** Converted to a type, with a cast only where C would not do it by itself on assignment. */
  assigned(expr: Expr, type: CType): Printed {
    if (type.kind === "float") return this.float(expr);
    if (type.kind === "pointer") return this.#memory.pointer(expr, type);
    const constantOf = this.#named(expr, type);
    if (constantOf !== undefined) return constantOf;
    if (expr.bits < type.bits) return type.signed ? this.signed(expr) : this.unsigned(expr);
    const printed = this.integer(expr, { signed: type.signed });
    return printed;
  }

  /** A constant where a value of an `enum` is wanted. */
  #named(expr: Expr, type: CType): Printed | undefined {
    if (expr.kind !== "const" || type.kind !== "int" || type.names === undefined) return undefined;
    const name = this.surroundings.constantName(type.names, type.signed ? BigInt.asIntN(expr.bits, expr.value) : expr.value);
    return name === undefined ? undefined : primary(name, { kind: "int", bits: type.bits, signed: type.signed });
  }

  /** A constant as a value of an `enum` is compared with; its own text where it has no name there. */
  caseText(value: bigint, selector: Printed, bits: number): string {
    const { type } = selector;
    const isSigned = type.kind === "int" && type.signed;
    const shown = isSigned ? BigInt.asIntN(bits, value) : value;
    const name = type.kind === "int" && type.names !== undefined ? this.surroundings.constantName(type.names, shown) : undefined;
    return name ?? String(shown);
  }

  call(name: string, args: readonly string[], type: CType): Printed {
    this.surroundings.uses(name);
    return primary(`${name}(${args.join(", ")})`, type);
  }

  #constant(expr: Const, { signed: isSigned, float }: Hint): Printed {
    if (float === true) return this.#floats.value(expr);
    if (expr.bits === 64 && expr.value !== 0n) {
      const place = this.surroundings.address(expr.isAddress === true ? expr.value : expr.value | unsure);
      if (place !== undefined) return (isPlainBytes(place) ? this.#memory.named({ ...expr, isAddress: true }) : undefined) ?? place;
    }
    // Numbers close below zero read as such.
    const isSmall = expr.bits > 1 && expr.bits <= 64 && expr.value > mask(expr.bits) - 0x10000n;
    return integerLiteral(expr.value, expr.bits, expr.bits > 1 && (isSigned ?? isSmall));
  }

  #op(expr: Op, hint: Hint): Printed {
    if (expr.op === "vector") return this.#vector(expr);
    if (isFloatOp(expr)) return this.#floats.op(expr);
    if (comparisons.has(expr.op)) return this.#compare(expr);
    const truth = expr.bits === 1 ? oneBit(expr) : undefined;
    if (truth !== undefined) return this.#op(truth, hint);
    switch (expr.op) {
      case "add":
        return this.#memory.sum(expr) ?? this.#arithmetic(expr, hint);
      case "sub":
      case "mul":
      case "and":
      case "or":
      case "xor":
        return expr.bits === 1 ? this.#logic(expr) : this.#arithmetic(expr, hint);
      case "zext":
      case "sext":
        return this.#extend(expr);
      case "extract":
        return this.#extract(expr, hint);
      case "select":
        return this.#select(expr, hint);
      default:
        return this.#operations.print(expr, hint);
    }
  }

  #vector(expr: Op): Printed {
    const hasImm = /^(shuffle|dup|third|weave|roundf)/.test(expr.name);
    const args = expr.args.map((arg) => this.wide(arg));
    return this.call(`rea_v_${expr.name}`, hasImm ? [...args, String(expr.imm)] : args, intType(128, false));
  }

  /** A 128-bit value as an argument. */
  wide(expr: Expr): string {
    const printed = this.integer(expr, { signed: false });
    return printed.text;
  }

  /** In a type of at least that many bits, so that nothing is lost above. */
  atLeast(printed: Printed, bits: number): Printed {
    if (printed.type.kind !== "int" || printed.type.bits >= bits || bits <= 32) return printed;
    return cast(printed, intType(bits, printed.type.signed));
  }

  #arithmetic(expr: Op, hint: Hint): Printed {
    const [symbol, own] = symbols[expr.op] ?? ["+", level.sum];
    const [a, b] = expr.args;
    if (a === undefined || b === undefined) return primary("0", i32);
    if (b.kind === "const" && (expr.op === "add" || expr.op === "sub")) {
      const value = BigInt.asIntN(expr.bits, b.value);
      const flips = value < 0n && b.isAddress !== true && value !== -(1n << BigInt(expr.bits - 1)) && expr.bits <= 64;
      if (flips) return this.#join([this.integer(a, hint), integerLiteral(-value, expr.bits, true)], [expr.op === "add" ? "-" : "+", own], expr.bits);
    }
    const isMask = expr.op === "and" || expr.op === "or" || expr.op === "xor";
    return this.#join([this.integer(a, hint), this.integer(b, b.kind === "const" ? { signed: !isMask || BigInt.asIntN(expr.bits, b.value) > -256n } : hint)], [symbol, own], expr.bits);
  }

  #join([x, y]: readonly [Printed, Printed], [symbol, own]: readonly [string, number], bits: number): Printed {
    let first = x;
    const type = usual(x.type, y.type);
    if (type.kind === "int" && type.bits < bits && bits > 32) first = cast(x, intType(bits, x.type.kind === "int" && x.type.signed));
    const result = usual(first.type, y.type);
    return { text: `${operand(first, own)} ${symbol} ${operand(y, own + 1)}`, level: own, type: result, valid: bits };
  }

  #logic(expr: Op): Printed {
    const [a, b] = expr.args;
    if (a === undefined || b === undefined) return primary("0", i32);
    if (expr.op === "xor" && b.kind === "const") return { text: `!${inside(this.condition(a), level.unary)}`, level: level.unary, type: i32, valid: 32 };
    const [symbol, own] = expr.op === "and" ? (["&&", level.and] as const) : expr.op === "or" ? (["||", level.or] as const) : (["!=", level.equality] as const);
    const sides = [this.condition(a), this.condition(b)].map((side) => (side.level < level.equality && side.level !== own ? `(${side.text})` : inside(side, own)));
    return { text: sides.join(` ${symbol} `), level: own, type: i32, valid: 32 };
  }

  #compare(expr: Op): Printed {
    const [a, b] = expr.args;
    const [symbol, own] = symbols[expr.op] ?? ["==", level.equality];
    if (a === undefined || b === undefined) return primary("0", i32);
    const sides = this.#sides(expr, a, b);
    return { text: sides.map((side) => operand(side, own + 1)).join(` ${symbol} `), level: own, type: i32, valid: 32 };
  }

  #sides(expr: Op, a: Expr, b: Expr): readonly [Printed, Printed] {
    if (expr.op === "slt" || expr.op === "sle") return signedTogether([this.signed(a), this.signed(b)], a.bits);
    if (expr.op === "ult" || expr.op === "ule") return [this.unsigned(a), this.unsigned(b)];
    const pointers = this.#memory.comparison(a, b);
    if (pointers !== undefined) return pointers;
    const first = this.integer(a);
    const constantOf = this.#isKept(first, a.bits, first.type.kind === "int" && first.type.signed) ? this.#named(b, first.type) : undefined;
    if (constantOf !== undefined) return [first, constantOf];
    const isUnsigned = a.kind === "const" ? false : this.#isKept(first, a.bits, false) && first.type.kind === "int" && !first.type.signed;
    return isUnsigned ? [first, this.unsigned(b)] : [this.signed(a), this.signed(b)];
  }

  #extend(expr: Op): Printed {
    const [a] = expr.args;
    if (a === undefined) return primary("0", i32);
    if (a.bits === 1) {
      const truth = this.condition(a);
      if (expr.op === "zext") return truth;
      const number = promoted(truth.type).kind === "int" && sameType(promoted(truth.type), i32) ? truth : cast(truth, i32);
      return { text: `-${inside(number, level.primary)}`, level: level.unary, type: i32, valid: 32 };
    }
    const narrow = expr.op === "zext" ? this.unsigned(a) : this.signed(a);
    return expr.bits === 128 ? cast(narrow, intType(128, expr.op === "sext")) : narrow;
  }

  #extract(expr: Op, { signed: isSigned }: Hint): Printed {
    const [a] = expr.args;
    if (a === undefined) return primary("0", i32);
    const whole = this.integer(a, { signed: isSigned ?? expr.bits >= 32 });
    if (expr.imm === 0) return expr.bits === 1 ? lowestBit(whole) : cast(whole, intType(expr.bits, isSigned ?? expr.bits >= 32));
    const value = this.unsigned(a);
    const shifted: Printed = { text: `${operand(value, level.shift)} >> ${String(expr.imm)}`, level: level.shift, type: promoted(value.type), valid: a.bits };
    if (expr.bits === 1) return lowestBit(shifted);
    return cast(shifted, intType(expr.bits, isSigned ?? expr.bits >= 32));
  }

  #select(expr: Op, hint: Hint): Printed {
    const [test, yes, no] = expr.args;
    if (test === undefined || yes === undefined || no === undefined) return primary("0", i32);
    if (this.#floats.isFloat(yes) || this.#floats.isFloat(no)) {
      const [x, y] = [this.float(yes), this.float(no)];
      return { text: `${operand(this.condition(test), level.or)} ? ${inside(x, level.conditional)} : ${inside(y, level.conditional)}`, level: level.conditional, type: x.type, valid: expr.bits };
    }
    const [x, y] = [this.integer(yes, hint), this.integer(no, hint)];
    const type = usual(x.type, y.type);
    const isNarrow = type.kind === "int" && type.bits < expr.bits;
    const first = isNarrow && expr.bits > 32 ? cast(x, intType(expr.bits, x.type.kind === "int" && x.type.signed)) : x;
    const result = usual(first.type, y.type);
    const text = `${operand(this.condition(test), level.or)} ? ${inside(first, level.conditional)} : ${inside(y, level.conditional)}`;
    return { text, level: level.conditional, type: expr.bits === 1 ? i32 : result, valid: expr.bits === 1 ? 32 : Math.min(expr.bits, Math.min(x.valid, y.valid)) < expr.bits ? Math.min(x.valid, y.valid) : expr.bits };
  }

}

/** Marks constants that are only taken for addresses where nothing speaks against it. */
const unsure = 1n << 64n;

/** An address in an object, neither a text nor a function. */
function isPlainBytes({ type }: Printed): boolean {
  return type.kind === "pointer" && type.to?.kind === "int" && !type.to.signed;
}

function lowestBit(printed: Printed): Printed {
  const type = usual(printed.type, i32);
  return { text: `(${operand(printed, level.bitAnd)} & 1)`, level: level.primary, type, valid: widthOf(type) };
}

/** Arithmetic on one bit is logic. */
function oneBit(expr: Op): Op | undefined {
  if (expr.op === "add" || expr.op === "sub") return { ...expr, op: "xor" };
  if (expr.op === "mul") return { ...expr, op: "and" };
  return expr.op === "not" ? { ...expr, op: "xor", args: [...expr.args, constant(1, 1)] } : undefined;
}

function isFloatOp({ op }: Op): boolean {
  return op.startsWith("f") || op === "sitof" || op === "uitof";
}
