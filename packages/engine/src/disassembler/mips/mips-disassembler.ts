import type { BinaryImage } from "@rea/binary";
import type { DecodedInstruction } from "../../program.js";
import { CapstoneText } from "../capstone/capstone-text.js";
import { describedInstruction } from "../described-instruction.js";
import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler.js";
import { GlobalTable } from "./global-table.js";
import { MipsDecoder } from "./mips-decoder.js";
import { mipsTexts } from "./mips-text.js";

/** MIPS of 32 or 64 bits: an own decoder for control flow and addresses, Capstone for text. */
export function loadMips(bits: 32 | 64, endian: "little" | "big"): Disassembler {
  return new MipsDisassembler(bits, endian);
}

class MipsDisassembler implements Disassembler {
  readonly architecture: "mips" | "mips64";
  readonly alignment = 4;
  readonly functionAlignment = 4;
  readonly longest = 4;
  readonly limitations: readonly string[] = [
    "MIPS: addresses are put together from lui, and from gp where the file has a .got section, inside one straight run of code; calls through global entries of that table and jump tables are not followed.",
    "MIPS: MIPS16, microMIPS and the instructions of release 6 are not decoded.",
  ];
  readonly #bits: 32 | 64;
  readonly #endian: "little" | "big";
  #global: GlobalTable | undefined;
  #text: CapstoneText | undefined;

  constructor(bits: 32 | 64, endian: "little" | "big") {
    this.#bits = bits;
    this.#endian = endian;
    this.architecture = bits === 64 ? "mips64" : "mips";
  }

  prepareImage(image: BinaryImage): BinaryImage {
    this.#global = GlobalTable.of(image);
    return image;
  }

  open(code: CodeBytes): InstructionDecoder {
    return this.#decoder(code);
  }

  findJumpTable(): undefined {
    return undefined;
  }

  async prepareText(): Promise<void> {
    this.#text = await CapstoneText.load(mipsTexts[this.#bits][this.#endian]);
  }

  format(bytes: Uint8Array, rva: number, base: bigint): DecodedInstruction | undefined {
    const own = new Uint8Array(bytes.subarray(0, 4));
    const decoder = this.#decoder({ bytes: own, start: rva, base, absolute: false, imageSize: 0, relocated: () => false, data: new Set<number>() });
    if (!decoder.decode(0)) return undefined;
    const text = this.#text?.describe(own, base + BigInt(rva));
    return describedInstruction({ bytes: own, rva, base, text, directive: ".word", big: this.#endian === "big", ...decoder.own(0) });
  }

  #decoder(code: CodeBytes): MipsDecoder {
    return new MipsDecoder(code, { little: this.#endian === "little", global: this.#global });
  }
}
