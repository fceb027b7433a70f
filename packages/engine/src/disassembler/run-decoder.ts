import type { CodeBytes, InstructionDecoder } from "./disassembler.js";
import { flow } from "./flow.js";
import { KnownRegisters } from "./known-registers.js";
import { ReferenceBuffer } from "./reference-buffer.js";

/** What decoders of machines with general registers share: the fields, the code, and registers known inside a straight run. */
export abstract class RunDecoder implements InstructionDecoder {
  length = 4;
  flow: number = flow.sequential;
  target = -1;
  targetOperand = 0;
  slot = -1;
  delay = 0;
  protected readonly code: CodeBytes;
  protected readonly view: DataView;
  protected readonly size: number;
  protected readonly values = new KnownRegisters(32);
  readonly #references = new ReferenceBuffer();

  constructor(code: CodeBytes) {
    this.code = code;
    this.view = new DataView(code.bytes.buffer, code.bytes.byteOffset, code.bytes.byteLength);
    this.size = code.bytes.byteLength;
  }

  abstract decode(offset: number): boolean;
  abstract startsFunction(offset: number): boolean;
  /** Fills the references of the instruction just decoded and follows what it does to registers. */
  protected abstract fold(offset: number): void;

  opensFrame(offset: number): boolean {
    return this.startsFunction(offset);
  }

  begin(): void {
    this.values.clear();
  }

  scan(offset: number): boolean {
    this.#references.count = 0;
    if (!this.decode(offset)) return false;
    this.fold(offset);
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

  protected reset(): void {
    this.flow = flow.sequential;
    this.target = -1;
    this.targetOperand = 0;
    this.slot = -1;
    this.delay = 0;
  }

  protected refer(to: number, kind: number, operand: number): void {
    if (to >= 0) this.#references.add(to, kind, operand);
  }

  /** RVA of a virtual address that instructions hold whole; undefined where such constants are no addresses. */
  protected absolute(va: bigint): number | undefined {
    if (!this.code.absolute) return undefined;
    const rva = va - this.code.base;
    return rva >= -0x1_0000_0000n && rva <= 0x1_0000_0000n ? Number(rva) : undefined;
  }
}
