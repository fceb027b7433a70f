import { CapstoneText, type InstructionText } from "../capstone/capstone-text.js";
import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler.js";
import { flow, flowKind } from "../flow.js";
import type { JumpContext, JumpTable } from "../jump-table.js";
import type { DecodedInstruction } from "../../program.js";
import { Arm64Decoder } from "./arm64-decoder.js";
import { Arm64JumpTables } from "./arm64-jump-table.js";
import { arm64Registers } from "./arm64-registers.js";
import { isArm64TailJump } from "./arm64-tail-jump.js";
import { arm64Text } from "./arm64-text.js";

/** A64: an own decoder for control flow and addresses, Capstone for text. Starts loading Capstone in the background. */
export function loadArm64(): Disassembler {
  return new Arm64Disassembler();
}

class Arm64Disassembler implements Disassembler {
  readonly architecture = "arm64";
  readonly alignment = 4;
  readonly functionAlignment = 4;
  readonly longest = 4;
  readonly limitations: readonly string[] = [
    "ARM64: an address is recognised where its two instructions stand in one function and no value between them is kept in memory.",
  ];
  readonly registers = arm64Registers;
  readonly #loading: Promise<CapstoneText>;
  #text: CapstoneText | undefined;

  constructor() {
    this.#loading = CapstoneText.load(arm64Text);
    // A failure is reported by `prepareText`, however late that is called.
    this.#loading.catch(() => undefined);
  }

  open(code: CodeBytes): InstructionDecoder {
    return new Arm64Decoder(code);
  }

  findJumpTable(rva: number, _base: bigint, context: JumpContext): JumpTable | undefined {
    return new Arm64JumpTables(context).find(rva);
  }

  isTailJump(rva: number, context: JumpContext): boolean {
    return isArm64TailJump(rva, context);
  }

  async prepareText(): Promise<void> {
    this.#text = await this.#loading;
  }

  format(bytes: Uint8Array, rva: number, base: bigint): DecodedInstruction | undefined {
    if (this.#text === undefined) throw new Error("Instructions are shown only after prepareText.");
    if (bytes.byteLength < this.longest) return undefined;
    const own = new Uint8Array(bytes.subarray(0, this.longest));
    const word = new DataView(own.buffer).getUint32(0, true);
    const decoder = new Arm64Decoder({ bytes: own, start: rva, base, absolute: false, imageSize: 0, relocated: () => false, data: new Set() });
    const decodes = decoder.decode(0);
    const known = this.#text.describe(own, base + BigInt(rva));
    if (known === undefined && !decodes) return undefined;
    const described = known ?? unnamed(word);
    const operands = withTarget(described, decoder.target);
    return { rva, length: this.longest, bytes: own, ...described, operands, flow: flowKind(decodes ? decoder.flow : flow.sequential) };
  }
}

/** How assemblers write a word whose instruction they do not know. */
function unnamed(word: number): InstructionText {
  return { mnemonic: ".inst", text: `.inst 0x${word.toString(16).padStart(8, "0")}`, operands: [] };
}

/** The destination of a direct branch is its last operand. */
function withTarget({ operands }: Pick<DecodedInstruction, "operands">, target: number): DecodedInstruction["operands"] {
  if (target === -1) return operands;
  return operands.map((operand, index) => (index === operands.length - 1 ? { ...operand, kind: "target" as const } : operand));
}
