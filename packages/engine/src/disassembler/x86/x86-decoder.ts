import type { Decoder, Instruction } from "iced-x86";
import { referenceCode, type CodeBytes, type InstructionDecoder } from "../disassembler.js";
import { flow } from "../flow.js";
import { ReferenceBuffer } from "../reference-buffer.js";
import type { RegisterState } from "../register-snapshot.js";
import type { CodeTable, Iced } from "./code-table.js";
import { X86Pic } from "./x86-pic.js";

const readAndWrite = 7;
const noOperand = 0xf;
const fastFail = 0x29;

interface Held {
  readonly decoder: Decoder;
  readonly instruction: Instruction;
}

/** Frees what a dropped decoder held in the module's memory, which the garbage collector does not see. */
const dropped = new FinalizationRegistry<Held>(free);

function free({ decoder, instruction }: Held): void {
  decoder.free();
  instruction.free();
}

/** x86 in one bitness over one piece of code. Branch targets count modulo the address size, as the processor does. */
export class X86Decoder implements InstructionDecoder {
  length = 0;
  flow = 0;
  target = -1;
  readonly delay = 0;
  readonly targetOperand = 0;
  slot = -1;
  readonly #iced: Iced;
  readonly #table: CodeTable;
  readonly #code: CodeBytes;
  readonly #decoder: Decoder;
  readonly #instruction: Instruction;
  readonly #references = new ReferenceBuffer();
  readonly #base: number;
  readonly registers: RegisterState | undefined;
  readonly #pic: X86Pic | undefined;
  #next = 0;
  #closed = false;

  constructor(iced: Iced, table: CodeTable, bits: number, code: CodeBytes) {
    this.#iced = iced;
    this.#table = table;
    this.#code = code;
    this.#base = Number(code.base);
    this.#decoder = new iced.Decoder(bits, code.bytes, iced.DecoderOptions.None);
    this.#decoder.ip = BigInt(code.start);
    this.#instruction = new iced.Instruction();
    this.#pic = bits === 32 ? new X86Pic(iced, table, code) : undefined;
    this.registers = this.#pic?.registers;
    dropped.register(this, { decoder: this.#decoder, instruction: this.#instruction }, this);
  }

  decode(offset: number): boolean {
    return this.#decodeCode(offset) !== 0;
  }

  startsFunction(): boolean {
    return true;
  }

  /**
   * A push of a register, stack taken by `sub`, or the marker of control-flow enforcement. In 32-bit code, where arguments
   * are pushed as well, the push of ebp or the marker.
   */
  opensFrame(offset: number): boolean {
    const code = this.#decodeCode(offset);
    const { Code, Register } = this.#iced;
    if (code === Code.Endbr64 || code === Code.Endbr32 || code === Code.Push_r64) return true;
    if (code === Code.Push_r32) return this.#instruction.op0Register === Register.EBP;
    return (code === Code.Sub_rm64_imm8 || code === Code.Sub_rm64_imm32) && this.#instruction.op0Register === Register.RSP;
  }

  begin(): void {
    // Addresses are whole in every instruction of 64-bit code: nothing to remember there.
    this.#pic?.begin();
  }

  scan(offset: number): boolean {
    const code = this.#decodeCode(offset);
    this.#references.count = 0;
    if (code === 0) return false;
    if (this.#table.memoryOperand[code] === 0xff) this.#table.learnOperands(code, this.#instruction);
    this.#memoryReference(code);
    if (this.#table.constantOperand[code] !== noOperand) this.#constantReference(code, offset);
    this.#followRegisters(code, offset);
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
    if (this.#closed) return;
    this.#closed = true;
    dropped.unregister(this);
    free({ decoder: this.#decoder, instruction: this.#instruction });
  }

  /** The opcode number, 0 when there is no instruction. */
  #decodeCode(offset: number): number {
    if (offset !== this.#next) this.#seek(offset);
    const instruction = this.#instruction;
    this.#decoder.decodeOut(instruction);
    const code = instruction.code;
    if (code === 0) {
      this.#next = -1;
      return 0;
    }
    const length = instruction.length;
    this.length = length;
    this.#next = offset + length;
    const table = this.#table;
    if (table.flows[code] === 0xff) table.learn(code, instruction);
    const kind = table.flows[code] ?? 0;
    this.flow = kind;
    this.target = -1;
    this.slot = -1;
    if (kind !== flow.sequential && kind !== flow.padding) this.#destination(code, kind);
    else if (this.#pic !== undefined && code === this.#iced.Code.Lea_r32_m && this.#changesNothing()) this.flow = flow.padding;
    else if (code === this.#iced.Code.Int_imm8 && instruction.immediate8 === fastFail) this.flow = flow.trap;
    return code;
  }

  /** `lea esi, [esi+0]` and the like: what assemblers fill 32-bit code with where there is no long `nop`. */
  #changesNothing(): boolean {
    const instruction = this.#instruction;
    const same = instruction.op0Register === instruction.memoryBase && instruction.memoryIndex === this.#iced.Register.None;
    return same && instruction.memoryDisplacementU64 === 0n;
  }

  #followRegisters(code: number, offset: number): void {
    const pic = this.#pic;
    if (pic === undefined) return;
    const calls = this.flow === flow.call && this.#table.direct[code] === 1;
    if (!calls && pic.isIdle) return;
    pic.follow(this.#instruction, this.#code.start + offset + this.length, calls ? this.target : -1);
  }

  #seek(offset: number): void {
    this.#decoder.position = offset;
    this.#decoder.ip = BigInt(this.#code.start + offset);
  }

  #destination(code: number, kind: number): void {
    if (this.#table.direct[code] === 1) this.target = Number(this.#instruction.nearBranchTarget);
    else if (kind === flow.indirectCall || kind === flow.indirectJump) this.slot = this.#memoryAddress();
  }

  /** RVA of a memory operand that is one fixed cell, -1 when registers take part. */
  #memoryAddress(): number {
    const instruction = this.#instruction;
    if (instruction.isIpRelMemoryOperand) return Number(instruction.ipRelMemoryAddress);
    const { Register, OpKind } = this.#iced;
    if (!this.#code.absolute || instruction.opCount === 0 || instruction.op0Kind !== OpKind.Memory) return -1;
    if (instruction.memoryBase !== Register.None || instruction.memoryIndex !== Register.None) return -1;
    return this.#inImage(instruction.memoryDisplacementU64);
  }

  #inImage(va: bigint): number {
    const rva = Number(va) - this.#base;
    if (rva < 0 || rva >= this.#code.imageSize) return -1;
    return this.#base > Number.MAX_SAFE_INTEGER ? Number(va - this.#code.base) : rva;
  }

  #memoryReference(code: number): void {
    const operand = this.#table.memoryOperand[code] ?? noOperand;
    if (operand === noOperand) return;
    const to = this.#referencedCell(operand);
    if (to < 0) return;
    if (this.#pic !== undefined && (this.flow === flow.indirectCall || this.flow === flow.indirectJump)) this.slot = this.#fixedCell(to);
    const access = this.#table.access[code] || this.#table.learnAccess(code, this.#instruction);
    if (this.flow === flow.indirectJump) this.#references.add(to, referenceCode.jump, operand);
    else if (access === readAndWrite) {
      this.#references.add(to, referenceCode.read, operand);
      this.#references.add(to, referenceCode.write, operand);
    } else this.#references.add(to, access - 1, operand);
  }

  /** The cell itself, unless an index takes part. */
  #fixedCell(cell: number): number {
    return this.#instruction.memoryIndex === this.#iced.Register.None ? cell : this.slot;
  }

  #referencedCell(operand: number): number {
    const instruction = this.#instruction;
    if (instruction.isIpRelMemoryOperand) return Number(instruction.ipRelMemoryAddress);
    const counted = this.#pic?.cell(instruction) ?? -1;
    if (counted >= 0) return counted;
    if (!this.#code.absolute) return -1;
    if (instruction.opKind(operand) !== this.#iced.OpKind.Memory || instruction.memoryDisplSize < 4) return -1;
    return this.#inImage(instruction.memoryDisplacementU64);
  }

  #constantReference(code: number, offset: number): void {
    const start = this.#code.start + offset;
    if (!this.#code.absolute && !this.#code.relocated(start, start + this.length)) return;
    const operand = this.#table.constantOperand[code] ?? 0;
    if (this.flow === flow.call || this.flow === flow.jump) return;
    const to = this.#inImage(this.#instruction.immediate(operand));
    if (to >= 0) this.#references.add(to, referenceCode.address, operand);
  }
}
