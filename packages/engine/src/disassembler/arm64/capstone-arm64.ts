import type { DecodedInstruction, OperandAccess, OperandKind } from "../../program.js";
import { changed, loadCapstone, type LoadedCapstone } from "./capstone-module.js";

/** Values and structure offsets of Capstone 5, 32-bit pointers: cs_insn, cs_detail, cs_arm64, cs_arm64_op. */
const arm64Architecture = 1;
const littleEndian = 0;
const detailOption = 2;
const on = 3;
const instructionAt = { mnemonic: 42, mnemonicBytes: 32, operands: 74, operandsBytes: 160, detail: 236 } as const;
const detailAt = { architecture: 96 } as const;
const arm64At = { operandCount: 7, operands: 8, operandBytes: 56 } as const;
const operandAt = { type: 20, access: 48 } as const;

const kinds: Readonly<Record<number, OperandKind>> = { 1: "register", 2: "immediate", 3: "memory", 4: "immediate" };
const accesses: readonly OperandAccess[] = ["none", "read", "write", "read_write"];
const maximumOperands = 8;
const decoder = new TextDecoder("latin1");

let loaded: Promise<CapstoneArm64> | undefined;

export type InstructionText = Pick<DecodedInstruction, "mnemonic" | "text" | "operands">;

/** Text and operands of single A64 instructions. */
export class CapstoneArm64 {
  readonly #capstone: LoadedCapstone;
  readonly #handle: number;
  readonly #instruction: number;
  /** Scratch: 8 bytes of code, then address (8), code pointer (4), size (4). */
  readonly #scratch: number;

  private constructor(capstone: LoadedCapstone) {
    this.#capstone = capstone;
    const { functions } = capstone;
    this.#scratch = functions._malloc(32);
    if (functions._cs_open(arm64Architecture, littleEndian, this.#scratch) !== 0) throw changed();
    this.#handle = this.#view().getUint32(this.#scratch, true);
    if (functions._cs_option(this.#handle, detailOption, on) !== 0) throw changed();
    this.#instruction = functions._cs_malloc(this.#handle);
  }

  /** The one instance of this thread, loaded on first use. */
  static load(): Promise<CapstoneArm64> {
    return (loaded ??= CapstoneArm64.#make());
  }

  /** Loads the module and refuses it when a known instruction does not come out as it should. */
  static async #make(): Promise<CapstoneArm64> {
    const made = new CapstoneArm64(await loadCapstone());
    // stp x29, x30, [sp, #-0x10]!
    const known = made.describe(0xa9bf7bfd, 0n);
    const expected = "stp x29, x30, [sp, #-0x10]!|register read,register read,memory read_write";
    const actual = `${known?.text ?? ""}|${known?.operands.map((one) => `${one.kind} ${one.access ?? ""}`).join(",") ?? ""}`;
    if (actual !== expected) throw changed();
    return made;
  }

  /** Undefined when Capstone knows no instruction of this encoding. */
  describe(word: number, va: bigint): InstructionText | undefined {
    const code = this.#scratch;
    const view = this.#view();
    view.setUint32(code, word, true);
    view.setBigUint64(code + 8, BigInt.asUintN(64, va), true);
    view.setUint32(code + 16, code, true);
    view.setUint32(code + 20, 4, true);
    const { functions } = this.#capstone;
    if (functions._cs_disasm_iter(this.#handle, code + 16, code + 20, code + 8, this.#instruction) === 0) return undefined;
    const mnemonic = this.#text(instructionAt.mnemonic, instructionAt.mnemonicBytes);
    const list = this.#text(instructionAt.operands, instructionAt.operandsBytes);
    const operands = this.#operands(list);
    return {
      mnemonic,
      text: list === "" ? mnemonic : `${mnemonic} ${list}`,
      // Capstone takes the first operand of a comparison for a destination.
      operands: comparison.test(mnemonic) ? operands.map((operand) => ({ ...operand, access: "read" as const })) : operands,
    };
  }

  #operands(list: string): DecodedInstruction["operands"] {
    const view = this.#view();
    const detail = view.getUint32(this.#instruction + instructionAt.detail, true) + detailAt.architecture;
    const count = Math.min(view.getUint8(detail + arm64At.operandCount), maximumOperands);
    const texts = splitOperands(list);
    // A text that does not split as the details count (aliases, register lists) keeps its parts without details.
    const paired = texts.length === count;
    return texts.map((text, index) => {
      const at = detail + arm64At.operands + index * arm64At.operandBytes;
      return {
        text,
        kind: paired ? (kinds[view.getUint32(at + operandAt.type, true)] ?? "other") : kindOfText(text),
        access: paired ? accesses[view.getUint8(at + operandAt.access)] : undefined,
      };
    });
  }

  #text(offset: number, size: number): string {
    const bytes = new Uint8Array(this.#capstone.memory.buffer, this.#instruction + offset, size);
    const end = bytes.indexOf(0);
    return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  /** Made anew each time: growing the memory detaches earlier views. */
  #view(): DataView {
    return new DataView(this.#capstone.memory.buffer);
  }
}

const comparison = /^(?:cmp|cmn|tst|ccmp|ccmn|fcmpe?|fccmpe?)$/;
const modifier = /^(?:lsl|lsr|asr|ror|msl|uxt[bhwx]|sxt[bhwx]|mul)\b/;

/** Splits at commas outside brackets; a shift or extension belongs to the operand before it. */
export function splitOperands(list: string): string[] {
  const parts = list === "" ? [] : list.split(/,\s*(?![^[{]*[\]}])/);
  const operands: string[] = [];
  for (const part of parts) {
    const last = operands.length - 1;
    if (last >= 0 && modifier.test(part)) operands[last] = `${operands[last] ?? ""}, ${part}`;
    else operands.push(part);
  }
  return operands;
}

function kindOfText(text: string): OperandKind {
  if (text.startsWith("[")) return "memory";
  if (text.startsWith("#")) return "immediate";
  return /^(?:[wxbhsdqvzp]\d|sp|wsp|xzr|wzr)/.test(text) ? "register" : "other";
}
