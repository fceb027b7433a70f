import type { Decoder, Instruction } from "iced-x86";
import type { OperationReader } from "../operation-reader.js";
import type { Iced } from "./code-table.js";

/** Operations of x86 code by their mnemonic. */
export class X86Operations implements OperationReader {
  constant: number | undefined;
  readonly #iced: Iced;
  readonly #decoder: Decoder;
  readonly #instruction: Instruction;

  constructor(iced: Iced, bits: number, bytes: Uint8Array) {
    this.#iced = iced;
    this.#decoder = new iced.Decoder(bits, bytes, iced.DecoderOptions.None);
    this.#instruction = new iced.Instruction();
  }

  at(offset: number): number {
    this.#decoder.position = offset;
    this.#decoder.decodeOut(this.#instruction);
    this.constant = this.#constantOf();
    return this.#instruction.mnemonic;
  }

  close(): void {
    this.#decoder.free();
    this.#instruction.free();
  }

  /** The last operand, where constants stand. */
  #constantOf(): number | undefined {
    const last = this.#instruction.opCount - 1;
    if (last < 1) return undefined;
    const kind = this.#instruction.opKind(last);
    const { OpKind } = this.#iced;
    if (kind < OpKind.Immediate8 || kind > OpKind.Immediate32to64) return undefined;
    return Number(BigInt.asIntN(32, this.#instruction.immediate(last)));
  }
}
