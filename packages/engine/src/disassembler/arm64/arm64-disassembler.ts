import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler.js";
import type { DecodedInstruction } from "../../program.js";
import { Arm64Decoder } from "./arm64-decoder.js";

/** A64. */
export function loadArm64(): Promise<Disassembler> {
  return Promise.resolve(new Arm64Disassembler());
}

class Arm64Disassembler implements Disassembler {
  readonly architecture = "arm64";
  readonly alignment = 4;
  readonly longest = 4;
  readonly limitations: readonly string[] = [];

  open(code: CodeBytes): InstructionDecoder {
    return new Arm64Decoder(code);
  }

  format(_bytes: Uint8Array, _rva: number, _base: bigint): DecodedInstruction | undefined {
    return undefined;
  }
}
