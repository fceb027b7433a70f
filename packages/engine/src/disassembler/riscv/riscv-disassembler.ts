import type { DecodedInstruction } from "../../program.js";
import { CapstoneText } from "../capstone/capstone-text.js";
import { describedInstruction } from "../described-instruction.js";
import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler.js";
import { OpenCode } from "../open-code.js";
import { RiscvDecoder } from "./riscv-decoder.js";
import { riscvText } from "./riscv-text.js";

/** RISC-V of 64 bits with compressed instructions: an own decoder for control flow and addresses, Capstone for text. */
export function loadRiscv(): Disassembler {
  return new RiscvDisassembler();
}

class RiscvDisassembler implements Disassembler {
  readonly architecture = "riscv64";
  readonly alignment = 2;
  readonly functionAlignment = 2;
  readonly longest = 4;
  readonly limitations: readonly string[] = [
    "RISC-V: addresses are put together from auipc or lui and the instruction that completes them inside one straight run of code; gp-relative addresses and jump tables are not.",
  ];
  readonly #open = new OpenCode();
  #text: CapstoneText | undefined;

  open(code: CodeBytes): InstructionDecoder {
    return this.#open.add(code, new RiscvDecoder(code));
  }

  findJumpTable(): undefined {
    return undefined;
  }

  async prepareText(): Promise<void> {
    this.#text = await CapstoneText.load(riscvText);
  }

  format(bytes: Uint8Array, rva: number, base: bigint): DecodedInstruction | undefined {
    const { decoder, offset } = this.#open.at(rva, bytes, base, (code) => new RiscvDecoder(code));
    if (!decoder.decode(offset) || bytes.byteLength < decoder.length) return undefined;
    const own = new Uint8Array(bytes.subarray(0, decoder.length));
    const text = this.#text?.describe(own, base + BigInt(rva));
    return describedInstruction({ bytes: own, rva, base, text, directive: ".insn", big: false, flow: decoder.flow, target: decoder.target });
  }
}
