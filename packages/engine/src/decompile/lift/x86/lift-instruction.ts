import { constant, type Expr } from "../../../ir/expression.js";
import { make } from "../../../ir/simplify.js";
import { bitRules } from "./bits.js";
import { conditionOf } from "./conditions.js";
import { undefinedFlags } from "./flags.js";
import { integerRules } from "./integer.js";
import type { Machine } from "./machine.js";
import { packedRules } from "./sse-packed.js";
import { scalarRules } from "./sse-scalar.js";
import { liftCompareExchange, liftExchangeAdd, liftLocked, liftString } from "./strings-and-locks.js";
import { placeBits } from "./x86-places.js";

const nothing = new Set(["nop", "endbr64", "endbr32", "pause", "prefetcht0", "prefetcht1", "prefetcht2", "prefetchnta", "prefetchw", "vzeroupper", "vzeroall", "sfence", "lfence", "mfence", "emms", "cld"]);
const stringForm = /^(movs|stos|lods|scas|cmps)([bwdq])$/;
const stringBytes: Readonly<Record<string, number>> = { b: 1, w: 2, d: 4, q: 8 };

/** Lifts the machine's instruction, control flow excepted. What has no rule becomes a named operation with all its operands. */
export function liftInstruction(m: Machine, mnemonic: string): void {
  m.isVex = false;
  if (nothing.has(mnemonic)) return;
  if ((m.instruction.hasLockPrefix || mnemonic === "xchg") && liftLocked(m, mnemonic)) return;
  const string = stringForm.exec(mnemonic);
  if (string !== null && isString(m) && liftString(m, string[1] ?? "", stringBytes[string[2] ?? ""] ?? 1)) return;
  const rule = integerRules.get(mnemonic) ?? bitRules.get(mnemonic) ?? scalarRules.get(mnemonic) ?? packedRules.get(mnemonic);
  if (rule !== undefined && !isForeign(m)) rule(m);
  else if (!liftConditional(m, mnemonic) && !liftVex(m, mnemonic)) liftOther(m, mnemonic);
}

function isString(m: Machine): boolean {
  return m.instruction.isStringInstruction;
}

/** Operands in registers that are not modelled: MMX, masks, the 512-bit vectors. */
function isForeign(m: Machine): boolean {
  for (let operand = 0; operand < m.operands; operand += 1) if (m.isRegister(operand) && m.part(operand) === undefined) return true;
  return false;
}

function liftConditional(m: Machine, mnemonic: string): boolean {
  if (mnemonic === "xadd") liftExchangeAdd(m);
  else if (mnemonic === "cmpxchg") liftCompareExchange(m);
  else if (mnemonic.startsWith("set")) {
    const condition = conditionOf(m, mnemonic.slice(3));
    if (condition === undefined) return false;
    m.write(0, make("zext", 8, [condition]));
  } else if (mnemonic.startsWith("cmov")) {
    const condition = conditionOf(m, mnemonic.slice(4));
    if (condition === undefined) return false;
    const bits = m.bits(0);
    m.write(0, make("select", bits, [condition, m.let(m.read(1, bits)), m.read(0)]));
  } else return false;
  return true;
}

/** Forms of AVX that do what the older form does, with the target apart. */
function liftVex(m: Machine, mnemonic: string): boolean {
  if (!mnemonic.startsWith("v") || isForeign(m)) return false;
  const plain = mnemonic.slice(1);
  const rule = scalarRules.get(plain) ?? packedRules.get(plain);
  const isWide = m.part(0)?.wide === true || m.part(1)?.wide === true;
  if (rule === undefined || (isWide && !byLanes.has(plain) && !/^(padd|psub|pcmp|pmul|pm(in|ax)|psll|psrl|psra|unpck|punpck|pack|pshuf|shuf|(add|sub|mul|div|min|max|and|andn|or|xor|mova|movu|sqrt)p)/.test(plain))) return false;
  m.isVex = true;
  rule(m);
  return true;
}

const byLanes = new Set(["pand", "por", "pxor", "pandn", "movdqa", "movdqu"]);

/** A named operation over all operands; what it writes is taken from it or becomes unknown. */
function liftOther(m: Machine, mnemonic: string): void {
  const args: Expr[] = [];
  for (let operand = 0; operand < m.operands; operand += 1) {
    if (m.isMemory(operand)) args.push(m.address());
    else if (!m.isRegister(operand)) args.push(constant(64, immediateOf(m, operand)));
    else args.push(otherRegister(m, operand));
  }
  const target = m.part(0);
  const bits = target === undefined ? 0 : Math.min(128, target.bits);
  const result = m.effect(mnemonic, args, bits);
  if (target !== undefined) m.writePart(target, result);
  clobber(m, target?.place);
}

function immediateOf(m: Machine, operand: number): bigint {
  const kind = m.instruction.opKind(operand);
  const { OpKind } = m.names.iced;
  return kind >= OpKind.Immediate8 && kind <= OpKind.Immediate32to64 ? m.instruction.immediate(operand) : 0n;
}

function otherRegister(m: Machine, operand: number): Expr {
  const part = m.part(operand);
  return part === undefined ? constant(64, m.instruction.opRegister(operand)) : m.readPart(part, Math.min(128, part.bits));
}

/** Registers that the decoder says are written beside the target. */
function clobber(m: Machine, target: number | undefined): void {
  const { iced, parts } = m.names;
  const factory = new iced.InstructionInfoFactory();
  const info = factory.info(m.instruction);
  const writes = [iced.OpAccess.Write, iced.OpAccess.ReadWrite, iced.OpAccess.CondWrite, iced.OpAccess.ReadCondWrite];
  for (const used of info.usedRegisters()) {
    if (!(used instanceof iced.UsedRegister)) continue;
    const part = parts.get(used.register);
    if (part !== undefined && part.place !== target && writes.includes(used.access)) m.set(part.place, m.unknown(placeBits(part.place)));
    used.free();
  }
  info.free();
  factory.free();
  if (m.instruction.rflagsModified !== 0) undefinedFlags(m);
}

