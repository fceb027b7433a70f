import { referenceCode, type CodeBytes } from "../disassembler.js";
import { flow } from "../flow.js";
import { RunDecoder } from "../run-decoder.js";
import { decodeA32 } from "./a32.js";
import { ArmAddresses } from "./arm-addresses.js";
import { DecodedBranch } from "./decoded-branch.js";
import { instructionSet, type InstructionSets } from "./instruction-sets.js";
import { decodeT16, decodeT32, t32Length } from "./t32.js";

/**
 * A32 and T32 in one piece of code: control flow and addresses. Which of the two stands at an address follows from what the
 * file declares and, from there, from how control gets to it.
 */
export class ArmDecoder extends RunDecoder {
  /** True when the last decoded instruction is T32. */
  thumb = false;
  readonly #sets: InstructionSets;
  readonly #branch = new DecodedBranch();
  readonly #addresses: ArmAddresses;

  constructor(code: CodeBytes, sets: InstructionSets) {
    super(code);
    this.#sets = sets;
    this.#addresses = new ArmAddresses(code, this.view, sets, (to, kind, operand) => this.refer(to, kind, operand));
  }

  decode(offset: number): boolean {
    if (offset + 2 > this.size || offset % 2 !== 0) return false;
    const at = this.code.start + offset;
    this.reset();
    this.#branch.reset();
    this.thumb = this.#sets.settle(at) === instructionSet.t32;
    if (!(this.thumb ? this.#decodeThumb(offset, at) : this.#decodeArm(offset, at))) return false;
    this.flow = this.#branch.flow;
    this.target = this.#branch.target;
    this.targetOperand = this.#branch.operand;
    if (this.#branch.through) this.#goThrough(this.#branch.literal);
    this.#derive(at);
    return true;
  }

  /** The stack takes the return address. */
  startsFunction(offset: number): boolean {
    if (!this.decode(offset)) return false;
    const half = this.view.getUint16(offset, true);
    if (!this.thumb) return (this.view.getUint32(offset, true) & 0xffff4000) >>> 0 === 0xe92d4000;
    return (half & 0xff00) === 0xb500 || (half === 0xe92d && (this.view.getUint16(offset + 2, true) & 0x4000) !== 0);
  }

  override begin(): void {
    this.#addresses.begin();
  }

  #decodeArm(offset: number, at: number): boolean {
    this.length = 4;
    if (at % 4 !== 0 || offset + 4 > this.size) return false;
    decodeA32(this.view.getUint32(offset, true), at, this.#branch);
    return true;
  }

  #decodeThumb(offset: number, at: number): boolean {
    const half = this.view.getUint16(offset, true);
    this.length = t32Length(half);
    if (offset + this.length > this.size) return false;
    if (this.length === 2) decodeT16(half, at, this.#branch);
    else decodeT32(half, this.view.getUint16(offset + 2, true), at, this.#branch);
    const { flow: kind } = this.#branch;
    if (kind !== flow.sequential && kind !== flow.padding && this.#isConditional(offset)) this.#branch.makeConditional();
    return true;
  }

  /** True inside the block of an `it` instruction, which stands up to four instructions before. */
  #isConditional(offset: number): boolean {
    for (let back = 2; back <= 14 && back <= offset; back += 2) {
      const half = this.view.getUint16(offset - back, true);
      const mask = half & 15;
      if ((half & 0xff00) !== 0xbf00 || mask === 0 || !this.#sets.isThumbStart(this.code.start + offset - back)) continue;
      let count = 4 - Math.log2(mask & -mask);
      for (let next = offset - back + 2; count > 0 && next <= offset; count -= 1) {
        if (next === offset) return true;
        next += t32Length(this.view.getUint16(next, true));
      }
    }
    return false;
  }

  /** A jump through a constant beside the code: its target where the constant is a whole address, else its cell. */
  #goThrough(literal: number): void {
    const value = this.#addresses.wordAt(literal);
    const whole = value === undefined || this.flow !== flow.indirectJump ? undefined : this.absolute(BigInt(value));
    if (whole === undefined) {
      this.slot = literal;
      return;
    }
    this.flow = flow.jump;
    this.target = whole - (whole % 2);
    this.#sets.note(this.target, whole % 2 === 1 ? instructionSet.t32 : instructionSet.a32);
  }

  /** What is certain of this instruction is certain of where it leads, and of the constants it reads. */
  #derive(at: number): void {
    if (!this.#sets.isFirm(at)) return;
    const own = this.thumb ? instructionSet.t32 : instructionSet.a32;
    const other = this.thumb ? instructionSet.a32 : instructionSet.t32;
    if (this.target >= 0 && !this.#branch.through) this.#sets.note(this.target, this.#branch.switches ? other : own);
    if (!endsForGood(this.flow)) this.#sets.note(at + this.length, own);
    const { literal, literalBytes } = this.#branch;
    for (let offset = literal - this.code.start; offset < literal - this.code.start + literalBytes; offset += 1) {
      if (offset >= 0 && offset < this.size) this.code.data.add(offset);
    }
  }

  protected fold(offset: number): void {
    const at = this.code.start + offset;
    if (this.slot >= 0) this.refer(this.slot, referenceCode.read, 0);
    if (!this.thumb) this.#addresses.foldA32(this.view.getUint32(offset, true), at, this.#branch);
    else if (this.length === 2) this.#addresses.foldT16(this.view.getUint16(offset, true), at, this.#branch);
    else this.#addresses.foldT32(this.view.getUint16(offset, true), this.view.getUint16(offset + 2, true), at, this.#branch);
    if (this.flow === flow.call || this.flow === flow.indirectCall || this.flow === flow.conditionalCall) this.#addresses.afterCall();
  }
}

function endsForGood(kind: number): boolean {
  return kind === flow.jump || kind === flow.indirectJump || kind === flow.return || kind === flow.trap || kind === flow.halt;
}
