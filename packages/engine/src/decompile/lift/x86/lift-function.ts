import type { Decoder, Instruction } from "iced-x86";
import { constant, read, type Expr } from "../../../ir/expression.js";
import { make } from "../../../ir/simplify.js";
import type { CallTarget, Ending, LiftedBlock, SwitchCase } from "../../../ir/statement.js";
import type { BasicBlock } from "../../../program.js";
import type { LiftContext } from "../lift-context.js";
import type { LiftedFunction } from "../lifted-function.js";
import { conditionOf } from "./conditions.js";
import { liftInstruction } from "./lift-instruction.js";
import { Machine, type X86Names } from "./machine.js";

/** Lifts the blocks of one function of 64-bit code. */
export function liftX86Function(names: X86Names, blocks: readonly BasicBlock[], entry: number, context: LiftContext): LiftedFunction {
  const lifter = new FunctionLifter(names, blocks, context);
  try {
    return lifter.lift(entry);
  } finally {
    lifter.close();
  }
}

class FunctionLifter {
  readonly #names: X86Names;
  readonly #blocks: readonly BasicBlock[];
  readonly #context: LiftContext;
  readonly #instruction: Instruction;
  readonly #machine: Machine;
  readonly #starts: ReadonlySet<number>;

  constructor(names: X86Names, blocks: readonly BasicBlock[], context: LiftContext) {
    this.#names = names;
    this.#blocks = blocks;
    this.#context = context;
    this.#instruction = new names.iced.Instruction();
    this.#machine = new Machine(names, this.#instruction, context.base);
    this.#starts = new Set(blocks.map(({ start }) => start));
  }

  close(): void {
    this.#instruction.free();
  }

  lift(entry: number): LiftedFunction {
    const first = this.#blocks.filter(({ start }) => start === entry);
    const others = this.#blocks.filter(({ start }) => start !== entry);
    const blocks = [...first, ...others].map((block) => this.#block(block));
    const named = new Set<string>();
    for (const { steps } of blocks) for (const step of steps) if (step.kind === "effect" && !/^(rep|atomic_)/.test(step.name)) named.add(step.name);
    return { entry, blocks, named };
  }

  #block(block: BasicBlock): LiftedBlock {
    this.#context.checkpoint();
    const bytes = this.#context.bytes(block.start, block.end - block.start);
    const decoder = new this.#names.iced.Decoder(64, bytes, this.#names.iced.DecoderOptions.None);
    decoder.ip = BigInt(block.start);
    const m = this.#machine;
    m.steps.length = 0;
    let ending: Ending | undefined;
    try {
      while (ending === undefined && decoder.canDecode) ending = this.#next(decoder);
    } finally {
      decoder.free();
    }
    return { start: block.start, steps: m.steps.slice(), ending: ending ?? this.#fallthrough(block) };
  }

  #next(decoder: Decoder): Ending | undefined {
    const m = this.#machine;
    decoder.decodeOut(this.#instruction);
    const at = Number(this.#instruction.ip);
    m.at = at;
    if (this.#instruction.code === 0) return { kind: "stop", at, how: "undecodable bytes" };
    const mnemonic = this.#names.mnemonics.get(this.#instruction.mnemonic) ?? "unknown";
    const end = at + this.#instruction.length;
    if (mnemonic === "call") return this.#call(at, end);
    if (mnemonic === "jmp") return this.#jump(at);
    if (mnemonic === "ret") return { kind: "return", at };
    if (mnemonic === "ud2" || mnemonic === "hlt" || mnemonic === "int3" || mnemonic === "int1" || mnemonic === "ud1") return { kind: "stop", at, how: mnemonic };
    if (mnemonic.startsWith("j")) return this.#conditional(mnemonic, at, end);
    liftInstruction(m, mnemonic);
    return undefined;
  }

  #call(at: number, end: number): Ending | undefined {
    const target = this.#target();
    // A call of the next instruction only asks where it is.
    if (target.kind === "direct" && target.rva === end) {
      this.#machine.effect("call_next", []);
      return undefined;
    }
    this.#machine.steps.push({ kind: "call", at, target });
    return target.kind === "direct" && this.#context.isNoReturn(target.rva) ? { kind: "stop", at, how: "" } : undefined;
  }

  #target(): CallTarget {
    const m = this.#machine;
    const { OpKind } = this.#names.iced;
    if (this.#instruction.opKind(0) === OpKind.NearBranch64) return { kind: "direct", rva: Number(this.#instruction.nearBranchTarget) };
    return { kind: "indirect", address: m.read(0, 64) };
  }

  #jump(at: number): Ending {
    const known = this.#context.switchAt(at);
    const target = this.#target();
    if (target.kind === "direct") return this.#starts.has(target.rva) ? { kind: "jump", to: target.rva } : { kind: "tail", at, target };
    if (known === undefined) return { kind: "tail", at, target };
    // Cases are by target address until the selector is understood.
    const cases = new Map<bigint, SwitchCase>();
    for (const to of known.targets) cases.set(this.#context.base + BigInt(to), { value: this.#context.base + BigInt(to), to });
    return { kind: "switch", at, selector: this.#machine.let(target.address), cases: [...cases.values()], otherwise: undefined };
  }

  #conditional(mnemonic: string, at: number, end: number): Ending {
    const condition = this.#condition(mnemonic);
    const then = Number(this.#instruction.nearBranchTarget);
    if (condition === undefined) return { kind: "stop", at, how: mnemonic };
    return { kind: "branch", at, condition, then, otherwise: end };
  }

  #condition(mnemonic: string): Expr | undefined {
    const m = this.#machine;
    if (mnemonic === "jrcxz") return make("eq", 1, [read(1, 64), constant(64, 0)]);
    if (mnemonic === "jecxz") return make("eq", 1, [make("extract", 32, [read(1, 64)]), constant(32, 0)]);
    return conditionOf(m, mnemonic.slice(1));
  }

  #fallthrough({ end }: BasicBlock): Ending {
    return this.#starts.has(end) ? { kind: "jump", to: end } : { kind: "stop", at: end, how: "control runs out of the function" };
  }
}

