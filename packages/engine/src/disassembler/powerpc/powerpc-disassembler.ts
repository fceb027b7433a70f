import type { BinaryImage } from "@rea/binary";
import type { DecodedInstruction } from "../../program.js";
import { CapstoneText } from "../capstone/capstone-text.js";
import { describedInstruction } from "../described-instruction.js";
import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler.js";
import { withoutDescriptors } from "./descriptors.js";
import { PowerpcDecoder } from "./powerpc-decoder.js";
import { powerpcTexts } from "./powerpc-text.js";

/** How far r2 points behind the start of the table of contents (64-bit ELF ABI supplements). */
const tocBias = 0x8000n;

/** PowerPC of 32 or 64 bits: an own decoder for control flow and addresses, Capstone for text. */
export function loadPowerpc(bits: 32 | 64, endian: "little" | "big"): Disassembler {
  return new PowerpcDisassembler(bits, endian);
}

class PowerpcDisassembler implements Disassembler {
  readonly architecture: "powerpc" | "powerpc64";
  readonly alignment = 4;
  readonly functionAlignment = 4;
  readonly longest = 8;
  readonly limitations: readonly string[] = [
    "PowerPC: addresses are put together from lis, from the program counter, and in 64-bit files with a .got section from r2, inside one straight run of code; pc-relative prefixed forms, 32-bit global offset tables and jump tables are not.",
    "PowerPC: a call that enters a function behind the instructions that set r2 counts as a call of the function.",
  ];
  readonly #bits: 32 | 64;
  readonly #endian: "little" | "big";
  #toc: bigint | undefined;
  #text: CapstoneText | undefined;

  constructor(bits: 32 | 64, endian: "little" | "big") {
    this.#bits = bits;
    this.#endian = endian;
    this.architecture = bits === 64 ? "powerpc64" : "powerpc";
  }

  prepareImage(image: BinaryImage): BinaryImage {
    if (this.#bits === 32) return image;
    const table = image.sections().items.find(({ name }) => name === ".got");
    this.#toc = table?.va === undefined ? undefined : table.va + tocBias;
    return withoutDescriptors(image);
  }

  open(code: CodeBytes): InstructionDecoder {
    return this.#decoder(code);
  }

  findJumpTable(): undefined {
    return undefined;
  }

  async prepareText(): Promise<void> {
    this.#text = await CapstoneText.load(powerpcTexts[this.#bits][this.#endian]);
  }

  format(bytes: Uint8Array, rva: number, base: bigint): DecodedInstruction | undefined {
    const code = { bytes, start: rva, base, absolute: false, imageSize: 0, relocated: () => false, data: new Set<number>() };
    const decoder = this.#decoder(code);
    if (!decoder.decode(0)) return undefined;
    const own = new Uint8Array(bytes.subarray(0, decoder.length));
    const text = this.#text?.describe(own, base + BigInt(rva));
    const { flow, target } = decoder;
    return describedInstruction({ bytes: own, rva, base, text, directive: ".long", big: this.#endian === "big", flow, target });
  }

  #decoder(code: CodeBytes): PowerpcDecoder {
    const toc = this.#toc === undefined ? undefined : Number(this.#toc - code.base);
    return new PowerpcDecoder(code, { little: this.#endian === "little", bits: this.#bits, toc });
  }
}
