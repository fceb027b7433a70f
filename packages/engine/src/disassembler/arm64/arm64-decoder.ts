import { referenceCode, type CodeBytes, type InstructionDecoder } from "../disassembler.js";
import { flow } from "../flow.js";
import { ReferenceBuffer } from "../reference-buffer.js";
import { RegisterValues } from "./register-values.js";

const nop = 0xd503201f;
const pageBytes = 4096;

/**
 * The A64 encodings that carry control flow or addresses (Arm Architecture Reference Manual, "A64 instruction set
 * encoding"); every other allocated word is sequential. Instructions are little-endian words of four bytes.
 */
export class Arm64Decoder implements InstructionDecoder {
  readonly length = 4;
  readonly delay = 0;
  flow = 0;
  target = -1;
  targetOperand = 0;
  readonly slot = -1;
  readonly #view: DataView;
  readonly #start: number;
  readonly #end: number;
  readonly #references = new ReferenceBuffer();
  readonly registers = new RegisterValues();
  #word = 0;

  constructor(code: CodeBytes) {
    this.#view = new DataView(code.bytes.buffer, code.bytes.byteOffset, code.bytes.byteLength);
    this.#start = code.start;
    this.#end = code.bytes.byteLength - 4;
  }

  decode(offset: number): boolean {
    if (offset > this.#end || offset % 4 !== 0) return false;
    const word = this.#view.getUint32(offset, true);
    this.#word = word;
    this.flow = flow.sequential;
    this.target = -1;
    this.targetOperand = 0;
    const group = (word >>> 25) & 0xf;
    if ((group & 0b1110) === 0b1010) this.#branchOrSystem(word, this.#start + offset);
    else if (group === 0) return this.#reserved(word);
    else return group !== 0b0001 && group !== 0b0011;
    return true;
  }

  startsFunction(): boolean {
    return true;
  }

  /** `stp …, [sp, #-n]!`, `str …, [sp, #-n]!`, `sub sp, sp, #n`, and the markers of branch protection. */
  opensFrame(offset: number): boolean {
    if (!this.decode(offset)) return false;
    const word = this.#word;
    const pushesPair = (word & 0xffc003e0) >>> 0 === 0xa98003e0 && ((word >>> 21) & 1) === 1;
    const pushesOne = (word & 0xffe00fe0) >>> 0 === 0xf8000fe0 && ((word >>> 20) & 1) === 1;
    return pushesPair || pushesOne || (word & 0xff8003ff) >>> 0 === 0xd10003ff || opensProtected(word);
  }

  begin(): void {
    this.registers.clear();
  }

  scan(offset: number): boolean {
    this.#references.count = 0;
    if (!this.decode(offset)) return false;
    this.#addresses(this.#word, this.#start + offset);
    return true;
  }

  get referenceCount(): number {
    return this.#references.count;
  }

  referenceTo(index: number): number {
    return this.#references.to(index);
  }

  referenceKind(index: number): number {
    return this.#references.kind(index);
  }

  referenceOperand(index: number): number {
    return this.#references.operand(index);
  }

  close(): void {
    // Holds nothing outside the JavaScript heap.
  }

  /** `udf` is a trap; the rest of the group without bit 31 (SME has it) is not allocated. */
  #reserved(word: number): boolean {
    if (word >>> 31 === 1) return true;
    this.flow = flow.trap;
    return word >>> 16 === 0;
  }

  #branchOrSystem(word: number, at: number): void {
    const top = word >>> 26;
    if (top === 0b000101 || top === 0b100101) {
      this.flow = top === 0b000101 ? flow.jump : flow.call;
      this.target = at + ((word << 6) >> 6) * 4;
    } else if (word >>> 24 === 0x54 || (word & 0x7e000000) === 0x34000000) {
      this.flow = flow.conditionalJump;
      this.targetOperand = word >>> 24 === 0x54 ? 0 : 1;
      this.target = at + ((word << 8) >> 13) * 4;
    } else if ((word & 0x7e000000) === 0x36000000) {
      this.flow = flow.conditionalJump;
      this.targetOperand = 2;
      this.target = at + ((word << 13) >> 18) * 4;
    } else if (word >>> 25 === 0b1101011) this.flow = registerBranch(word);
    else if (word >>> 24 === 0xd4) this.flow = exceptionFlow(word);
    else if (word === nop) this.flow = flow.padding;
  }

  #addresses(word: number, at: number): void {
    if ((word & 0x1f000000) === 0x10000000) this.#pcRelative(word, at);
    else if ((word & 0xff800000) >>> 0 === 0x91000000) this.#addImmediate(word);
    else if ((word & 0x3b000000) === 0x18000000) this.#literal(word, at);
    else {
      if ((word & 0x3b000000) === 0x39000000) this.#memoryOffset(word);
      this.registers.overwrite(word);
    }
  }

  /** `adr` names an address; `adrp` a page, which the `add` or load after it completes. */
  #pcRelative(word: number, at: number): void {
    const offset = ((word << 8) >> 13) * 4 + ((word >>> 29) & 3);
    const page = word >>> 31 === 1;
    const value = page ? (Math.floor(at / pageBytes) + offset) * pageBytes : at + offset;
    this.registers.set(word & 31, value);
    if (!page) this.#references.add(value, referenceCode.address, 1);
  }

  #addImmediate(word: number): void {
    const base = this.registers.get((word >>> 5) & 31);
    const immediate = ((word >>> 10) & 0xfff) * ((word >>> 22) & 1 ? 4096 : 1);
    this.registers.overwrite(word);
    if (base < 0) return;
    this.registers.set(word & 31, base + immediate);
    this.#references.add(base + immediate, referenceCode.address, 2);
  }

  #literal(word: number, at: number): void {
    this.#references.add(at + ((word << 8) >> 13) * 4, referenceCode.read, 1);
    this.registers.overwrite(word);
  }

  /** Load or store with an unsigned offset, scaled by the access size. */
  #memoryOffset(word: number): void {
    const base = this.registers.get((word >>> 5) & 31);
    if (base < 0) return;
    const vector = (word >>> 26) & 1;
    const opcode = (word >>> 22) & 3;
    const size = word >>> 30;
    const scale = vector === 1 && opcode >= 2 && size === 0 ? 4 : size;
    const prefetch = vector === 0 && size === 3 && opcode === 2;
    const load = vector === 1 ? (opcode & 1) === 1 : opcode !== 0;
    const kind = prefetch ? referenceCode.address : load ? referenceCode.read : referenceCode.write;
    this.#references.add(base + ((word >>> 10) & 0xfff) * 2 ** scale, kind, 1);
  }
}

/** `paciasp`, `pacibsp`, `bti c`, `bti jc`. */
function opensProtected(word: number): boolean {
  return word === 0xd503233f || word === 0xd503237f || word === 0xd503245f || word === 0xd50324df;
}

/** BR, BLR, RET, ERET and their pointer-authenticating forms. */
function registerBranch(word: number): number {
  switch ((word >>> 21) & 7) {
    case 0:
      return flow.indirectJump;
    case 1:
      return flow.indirectCall;
    case 2:
    case 4:
      return flow.return;
    default:
      return flow.sequential;
  }
}

/** `svc`, `hvc`, `smc` come back; `brk` and `hlt` do not. */
function exceptionFlow(word: number): number {
  const opcode = (word >>> 21) & 7;
  if (opcode === 1) return flow.trap;
  return opcode === 2 ? flow.halt : flow.sequential;
}
