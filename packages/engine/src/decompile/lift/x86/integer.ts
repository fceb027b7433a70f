import { constant, read, type Expr, type OpName } from "../../../ir/expression.js";
import { extract, make, sext, zext } from "../../../ir/simplify.js";
import { addFlags, addOverflow, deriveFlags, logicFlags, restFlags, subtractFlags, subtractOverflow } from "./flags.js";
import type { Machine } from "./machine.js";
import { rbp, rsp } from "./x86-places.js";

type Rule = (m: Machine) => void;

const register = (m: Machine, place: number, bits: number): Expr => extract(read(place, 64), 0, bits);

function both(m: Machine): readonly [Expr, Expr] {
  return [m.let(m.read(0)), m.let(m.read(1, m.bits(0)))];
}

function logic(name: OpName): Rule {
  return (m) => {
    const [a, b] = both(m);
    const result = m.let(m.binary(name, a, b));
    m.write(0, result);
    logicFlags(m, result);
  };
}

const add: Rule = (m) => {
  const [a, b] = both(m);
  const result = m.let(m.binary("add", a, b));
  m.write(0, result);
  addFlags(m, [a, b], result);
};

const sub: Rule = (m) => {
  const [a, b] = both(m);
  const result = m.let(m.binary("sub", a, b));
  m.write(0, result);
  subtractFlags(m, [a, b], result);
};

const cmp: Rule = (m) => {
  const [a, b] = both(m);
  subtractFlags(m, [a, b], m.let(m.binary("sub", a, b)));
};

const test: Rule = (m) => {
  const [a, b] = both(m);
  logicFlags(m, m.let(m.binary("and", a, b)));
};

const adc: Rule = (m) => {
  const [a, b] = both(m);
  const first = m.let(m.binary("add", a, b));
  const result = m.let(m.binary("add", first, zext(m.flag("cf"), a.bits)));
  m.write(0, result);
  m.setFlag("cf", make("or", 1, [make("ult", 1, [first, a]), make("ult", 1, [result, first])]));
  m.setFlag("of", addOverflow([a, b], result));
  restFlags(m, result);
};

const sbb: Rule = (m) => {
  const [a, b] = both(m);
  const carry = m.let(zext(m.flag("cf"), a.bits));
  const first = m.let(m.binary("sub", a, b));
  const result = m.let(m.binary("sub", first, carry));
  m.write(0, result);
  m.setFlag("cf", make("or", 1, [make("ult", 1, [a, b]), make("ult", 1, [first, carry])]));
  m.setFlag("of", subtractOverflow([a, b], result));
  restFlags(m, result);
};

function step(name: "add" | "sub"): Rule {
  return (m) => {
    const a = m.let(m.read(0));
    const one = constant(a.bits, 1);
    const result = m.let(m.binary(name, a, one));
    m.write(0, result);
    m.setFlag("of", name === "add" ? addOverflow([a, one], result) : subtractOverflow([a, one], result));
    restFlags(m, result);
    if (name === "sub") m.setFlag("le", make("sle", 1, [a, one]));
    if (name === "sub") m.setFlag("l", make("slt", 1, [a, one]));
  };
}

const neg: Rule = (m) => {
  const a = m.let(m.read(0));
  const nothing = constant(a.bits, 0);
  const result = m.let(make("neg", a.bits, [a]));
  m.write(0, result);
  subtractFlags(m, [nothing, a], result);
};

const lea: Rule = (m) => {
  m.write(0, extract(m.address(), 0, m.bits(0)));
};

/** Two and three operand forms. */
const imul: Rule = (m) => {
  if (m.operands === 1) {
    multiplyWide(m, "sext");
    return;
  }
  const bits = m.bits(0);
  const a = m.let(m.operands === 3 ? m.read(1, bits) : m.read(0));
  const b = m.let(m.operands === 3 ? m.read(2, bits) : m.read(1, bits));
  const result = m.let(m.binary("mul", a, b));
  m.write(0, result);
  const whole = make("mul", bits * 2, [sext(a, bits * 2), sext(b, bits * 2)]);
  m.setFlag("cf", make("ne", 1, [whole, sext(result, bits * 2)]));
  m.setFlag("of", m.flag("cf"));
  restUnknown(m);
};

function restUnknown(m: Machine): void {
  for (const name of ["zf", "sf", "pf"] as const) m.setFlag(name, m.unknown(1));
  deriveFlags(m);
}

function multiplyWide(m: Machine, extend: "sext" | "zext"): void {
  const bits = m.bits(0);
  const a = register(m, 0, bits);
  const b = m.let(m.read(0));
  const widened = (value: Expr): Expr => make(extend, bits * 2, [value]);
  const whole = m.let(make("mul", bits * 2, [widened(a), widened(b)]));
  const low = m.let(extract(whole, 0, bits));
  writePair(m, bits, low, m.let(extract(whole, bits, bits)));
  m.setFlag("cf", make("ne", 1, [whole, make(extend, bits * 2, [low])]));
  m.setFlag("of", m.flag("cf"));
  restUnknown(m);
}

/** Low and high part into `rax` and `rdx`, or `al` and `ah`. */
function writePair(m: Machine, bits: number, low: Expr, high: Expr): void {
  if (bits === 8) {
    m.writePart({ place: 0, from: 0, bits: 16, wide: false }, make("concat", 16, [high, low]));
    return;
  }
  m.writePart({ place: 0, from: 0, bits, wide: false }, low);
  m.writePart({ place: 2, from: 0, bits, wide: false }, high);
}

function divide(quotient: "sdiv" | "udiv", remainder: "srem" | "urem"): Rule {
  return (m) => {
    const bits = m.bits(0);
    const whole = m.let(bits === 8 ? register(m, 0, 16) : make("concat", bits * 2, [register(m, 2, bits), register(m, 0, bits)]));
    const by = m.let(make(quotient === "sdiv" ? "sext" : "zext", bits * 2, [m.read(0)]));
    const low = m.let(extract(make(quotient, bits * 2, [whole, by]), 0, bits));
    const high = m.let(extract(make(remainder, bits * 2, [whole, by]), 0, bits));
    writePair(m, bits, low, high);
    for (const name of ["cf", "of"] as const) m.setFlag(name, m.unknown(1));
    restUnknown(m);
  };
}

/** The sign of `rax` in `rdx`. */
function signInto(bits: number): Rule {
  return (m) => {
    const value = make("sar", bits, [register(m, 0, bits), constant(8, bits - 1)]);
    m.writePart({ place: 2, from: 0, bits, wide: false }, value);
  };
}

function widen(bits: number): Rule {
  return (m) => {
    m.writePart({ place: 0, from: 0, bits, wide: false }, sext(register(m, 0, bits / 2), bits));
  };
}

function extend(name: "zext" | "sext"): Rule {
  return (m) => {
    m.write(0, make(name, m.bits(0), [m.read(1)]));
  };
}

const push: Rule = (m) => {
  const bits = 64;
  const value = m.let(m.isRegister(0) || m.isMemory(0) ? zext(m.read(0), bits) : m.immediate(0, bits));
  const top = m.let(make("sub", 64, [read(rsp, 64), constant(64, 8)]));
  m.set(rsp, top);
  m.store(top, value);
};

const pop: Rule = (m) => {
  const value = m.let({ kind: "load", bits: 64, address: read(rsp, 64) });
  m.set(rsp, make("add", 64, [read(rsp, 64), constant(64, 8)]));
  m.write(0, extract(value, 0, m.bits(0)));
};

const leave: Rule = (m) => {
  m.set(rsp, make("add", 64, [read(rbp, 64), constant(64, 8)]));
  m.set(rbp, m.let({ kind: "load", bits: 64, address: read(rbp, 64) }));
};

const xchg: Rule = (m) => {
  const a = m.let(m.read(0));
  const b = m.let(m.read(1));
  m.write(0, b);
  m.write(1, a);
};

const not: Rule = (m) => {
  m.write(0, make("not", m.bits(0), [m.read(0)]));
};

const bswap: Rule = (m) => {
  m.write(0, make("bswap", m.bits(0), [m.read(0)]));
};

const mov: Rule = (m) => {
  const bits = m.bits(0);
  m.write(0, m.isRegister(1) || m.isMemory(1) ? m.read(1, bits) : m.immediate(1, bits));
};

const flagsIntoAh: Rule = (m) => {
  const order = ["sf", "zf", "pf", "cf"] as const;
  const shifts = { sf: 7, zf: 6, pf: 2, cf: 0 };
  const value = order.reduce<Expr>((sum, name) => make("or", 8, [sum, make("shl", 8, [zext(m.flag(name), 8), constant(8, shifts[name])])]), constant(8, 2));
  m.writePart({ place: 0, from: 8, bits: 8, wide: false }, value);
};

const cmc: Rule = (m) => {
  m.setFlag("cf", make("xor", 1, [m.flag("cf"), constant(1, 1)]));
  deriveFlags(m);
};

function carry(value: 0 | 1): Rule {
  return (m) => {
    m.setFlag("cf", constant(1, value));
    deriveFlags(m);
  };
}

export const integerRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["mov", mov], ["movabs", mov], ["movnti", mov],
  ["add", add], ["sub", sub], ["cmp", cmp], ["test", test], ["adc", adc], ["sbb", sbb],
  ["and", logic("and")], ["or", logic("or")], ["xor", logic("xor")],
  ["inc", step("add")], ["dec", step("sub")], ["neg", neg], ["not", not],
  ["lea", lea], ["imul", imul], ["mul", (m) => { multiplyWide(m, "zext"); }],
  ["div", divide("udiv", "urem")], ["idiv", divide("sdiv", "srem")],
  ["cwd", signInto(16)], ["cdq", signInto(32)], ["cqo", signInto(64)],
  ["cbw", widen(16)], ["cwde", widen(32)], ["cdqe", widen(64)],
  ["movzx", extend("zext")], ["movsx", extend("sext")], ["movsxd", extend("sext")],
  ["push", push], ["pop", pop], ["leave", leave], ["xchg", xchg], ["bswap", bswap],
  ["lahf", flagsIntoAh], ["cmc", cmc], ["clc", carry(0)], ["stc", carry(1)],
]);

