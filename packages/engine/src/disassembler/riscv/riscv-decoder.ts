import { referenceCode } from "../disassembler.js";
import { flow } from "../flow.js";
import { RunDecoder } from "../run-decoder.js";
import { branchOffset, jumpOffset, memoryOffset, smallImmediate, writtenRegister } from "./compressed.js";

const opcode = { load: 0x03, loadFloat: 0x07, immediate: 0x13, auipc: 0x17, store: 0x23, storeFloat: 0x27, lui: 0x37, branch: 0x63, jalr: 0x67, jal: 0x6f, system: 0x73 } as const;
const nop = 0x13;
/** ra, t0 to t2, a0 to a7, t3 to t6 (RISC-V ELF psABI, "Integer Register Convention"). */
const callerSaved = 0xf003fce2;

/** RV64 with compressed instructions (The RISC-V Instruction Set Manual, volume I): control flow and addresses. */
export class RiscvDecoder extends RunDecoder {
  decode(offset: number): boolean {
    if (offset + 2 > this.size) return false;
    const half = this.view.getUint16(offset, true);
    this.reset();
    this.length = 2;
    if ((half & 3) !== 3) return this.#compressed(half, offset);
    this.length = 4;
    if ((half & 0x1f) === 0x1f || offset + 4 > this.size) return false;
    return this.#whole(this.view.getUint32(offset, true), offset);
  }

  /** The stack pointer is lowered first. */
  startsFunction(offset: number): boolean {
    if (!this.decode(offset)) return false;
    if (this.length === 2) {
      const half = this.view.getUint16(offset, true);
      return ((half & 0xef83) === 0x6101 || (half & 0xef83) === 0x0101) && ((half >>> 12) & 1) === 1;
    }
    const word = this.view.getUint32(offset, true);
    return (word & 0x000fffff) === 0x00010113 && word >>> 31 === 1;
  }

  #compressed(half: number, offset: number): boolean {
    const at = this.code.start + offset;
    const quadrant = half & 3;
    const fn = half >>> 13;
    if (half === 0) return false;
    if (half === 1) this.flow = flow.padding;
    else if (quadrant === 1 && fn === 5) this.#direct(flow.jump, at + jumpOffset(half), 0);
    else if (quadrant === 1 && fn >= 6) this.#direct(flow.conditionalJump, at + branchOffset(half), 1);
    else if (quadrant === 2 && fn === 4 && ((half >>> 2) & 31) === 0) this.#compressedRegister(half, offset);
    return true;
  }

  #compressedRegister(half: number, offset: number): void {
    const register = (half >>> 7) & 31;
    const link = ((half >>> 12) & 1) === 1;
    if (register === 0) {
      if (link) this.flow = flow.trap;
    } else this.#indirect(link, register, 0, offset);
  }

  #whole(word: number, offset: number): boolean {
    const at = this.code.start + offset;
    switch (word & 0x7f) {
      case opcode.jal:
        this.#direct(links((word >>> 7) & 31) ? flow.call : flow.jump, at + jalOffset(word), ((word >>> 7) & 31) > 1 ? 1 : 0);
        return true;
      case opcode.jalr:
        this.#indirect(links((word >>> 7) & 31), (word >>> 15) & 31, word >> 20, offset);
        return ((word >>> 12) & 7) === 0;
      case opcode.branch:
        this.#direct(flow.conditionalJump, at + conditionalOffset(word), branchOperand(word));
        return ((word >>> 13) & 3) !== 1;
      case opcode.system:
        this.flow = systemFlow(word);
        return true;
      default:
        if (word === nop) this.flow = flow.padding;
        return true;
    }
  }

  #direct(kind: number, target: number, operand: number): void {
    this.flow = kind;
    this.target = target;
    this.targetOperand = operand;
  }

  /** `jalr`: behind an `auipc` of its register the target is fixed, behind a load through one its cell is. */
  #indirect(link: boolean, register: number, displacement: number, offset: number): void {
    const page = this.#auipcBefore(offset, register);
    if (page !== undefined) this.#direct(link ? flow.call : flow.jump, page + displacement, 0);
    else if (!link && links(register)) this.flow = flow.return;
    else {
      this.flow = link ? flow.indirectCall : flow.indirectJump;
      if (displacement === 0) this.slot = this.#cellLoadedBefore(offset, register);
    }
  }

  /** What an `auipc` that stands right before sets the register to. */
  #auipcBefore(offset: number, register: number): number | undefined {
    if (offset < 4) return undefined;
    const word = this.view.getUint32(offset - 4, true);
    if ((word & 0xfff) !== (opcode.auipc | (register << 7))) return undefined;
    return this.code.start + offset - 4 + upper(word);
  }

  #cellLoadedBefore(offset: number, register: number): number {
    if (offset < 8) return -1;
    const load = this.view.getUint32(offset - 4, true);
    if ((load & 0x7fff) !== (opcode.load | (register << 7) | (3 << 12))) return -1;
    const page = this.#auipcBefore(offset - 4, (load >>> 15) & 31);
    return page === undefined ? -1 : page + (load >> 20);
  }

  protected fold(offset: number): void {
    if (this.slot >= 0) this.refer(this.slot, referenceCode.read, 0);
    if (this.length === 2) this.#foldCompressed(this.view.getUint16(offset, true));
    else this.#foldWhole(this.view.getUint32(offset, true), this.code.start + offset);
    if (this.flow === flow.call || this.flow === flow.indirectCall) this.values.forgetMask(callerSaved);
  }

  #foldWhole(word: number, at: number): void {
    const destination = (word >>> 7) & 31;
    const base = this.values.get((word >>> 15) & 31);
    switch (word & 0x7f) {
      case opcode.auipc:
        return this.values.set(destination, at + upper(word));
      case opcode.lui:
        return this.values.set(destination, this.absolute(BigInt(upper(word))));
      case opcode.immediate:
        return this.#addImmediate(word, base);
      case opcode.load:
      case opcode.loadFloat:
        if (base !== undefined) this.refer(base + (word >> 20), referenceCode.read, 1);
        if ((word & 0x7f) === opcode.load) this.values.forget(destination);
        return;
      case opcode.store:
      case opcode.storeFloat:
        if (base !== undefined) this.refer(base + (((word >> 25) << 5) | destination), referenceCode.write, 1);
        return;
      case opcode.branch:
        return;
      default:
        return this.values.forget(destination);
    }
  }

  #addImmediate(word: number, base: number | undefined): void {
    const value = base === undefined || ((word >>> 12) & 7) !== 0 ? undefined : base + (word >> 20);
    this.values.set((word >>> 7) & 31, value);
    if (value !== undefined) this.refer(value, referenceCode.address, 2);
  }

  #foldCompressed(half: number): void {
    const fn = half >>> 13;
    const full = (half >>> 7) & 31;
    if ((half & 3) === 0 && (fn & 3) !== 0) {
      const base = this.values.get(8 + ((half >>> 7) & 7));
      if (base !== undefined) this.refer(base + memoryOffset(half), fn >= 4 ? referenceCode.write : referenceCode.read, 1);
    } else if ((half & 3) === 1 && fn === 0 && full !== 0) {
      const base = this.values.get(full);
      const value = base === undefined ? undefined : base + smallImmediate(half);
      this.values.set(full, value);
      if (value !== undefined) this.refer(value, referenceCode.address, 1);
      return;
    } else if ((half & 3) === 1 && fn === 3 && full > 2) {
      return this.values.set(full, this.absolute(BigInt(smallImmediate(half) * 4096)));
    } else if ((half & 0xf003) === 0x8002 && ((half >>> 2) & 31) !== 0) {
      return this.values.set(full, this.values.get((half >>> 2) & 31));
    }
    this.values.forget(writtenRegister(half));
  }
}

/** ra and t0 hold return addresses; a jump that keeps another register is no call (as in procedure linkage tables). */
function links(register: number): boolean {
  return register === 1 || register === 5;
}

/** The upper constant in bytes, signed. */
function upper(word: number): number {
  return word & ~0xfff;
}

function jalOffset(word: number): number {
  return ((word >> 31) << 20) | (word & 0xff000) | (((word >>> 20) & 1) << 11) | (((word >>> 21) & 0x3ff) << 1);
}

function conditionalOffset(word: number): number {
  return ((word >> 31) << 12) | (((word >>> 7) & 1) << 11) | (((word >>> 25) & 0x3f) << 5) | (((word >>> 8) & 15) << 1);
}

/** Comparisons with zero are shown without it. */
function branchOperand(word: number): number {
  const fn = (word >>> 12) & 7;
  if (((word >>> 20) & 31) === 0) return fn < 6 ? 1 : 2;
  return ((word >>> 15) & 31) === 0 && (fn === 4 || fn === 5) ? 1 : 2;
}

/** `ebreak` and `unimp` trap, `mret` and `sret` return; `ecall` and the rest go on. */
function systemFlow(word: number): number {
  if (word === 0x00100073 || word >>> 0 === 0xc0001073) return flow.trap;
  return word === 0x30200073 || word === 0x10200073 ? flow.return : flow.sequential;
}
