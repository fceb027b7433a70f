import type { BinaryImage } from "@rea/binary";
import type { DecodedInstruction } from "../../program.js";
import { CapstoneText } from "../capstone/capstone-text.js";
import { describedInstruction } from "../described-instruction.js";
import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler.js";
import type { JumpContext, JumpTable } from "../jump-table.js";
import { ArmDecoder } from "./arm-decoder.js";
import { applyMarks, readArmImage, type ArmImage } from "./arm-image.js";
import { findArmTable } from "./arm-jump-table.js";
import { a32Text, t32Text } from "./arm-text.js";
import { instructionSet, InstructionSets } from "./instruction-sets.js";

/** 32-bit Arm code of either instruction set: own decoders for control flow and addresses, Capstone for text. */
export function loadArm(): Disassembler {
  return new ArmDisassembler();
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly decoder: ArmDecoder;
}

class ArmDisassembler implements Disassembler {
  readonly architecture = "arm";
  readonly alignment = 2;
  readonly functionAlignment = 2;
  readonly longest = 4;
  readonly learns = true;
  readonly limitations: readonly string[] = [
    "Arm: A32 and T32 are told apart by mapping symbols, bit 0 of declared addresses and how control arrives; code that nothing of this reaches is read as the set of the code before it.",
    "Arm: addresses are put together from constants beside the code, movw and movt inside one straight run of code; jump tables are followed where they stand behind tbb, tbh or ldrls pc.",
  ];
  readonly #sets = new InstructionSets(instructionSet.a32);
  readonly #pieces: Piece[] = [];
  #arm: ArmImage | undefined;
  #texts: { readonly a32: CapstoneText; readonly t32: CapstoneText } | undefined;

  prepareImage(image: BinaryImage): BinaryImage {
    this.#arm = readArmImage(image);
    this.#sets.standard = this.#arm.standard;
    return this.#arm.image;
  }

  open(code: CodeBytes): InstructionDecoder {
    const { start, base, data } = code;
    const size = code.bytes.byteLength;
    this.#sets.add(start, size);
    if (this.#arm !== undefined) applyMarks(this.#arm, this.#sets, { start, size, base }, (offset) => data.add(offset));
    const decoder = new ArmDecoder(code, this.#sets);
    this.#pieces.push({ start, end: start + size, decoder });
    return decoder;
  }

  findJumpTable(rva: number, _base: bigint, context: JumpContext): JumpTable | undefined {
    const piece = this.#pieceAt(rva);
    return piece === undefined ? undefined : findArmTable(rva, piece.decoder, rva - piece.start, context);
  }

  async prepareText(): Promise<void> {
    this.#texts = { a32: await CapstoneText.load(a32Text), t32: await CapstoneText.load(t32Text) };
  }

  format(bytes: Uint8Array, rva: number, base: bigint): DecodedInstruction | undefined {
    const piece = this.#pieceAt(rva);
    const decoder = piece?.decoder ?? this.#lone(bytes, rva, base);
    if (!decoder.decode(piece === undefined ? 0 : rva - piece.start) || bytes.byteLength < decoder.length) return undefined;
    const own = new Uint8Array(bytes.subarray(0, decoder.length));
    const text = (decoder.thumb ? this.#texts?.t32 : this.#texts?.a32)?.describe(own, base + BigInt(rva));
    const { flow, target } = decoder;
    return describedInstruction({ bytes: own, rva, base, text, directive: ".inst", big: false, flow, target });
  }

  #lone(bytes: Uint8Array, rva: number, base: bigint): ArmDecoder {
    const code = { bytes, start: rva, base, absolute: false, imageSize: 0, relocated: () => false, data: new Set<number>() };
    return new ArmDecoder(code, this.#sets);
  }

  #pieceAt(rva: number): Piece | undefined {
    return this.#pieces.find(({ start, end }) => rva >= start && rva < end);
  }
}
