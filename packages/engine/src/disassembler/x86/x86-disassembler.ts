import { createRequire } from "node:module";
import type { Formatter, Instruction } from "iced-x86";
import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler.js";
import { flowKind } from "../flow.js";
import type { JumpContext, JumpTable } from "../jump-table.js";
import type { DecodedInstruction, OperandAccess, OperandKind } from "../../program.js";
import { CodeTable, type Iced } from "./code-table.js";
import { X86Decoder } from "./x86-decoder.js";
import { X86JumpTables } from "./x86-jump-table.js";
import { X86StepReader } from "./x86-steps.js";
import { isX86TailJump } from "./x86-tail-jump.js";
import { X86Operations } from "./x86-operations.js";
import { X86RegisterModel } from "./x86-registers.js";

/** x86 of 16, 32 or 64 bits on iced-x86. Loads the module, which takes some 70 ms the first time. */
export function loadX86(bits: 16 | 32 | 64): Disassembler {
  const known = loaded.get(bits);
  if (known !== undefined) return known;
  // Through `require`: `import` would first search the large CommonJS file for names to export.
  const iced: unknown = createRequire(import.meta.url)("iced-x86");
  if (!isIced(iced)) throw new Error("The x86 decoder module does not offer what it should.");
  const made = new X86Disassembler(iced, bits);
  loaded.set(bits, made);
  return made;
}

/** What one thread has learnt about opcodes serves all its analyses. */
const loaded = new Map<number, Disassembler>();

function isIced(module: unknown): module is Iced {
  return typeof module === "object" && module !== null && "Decoder" in module && "Formatter" in module && "Code" in module;
}

class X86Disassembler implements Disassembler {
  readonly architecture: "x86" | "x86_64";
  readonly alignment = 1;
  /** Compilers align functions more than the machine demands. */
  readonly functionAlignment = 16;
  readonly longest = 15;
  readonly limitations: readonly string[] = [];
  readonly registers?: X86RegisterModel;
  readonly #iced: Iced;
  readonly #bits: number;
  readonly #table: CodeTable;
  #formatter: Formatter | undefined;

  constructor(iced: Iced, bits: 16 | 32 | 64) {
    this.#iced = iced;
    this.#bits = bits;
    this.architecture = bits === 64 ? "x86_64" : "x86";
    this.#table = new CodeTable(iced);
    if (bits !== 16) this.registers = new X86RegisterModel(iced, bits);
  }

  open(code: CodeBytes): InstructionDecoder {
    return new X86Decoder(this.#iced, this.#table, this.#bits, code);
  }

  findJumpTable(rva: number, base: bigint, context: JumpContext): JumpTable | undefined {
    return new X86JumpTables(this.#iced, this.#bits, base, context).find(rva);
  }

  isTailJump(rva: number, context: JumpContext): boolean {
    return isX86TailJump(rva, this.#iced, new X86StepReader(this.#iced, this.#bits, context), context);
  }

  operations(bytes: Uint8Array): X86Operations {
    return new X86Operations(this.#iced, this.#bits, bytes);
  }

  prepareText(): Promise<void> {
    return Promise.resolve();
  }

  format(bytes: Uint8Array, rva: number, base: bigint): DecodedInstruction | undefined {
    const decoder = new this.#iced.Decoder(this.#bits, bytes.subarray(0, this.longest), this.#iced.DecoderOptions.None);
    decoder.ip = BigInt.asUintN(64, base + BigInt(rva));
    const instruction = decoder.decode();
    try {
      if (instruction.code === this.#iced.Code.INVALID) return undefined;
      return this.#describe(instruction, bytes, rva);
    } finally {
      instruction.free();
      decoder.free();
    }
  }

  #describe(instruction: Instruction, bytes: Uint8Array, rva: number): DecodedInstruction {
    const formatter = (this.#formatter ??= this.#makeFormatter());
    const code = instruction.code;
    if (!this.#table.isKnown(code)) this.#table.learn(code, instruction);
    const text = formatter.format(instruction);
    const operands = [];
    const count = formatter.operandCount(instruction);
    const mnemonic = formatter.formatMnemonic(instruction);
    const factory = new this.#iced.InstructionInfoFactory();
    const info = factory.info(instruction);
    for (let index = 0; index < count; index += 1) {
      const own = formatter.getInstructionOperand(instruction, index);
      operands.push({
        text: formatter.formatOperand(instruction, index),
        kind: own === undefined ? "other" : this.#kindOf(instruction.opKind(own)),
        access: own === undefined ? undefined : this.#accessOf(info.opAccess(own)),
      } as const);
    }
    info.free();
    factory.free();
    const length = instruction.length;
    return {
      rva,
      length,
      bytes: new Uint8Array(bytes.subarray(0, length)),
      mnemonic,
      text,
      operands,
      flow: flowKind(this.#table.flows[code] ?? 0),
    };
  }

  #makeFormatter(): Formatter {
    const { Formatter, FormatterSyntax, MemorySizeOptions } = this.#iced;
    const formatter = new Formatter(FormatterSyntax.Intel);
    formatter.hexPrefix = "0x";
    formatter.hexSuffix = "";
    formatter.uppercaseHex = false;
    formatter.smallHexNumbersInDecimal = true;
    formatter.spaceAfterOperandSeparator = true;
    formatter.memorySizeOptions = MemorySizeOptions.Always;
    formatter.showBranchSize = false;
    formatter.branchLeadingZeros = false;
    formatter.displacementLeadingZeros = false;
    formatter.leadingZeros = false;
    return formatter;
  }

  #kindOf(kind: number): OperandKind {
    const { OpKind } = this.#iced;
    if (kind === OpKind.Register) return "register";
    if (kind >= OpKind.NearBranch16 && kind <= OpKind.FarBranch32) return "target";
    if (kind >= OpKind.Immediate8 && kind <= OpKind.Immediate32to64) return "immediate";
    return "memory";
  }

  #accessOf(access: number | undefined): OperandAccess | undefined {
    const { OpAccess } = this.#iced;
    switch (access) {
      case OpAccess.Read:
      case OpAccess.CondRead:
        return "read";
      case OpAccess.Write:
      case OpAccess.CondWrite:
        return "write";
      case OpAccess.ReadWrite:
      case OpAccess.ReadCondWrite:
        return "read_write";
      case OpAccess.None:
      case OpAccess.NoMemAccess:
        return "none";
      default:
        return undefined;
    }
  }
}
