import { constant, type Expr } from "../../../ir/expression.js";
import { extract } from "../../../ir/simplify.js";
import type { DescribedInstruction } from "../lift-context.js";
import type { A64Machine } from "./a64-machine.js";
import { flagNames, vectorBase } from "./places.js";

interface Register {
  readonly number: number;
  readonly bits: number;
  readonly isVector: boolean;
}

const general = /^([xw])(\d+|zr)$/;
const vector = /^([vqdshb])(\d+)(?:\.|$)/;
const vectorBits: Readonly<Record<string, number>> = { v: 128, q: 128, d: 64, s: 32, h: 16, b: 8 };

function registerIn(text: string): Register | undefined {
  if (text === "sp" || text === "wsp") return { number: 31, bits: text === "sp" ? 64 : 32, isVector: false };
  const plain = general.exec(text);
  if (plain !== null) return plain[2] === "zr" ? undefined : { number: Number(plain[2]), bits: plain[1] === "x" ? 64 : 32, isVector: false };
  const wide = vector.exec(text);
  return wide === null ? undefined : { number: Number(wide[2]), bits: vectorBits[wide[1] ?? "v"] ?? 128, isVector: true };
}

/** Registers that an operand names, as of memory or of a list. */
function registersIn(text: string): Register[] {
  return (text.match(/[a-z]+\d*(?:\.\w+)?/g) ?? []).flatMap((part) => registerIn(part) ?? []);
}

function valueOf(m: A64Machine, { number, bits, isVector }: Register): Expr {
  if (isVector) return m.vector(number, bits === 16 || bits === 8 ? 32 : bits);
  return number === 31 ? m.generalOrSp(31, bits) : m.general(number, bits);
}

/**
 * An instruction that is only named: all its operands are passed, the first register it writes takes the result, and others
 * it writes become unknown.
 */
export function liftNamed(m: A64Machine, word: number, described: DescribedInstruction | undefined): void {
  if (described === undefined) {
    m.effect("instruction", [constant(32, word)]);
    return;
  }
  const args = described.operands.flatMap(({ text }) => {
    const registers = registersIn(text);
    const number = /#?(-?(?:0x[0-9a-f]+|\d+))$/.exec(text);
    if (registers.length === 0 && number !== null) return [constant(64, BigInt(number[1]?.startsWith("-") === true ? 0 : (number[1] ?? 0)))];
    return registers.map((register) => valueOf(m, register));
  });
  const written = described.operands.flatMap(({ text, access }) => (access?.includes("write") === true && !text.startsWith("[") ? registersIn(text) : []));
  const [first, ...others] = written;
  const name = described.mnemonic.replace(/[^A-Za-z0-9_]/g, "_");
  const result = m.effect(name, args, first === undefined ? 0 : first.isVector ? 128 : 64);
  if (first !== undefined) put(m, first, m.let(result));
  for (const register of others) put(m, register, m.unknown(register.isVector ? 128 : 64));
  if (/s$|cmp|tst/.test(name) && first === undefined) for (const flag of flagNames) m.setFlag(flag, m.unknown(1));
}

function put(m: A64Machine, { number, bits, isVector }: Register, value: Expr): void {
  if (isVector) m.set(vectorBase + number, value);
  else m.setGeneralOrSp(number, extract(value, 0, bits));
}
