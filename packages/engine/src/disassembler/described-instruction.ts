import type { DecodedInstruction } from "../program.js";
import type { InstructionText } from "./capstone/capstone-text.js";
import { flowKind } from "./flow.js";

export interface Described {
  readonly bytes: Uint8Array;
  readonly rva: number;
  readonly base: bigint;
  /** Undefined where the text library does not know the encoding. */
  readonly text: InstructionText | undefined;
  /** Directive that assemblers use for a word without a name, e.g. `.word`. */
  readonly directive: string;
  /** Byte order of the word behind the directive. */
  readonly big: boolean;
  readonly flow: number;
  /** RVA of the direct target, -1 without one. */
  readonly target: number;
}

/** An instruction from its text and its flow. The destination of a direct branch is its last operand, shown as an address. */
export function describedInstruction(one: Described): DecodedInstruction {
  const { rva, bytes } = one;
  const text = one.text ?? unnamed(one);
  const shown = one.target === -1 ? text : withTarget(text, one.base + BigInt(one.target));
  return { rva, length: bytes.byteLength, bytes, ...shown, flow: flowKind(one.flow) };
}

function unnamed({ bytes, directive, big }: Described): InstructionText {
  const digits = Buffer.from(big ? bytes : Uint8Array.from(bytes).reverse()).toString("hex");
  return { mnemonic: directive, text: `${directive} 0x${digits}`, operands: [] };
}

function withTarget(text: InstructionText, target: bigint): InstructionText {
  const last = text.operands.at(-1);
  if (last?.kind !== "immediate") return text;
  const address = `${last.text.startsWith("#") ? "#" : ""}0x${BigInt.asUintN(64, target).toString(16)}`;
  return {
    mnemonic: text.mnemonic,
    text: text.text.slice(0, text.text.length - last.text.length) + address,
    operands: [...text.operands.slice(0, -1), { ...last, text: address, kind: "target" }],
  };
}
