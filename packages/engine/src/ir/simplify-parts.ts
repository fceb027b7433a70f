import { constant, same, type Expr, type Op } from "./expression.js";
import type { Maker } from "./maker.js";
import { laneOperation, laneTests, lanewise, type LaneOperation } from "./vector-operations.js";

interface Range {
  readonly from: number;
  readonly bits: number;
}

const widthsOfTypes = new Set([1, 8, 16, 32, 64, 128]);
const bitwise = new Set(["and", "or", "xor", "not"]);
const sums = new Set(["add", "sub", "mul", "neg"]);

/** Rules for taking and replacing parts of values. */
export function partRules({ make, extract, sext, zext }: Maker) {
  /** Bits `imm … imm + bits` of a value, taken from its parts where they are seen. */
  function simplifyExtract(expr: Op, a: Expr): Expr | undefined {
    const { imm: from, bits } = expr;
    if (from === 0 && bits === a.bits) return a;
    if (a.kind === "load") return from % 8 === 0 && bits % 8 === 0 ? loadAt(a.address, from / 8, bits) : undefined;
    if (a.kind !== "op") return undefined;
    const [x, y, z] = a.args;
    if (x === undefined) return undefined;
    if (bitwise.has(a.op)) return make(a.op, bits, a.args.map((arg) => extract(arg, from, bits)));
    // The low bits of a sum depend on low bits only.
    if (sums.has(a.op)) return from === 0 ? make(a.op, bits, a.args.map((arg) => extract(arg, 0, bits))) : undefined;
    if (a.op === "vector") return ofLanes(a, { from, bits });
    return y === undefined ? ofOne(a, x, { from, bits }) : ofTwo(a, [x, y, z], { from, bits });
  }

  function ofOne(a: Op, x: Expr, { from, bits }: Range): Expr | undefined {
    switch (a.op) {
      case "extract":
        return extract(x, a.imm + from, bits);
      case "zext":
        return ofExtension(a, x, { from, bits });
      case "sext":
        if (from + bits <= x.bits) return extract(x, from, bits);
        return from === 0 ? sext(x, bits) : undefined;
      default:
        return undefined;
    }
  }

  function ofTwo(a: Op, [x, y, z]: readonly [Expr, Expr, Expr | undefined], { from, bits }: Range): Expr | undefined {
    switch (a.op) {
      case "concat":
        return ofConcat(x, y, { from, bits });
      case "insert":
        return ofInsert(a, x, { value: y, from, bits });
      case "select":
        return z === undefined ? undefined : make("select", bits, [x, extract(y, from, bits), extract(z, from, bits)]);
      case "shl":
      case "shr":
      case "sar":
        return ofShift(a, x, { count: y, from, bits });
      case "sdiv":
      case "srem":
      case "udiv":
      case "urem":
        return from === 0 ? ofDivision(a, x, { divisor: y, bits }) : undefined;
      default:
        return undefined;
    }
  }

  /** Memory is read in the order of the processors we lift: the low byte first. */
  function loadAt(address: Expr, offset: number, bits: number): Expr {
    return { kind: "load", bits, address: make("add", address.bits, [address, constant(address.bits, offset)]) };
  }

  function ofExtension(a: Op, x: Expr, { from, bits }: Range): Expr | undefined {
    if (from >= x.bits) return constant(bits, 0);
    if (from + bits <= x.bits) return extract(x, from, bits);
    // Other widths are none of a type: what is cut off has to stay visible.
    return widthsOfTypes.has(x.bits - from) ? zext(extract(x, from, x.bits - from), bits) : undefined;
  }

  function ofConcat(high: Expr, low: Expr, { from, bits }: Range): Expr | undefined {
    if (from >= low.bits) return extract(high, from - low.bits, bits);
    if (from + bits <= low.bits) return extract(low, from, bits);
    return undefined;
  }

  function ofInsert(a: Op, base: Expr, { value, from, bits }: Range & { readonly value: Expr }): Expr | undefined {
    const end = a.imm + value.bits;
    if (from >= a.imm && from + bits <= end) return extract(value, from - a.imm, bits);
    if (from >= end || from + bits <= a.imm) return extract(base, from, bits);
    if (from <= a.imm && from + bits >= end) return make("insert", bits, [extract(base, from, bits), value], { imm: a.imm - from });
    return undefined;
  }

  function ofShift(a: Op, x: Expr, { count, from, bits }: Range & { readonly count: Expr }): Expr | undefined {
    if (count.kind !== "const") return undefined;
    const by = Number(count.value);
    if (a.op === "shl") {
      if (from >= by) return extract(x, from - by, bits);
      if (from + bits <= by) return constant(bits, 0);
      return from === 0 ? make("shl", bits, [extract(x, 0, bits), constant(count.bits, by)]) : undefined;
    }
    if (from + by + bits <= a.bits) return extract(x, from + by, bits);
    return undefined;
  }

  /** One lane, or a part of one, of an operation that works on each lane by itself. */
  function ofLanes(a: Op, { from, bits }: Range): Expr | undefined {
    const found = laneOperation(a.name);
    if (found === undefined || Math.floor(from / found.lane) !== Math.floor((from + bits - 1) / found.lane)) return undefined;
    const start = Math.floor(from / found.lane) * found.lane;
    const args = a.args.map((arg) => extract(arg, start, found.lane));
    const whole = rearranged(a, found, start);
    if (whole !== undefined) return extract(whole, from - start, bits);
    const scalar = lanewise[found.kind];
    if (scalar !== undefined) return extract(make(scalar, found.lane, args, { imm: a.imm }), from - start, bits);
    const test = laneTests[found.kind];
    return test === undefined ? undefined : extract(sext(make(test, 1, args), found.lane), from - start, bits);
  }

  /** The lane of a source that a copying operation puts there, made as wide as it says. */
  function rearranged(a: Op, { kind, lane }: LaneOperation, start: number): Expr | undefined {
    const [x] = a.args;
    if (x === undefined) return undefined;
    if (kind === "dup") return extract(x, a.imm * lane, lane);
    if (kind !== "widen_s" && kind !== "widen_u") return undefined;
    const narrow = extract(x, start / 2, lane / 2);
    return kind === "widen_s" ? sext(narrow, lane) : zext(narrow, lane);
  }

  /** Division of a value that was widened from the width that is taken. */
  function ofDivision(a: Op, x: Expr, { divisor, bits }: { readonly divisor: Expr; readonly bits: number }): Expr | undefined {
    if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) return undefined;
    const isSigned = a.op === "sdiv" || a.op === "srem";
    const dividend = isSigned ? unextendedSigned(x, bits) : unextended(x, bits);
    const by = isSigned ? unextendedSigned(divisor, bits) : unextended(divisor, bits);
    return dividend === undefined || by === undefined ? undefined : make(a.op, bits, [dividend, by]);
  }

  function unextended(expr: Expr, bits: number): Expr | undefined {
    if (expr.kind === "const") return expr.value >> BigInt(bits) === 0n ? constant(bits, expr.value) : undefined;
    if (expr.kind !== "op" || expr.op !== "zext") return undefined;
    const inner = expr.args[0];
    return inner !== undefined && inner.bits <= bits ? zext(inner, bits) : undefined;
  }

  function unextendedSigned(expr: Expr, bits: number): Expr | undefined {
    if (expr.kind === "const") return BigInt.asIntN(bits, expr.value) === BigInt.asIntN(expr.bits, expr.value) ? constant(bits, expr.value) : undefined;
    if (expr.kind !== "op") return undefined;
    const [x, y] = expr.args;
    if (x === undefined) return undefined;
    if (expr.op === "sext" && x.bits <= bits) return sext(x, bits);
    if (expr.op === "zext" && x.bits < bits) return zext(x, bits);
    // What `cdq` makes: the sign of the low half above it.
    if (expr.op === "concat" && y?.bits === bits && isSignOf(x, y)) return y;
    return undefined;
  }

  function isSignOf(high: Expr, low: Expr): boolean {
    if (high.kind === "op" && high.op === "sar" && high.args[1]?.kind === "const" && high.args[0] !== undefined) {
      return high.args[1].value >= BigInt(high.bits - 1) && same(high.args[0], low);
    }
    return false;
  }

  function simplifyInsert(expr: Op, base: Expr, value: Expr): Expr | undefined {
    const { imm, bits } = expr;
    if (imm === 0 && value.bits === bits) return value;
    // A second insert over the same bits hides the first.
    if (base.kind === "op" && base.op === "insert") {
      const [under, hidden] = base.args;
      if (under !== undefined && hidden !== undefined && base.imm >= imm && base.imm + hidden.bits <= imm + value.bits) {
        return make("insert", bits, [under, value], { imm });
      }
    }
    if (base.kind === "const" && imm === 0 && base.value >> BigInt(value.bits) === 0n) return zext(value, bits);
    if (base.kind === "op" && base.op === "zext" && imm === 0 && base.args[0] !== undefined && base.args[0].bits <= value.bits) return zext(value, bits);
    return bothHalves(expr, base, value);
  }

  function bothHalves({ imm, bits }: Op, base: Expr, value: Expr): Expr | undefined {
    if (base.kind === "op" && base.op === "zext" && imm > 0 && imm + value.bits === bits && base.args[0] !== undefined && base.args[0].bits <= imm) {
      return make("concat", bits, [value, zext(base.args[0], imm)]);
    }
    if (imm > 0 && imm + value.bits === bits) return make("concat", bits, [value, extract(base, 0, imm)]);
    if (imm === 0 && base.kind === "op" && base.op === "concat") {
      const [high, low] = base.args;
      if (high !== undefined && low !== undefined && low.bits === value.bits) return make("concat", bits, [high, value]);
    }
    return undefined;
  }

  return { simplifyExtract, simplifyInsert };
}
