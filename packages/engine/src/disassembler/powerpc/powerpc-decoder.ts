import { referenceCode, type CodeBytes } from "../disassembler.js";
import { flow } from "../flow.js";
import { RunDecoder } from "../run-decoder.js";

const nop = 0x60000000;
const trap = 0x7fe00008;
/** `bcl 20,31,$+4` reads the program counter. */
const readCounter = 0x429f0005;
const moveFromLink = 0x7c0802a6;
/** `bctr`, and `mtctr` without its register. */
const jumpToCount = 0x4e800420;
const moveToCount = 0x7c0903a6;
const tocRegister = 2;
/** r0, r3 to r12 (Power Architecture ABI supplements). */
const callerSaved = 0x1ff9;

export interface PowerpcCode {
  readonly little: boolean;
  readonly bits: 32 | 64;
  /** RVA that r2 points to in all code of the image. */
  readonly toc: number | undefined;
}

/**
 * Power ISA of 32 and 64 bits, prefixed instructions included (Power ISA, book I): control flow and addresses. Vector
 * instructions are sequential words.
 */
export class PowerpcDecoder extends RunDecoder {
  readonly #options: PowerpcCode;
  #link: number | undefined;

  constructor(code: CodeBytes, options: PowerpcCode) {
    super(code);
    this.#options = options;
  }

  decode(offset: number): boolean {
    if (offset + 4 > this.size || offset % 4 !== 0) return false;
    const word = this.#word(offset);
    const code = word >>> 26;
    this.reset();
    this.length = code === 1 ? 8 : 4;
    if (code === 1) return offset + 8 <= this.size;
    if (code === 0 || code === 5 || (code === 2 && this.#options.bits === 32)) return false;
    const at = this.code.start + offset;
    if (code === 18) this.#branch(word, at);
    else if (code === 16) this.#conditional(word, at);
    else if (code === 19) {
      this.flow = registerFlow(word);
      if (word === jumpToCount) this.slot = this.#cellBefore(offset);
    }
    else if (word === nop) this.flow = flow.padding;
    else if (word === trap) this.flow = flow.trap;
    return true;
  }

  /** The stack pointer is lowered, the return address fetched, or the table of contents found. */
  startsFunction(offset: number): boolean {
    if (offset + 4 > this.size) return false;
    const word = this.#word(offset);
    const lowers = word >>> 16 === 0x9421 || (word >>> 16 === 0xf821 && (word & 3) === 1);
    return lowers || word >>> 0 === 0x7c0802a6 || word >>> 16 === 0x3c4c;
  }

  override begin(): void {
    super.begin();
    this.#link = undefined;
  }

  #branch(word: number, at: number): void {
    const links = (word & 1) === 1;
    const target = ((word << 6) >> 6) & ~3;
    this.flow = links ? flow.call : flow.jump;
    this.target = word & 2 ? (this.absolute(BigInt(target)) ?? -1) : at + target;
    if (links) this.target = this.#globalEntry(this.target);
  }

  #conditional(word: number, at: number): void {
    if (word === readCounter) return;
    const links = (word & 1) === 1;
    const always = ((word >>> 21) & 0b10100) === 0b10100;
    const target = ((word << 16) >> 16) & ~3;
    this.flow = links ? (always ? flow.call : flow.conditionalCall) : always ? flow.jump : flow.conditionalJump;
    this.target = word & 2 ? (this.absolute(BigInt(target)) ?? -1) : at + target;
    if (((word >>> 18) & 7) !== 0) this.targetOperand = 1;
  }

  /**
   * Calls inside a module enter behind the two instructions that find the table of contents (OpenPOWER ELF V2 ABI §2.3.2.1);
   * the function starts before them.
   */
  #globalEntry(target: number): number {
    const offset = target - 8 - this.code.start;
    if (this.#options.bits === 32 || !(offset >= 0 && offset + 8 <= this.size) || offset % 4 !== 0) return target;
    return this.#word(offset) >>> 16 === 0x3c4c && this.#word(offset + 4) >>> 16 === 0x3842 ? target - 8 : target;
  }

  /** The cell of an import's stub: `addis` or `lis`, a load, `mtctr`, `bctr`. */
  #cellBefore(offset: number): number {
    if (offset < 12) return -1;
    const [page, load, move] = [this.#word(offset - 12), this.#word(offset - 8), this.#word(offset - 4)];
    const register = (move >>> 21) & 31;
    const wanted = this.#options.bits === 64 ? 58 : 32;
    if ((move & 0xfc1fffff) !== moveToCount || load >>> 26 !== wanted || ((load >>> 21) & 31) !== register) return -1;
    if (page >>> 26 !== 15 || ((page >>> 21) & 31) !== ((load >>> 16) & 31)) return -1;
    const high = ((page << 16) >> 16) * 0x1_0000;
    const source = (page >>> 16) & 31;
    const base = source === 0 ? this.absolute(BigInt(high)) : source === tocRegister ? plus(this.#options.toc, high) : undefined;
    return base === undefined ? -1 : base + (((load << 16) >> 16) & (wanted === 58 ? ~3 : ~0));
  }

  protected fold(offset: number): void {
    const word = this.#word(offset);
    const at = this.code.start + offset;
    if (this.slot >= 0) this.refer(this.slot, referenceCode.read, 0);
    if (this.length === 4) this.#foldWord(word, at);
    if (word === readCounter || (this.flow === flow.call && this.target === at + 4)) this.#link = at + 4;
    else if (this.flow === flow.call || this.flow === flow.indirectCall || this.flow === flow.conditionalCall) {
      this.values.forgetMask(callerSaved);
      this.#link = undefined;
    }
  }

  #foldWord(word: number, at: number): void {
    const code = word >>> 26;
    const [first, second, low] = [(word >>> 21) & 31, (word >>> 16) & 31, (word << 16) >> 16];
    const base = second === 0 ? undefined : this.#value(second);
    if (code === 15 && second === 0) this.values.set(first, this.absolute(BigInt(low * 0x1_0000)));
    else if (code === 15) this.values.set(first, base === undefined ? undefined : base + low * 0x1_0000);
    else if (code === 14) this.#address(first, base === undefined ? undefined : base + low, at);
    else if (code === 24) this.#address(second, plus(this.#value(first), word & 0xffff), at);
    else if (code === 18 || code === 16 || code === 19) return;
    else if ((word & 0xfc1fffff) >>> 0 === moveFromLink) this.values.set(first, this.#link);
    else if (isMemory(code)) this.#memory(word, base);
    else this.values.forget(first, second);
  }

  #address(destination: number, value: number | undefined, at: number): void {
    this.values.set(destination, value);
    if (value !== undefined && value !== at && destination !== tocRegister) this.refer(value, referenceCode.address, 2);
  }

  /** Loads and stores with a displacement; bit 0 of the opcode marks the updating forms, opcodes 58 and 62 have it in the word. */
  #memory(word: number, base: number | undefined): void {
    const code = word >>> 26;
    const wide = code === 58 || code === 62;
    const displacement = ((word << 16) >> 16) & (wide ? ~3 : ~0);
    const stores = code === 62 || (code >= 36 && code <= 39) || code === 44 || code === 45 || code === 47 || (code >= 52 && code <= 55);
    if (base !== undefined) this.refer(base + displacement, stores ? referenceCode.write : referenceCode.read, 1);
    if (code === 46) this.values.clear();
    else if (!stores && code < 48) this.values.forget((word >>> 21) & 31);
    else if (code === 58) this.values.forget((word >>> 21) & 31);
    if (wide ? (word & 3) === 1 : (code & 1) === 1 && code < 56 && code !== 47) this.values.forget((word >>> 16) & 31);
  }

  #value(register: number): number | undefined {
    return register === tocRegister && this.#options.toc !== undefined ? this.#options.toc : this.values.get(register);
  }

  #word(offset: number): number {
    return this.view.getInt32(offset, this.#options.little);
  }
}

function plus(value: number | undefined, more: number): number | undefined {
  return value === undefined ? undefined : value + more;
}

function isMemory(code: number): boolean {
  return (code >= 32 && code <= 55) || code === 58 || code === 62;
}

/** `bclr`, `bcctr`, `bctar` and returns from interrupts; what else the group holds goes on. */
function registerFlow(word: number): number {
  const kind = (word >>> 1) & 0x3ff;
  if (kind === 18 || kind === 50 || kind === 51) return flow.return;
  if (kind !== 16 && kind !== 528 && kind !== 560) return flow.sequential;
  if (word & 1) return flow.indirectCall;
  const always = ((word >>> 21) & 0b10100) === 0b10100;
  if (kind === 16) return always ? flow.return : flow.conditionalReturn;
  return always ? flow.indirectJump : flow.conditionalIndirectJump;
}
