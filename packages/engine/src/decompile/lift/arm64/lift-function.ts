import { constant, read, type Expr } from "../../../ir/expression.js";
import { extract, make, not1 } from "../../../ir/simplify.js";
import type { CallTarget, Ending, LiftedBlock, SwitchCase } from "../../../ir/statement.js";
import type { BasicBlock } from "../../../program.js";
import type { LiftContext } from "../lift-context.js";
import type { LiftedFunction } from "../lifted-function.js";
import { A64Machine, field, isSet, signedField } from "./a64-machine.js";
import { conditionOf } from "./flags.js";
import { isWideDifference, liftStackTaken } from "./data-register.js";
import { liftWord } from "./lift-word.js";
import { liftOutlinedAtomic } from "./outlined-atomics.js";

/** Lifts the blocks of one function of A64 code. */
export function liftArm64Function(blocks: readonly BasicBlock[], entry: number, context: LiftContext): LiftedFunction {
  return new FunctionLifter(blocks, context).lift(entry);
}

class FunctionLifter {
  readonly #blocks: readonly BasicBlock[];
  readonly #context: LiftContext;
  readonly #machine: A64Machine;
  readonly #starts: ReadonlySet<number>;

  constructor(blocks: readonly BasicBlock[], context: LiftContext) {
    this.#blocks = blocks;
    this.#context = context;
    this.#machine = new A64Machine(context.base);
    this.#starts = new Set(blocks.map(({ start }) => start));
  }

  lift(entry: number): LiftedFunction {
    const first = this.#blocks.filter(({ start }) => start === entry);
    const others = this.#blocks.filter(({ start }) => start !== entry);
    const blocks = [...first, ...others].map((block) => this.#block(block));
    const named = new Set<string>();
    for (const { steps } of blocks) for (const step of steps) if (step.kind === "effect" && !step.name.startsWith("atomic_")) named.add(step.name);
    return { entry, blocks, named };
  }

  #block(block: BasicBlock): LiftedBlock {
    this.#context.checkpoint();
    const bytes = this.#context.bytes(block.start, block.end - block.start);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const m = this.#machine;
    m.steps.length = 0;
    let ending: Ending | undefined;
    const taken = stackTaken(view);
    for (let offset = 0; ending === undefined && offset + 4 <= bytes.byteLength; offset += 4) {
      m.at = block.start + offset;
      const word = view.getUint32(offset, true);
      if (taken.has(offset)) liftStackTaken(m, word);
      else ending = this.#word(word, m.at);
    }
    return { start: block.start, steps: m.steps.slice(), ending: ending ?? this.#fallthrough(block) };
  }

  #word(word: number, at: number): Ending | undefined {
    if (word >>> 16 === 0) return { kind: "stop", at, how: "undefined instruction" };
    if (((word >>> 26) & 0b111) === 0b101) {
      const ending = this.#branch(word, at);
      if (ending !== "none") return ending === "sequential" ? undefined : ending;
    }
    liftWord(this.#machine, word, () => this.#context.described(at));
    return undefined;
  }

  /** `sequential` for what goes on behind it, `none` for words of the group that are no branches. */
  #branch(word: number, at: number): Ending | "sequential" | "none" {
    const next = at + 4;
    const kind = word >>> 26;
    if (kind === 0b000101) return this.#jump(at, at + signedField(word, 0, 26) * 4);
    if (kind === 0b100101) return this.#call(at, { kind: "direct", rva: at + signedField(word, 0, 26) * 4 });
    const near = at + signedField(word, 5, 19) * 4;
    if (word >>> 24 === 0x54 && !isSet(word, 4)) return this.#conditional(conditionOf(this.#machine, field(word, 0, 4)), at, { then: near, otherwise: next });
    if ((word & 0x7e000000) === 0x34000000) {
      const value = this.#machine.general(field(word, 0, 5), isSet(word, 31) ? 64 : 32);
      const isZero = make("eq", 1, [value, constant(value.bits, 0)]);
      return this.#conditional(isSet(word, 24) ? not1(isZero) : isZero, at, { then: near, otherwise: next });
    }
    if ((word & 0x7e000000) === 0x36000000) return this.#testBit(word, at);
    if ((word & 0xfe000000) >>> 0 === 0xd6000000) return this.#register(word, at);
    if ((word & 0xff000000) >>> 0 === 0xd4000000) return this.#exception(word, at);
    return "none";
  }

  #testBit(word: number, at: number): Ending {
    const bit = (field(word, 31, 1) << 5) | field(word, 19, 5);
    const value = this.#machine.general(field(word, 0, 5), 64);
    // The highest bit of a width is its sign.
    const isClear =
      bit === 63 || bit === 31
        ? not1(make("slt", 1, [extract(value, 0, bit + 1), constant(bit + 1, 0)]))
        : make("eq", 1, [make("and", 64, [value, constant(64, 1n << BigInt(bit))]), constant(64, 0)]);
    return this.#conditional(isSet(word, 24) ? not1(isClear) : isClear, at, { then: at + signedField(word, 5, 14) * 4, otherwise: at + 4 });
  }

  #conditional(condition: Expr, at: number, { then, otherwise }: { readonly then: number; readonly otherwise: number }): Ending {
    if (condition.kind === "const") return { kind: "jump", to: condition.value === 1n ? then : otherwise };
    return { kind: "branch", at, condition, then, otherwise };
  }

  #jump(at: number, to: number): Ending {
    return this.#starts.has(to) ? { kind: "jump", to } : { kind: "tail", at, target: { kind: "direct", rva: to } };
  }

  #call(at: number, target: CallTarget): Ending | "sequential" {
    if (target.kind === "direct" && liftOutlinedAtomic(this.#machine, this.#context.calledName(target.rva) ?? "")) return "sequential";
    this.#machine.steps.push({ kind: "call", at, target });
    return target.kind === "direct" && this.#context.isNoReturn(target.rva) ? { kind: "stop", at, how: "" } : "sequential";
  }

  /** Branches to a register; the forms that check a signature first go to the same place. */
  #register(word: number, at: number): Ending | "sequential" | "none" {
    const opcode = field(word, 21, 4) & 0b0111;
    const register = field(word, 5, 5);
    if (field(word, 16, 5) !== 31 || opcode > 2) return "none";
    if (opcode === 2) return { kind: "return", at };
    const address = this.#machine.let(read(register, 64));
    if (opcode === 1) return this.#call(at, { kind: "indirect", address });
    const known = this.#context.switchAt(at);
    if (known === undefined) return { kind: "tail", at, target: { kind: "indirect", address } };
    // Cases are by target address until the selector is understood.
    const cases = new Map<bigint, SwitchCase>();
    for (const to of known.targets) cases.set(this.#context.base + BigInt(to), { value: this.#context.base + BigInt(to), to });
    return { kind: "switch", at, selector: address, cases: [...cases.values()], otherwise: undefined };
  }

  #exception(word: number, at: number): Ending | "sequential" | "none" {
    const kind = field(word, 21, 3);
    if (kind === 0 && field(word, 0, 2) === 1) {
      const m = this.#machine;
      const args = [8, 0, 1, 2, 3, 4, 5].map((register) => m.general(register, 64));
      m.setGeneral(0, m.let(m.effect("system_call", args, 64)));
      return "sequential";
    }
    return kind === 1 || kind === 2 ? { kind: "stop", at, how: kind === 1 ? "brk" : "hlt" } : "none";
  }

  #fallthrough({ end }: BasicBlock): Ending {
    return this.#starts.has(end) ? { kind: "jump", to: end } : { kind: "stop", at: end, how: "control runs out of the function" };
  }
}

/** Instructions between a difference and its move to the stack pointer. */
const mostBetween = 16;

/** Offsets of differences that the same block makes the stack pointer. */
function stackTaken(view: DataView): ReadonlySet<number> {
  const found = new Set<number>();
  for (let offset = 0; offset + 4 <= view.byteLength; offset += 4) {
    const word = view.getUint32(offset, true);
    // MOV SP, Xn
    if ((word & 0xfffffc1f) >>> 0 !== 0x9100001f) continue;
    const register = field(word, 5, 5);
    for (let before = offset - 4; before >= Math.max(0, offset - 4 * mostBetween); before -= 4) {
      const other = view.getUint32(before, true);
      if (!isWideDifference(other) || field(other, 0, 5) !== register) continue;
      found.add(before);
      break;
    }
  }
  return found;
}
