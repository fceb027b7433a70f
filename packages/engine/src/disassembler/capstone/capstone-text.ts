import type { DecodedInstruction, OperandAccess, OperandKind } from "../../program.js";
import { changed, loadCapstone, type LoadedCapstone } from "./capstone-module.js";
import { kindOfText, splitOperands } from "./operand-texts.js";

/** Where the part of `cs_detail` that belongs to one architecture keeps its operands; offsets count from that part. */
export interface OperandLayout {
  readonly count: number;
  readonly operands: number;
  readonly operandBytes: number;
  /** Inside one operand. */
  readonly type: number;
  /** Undefined where Capstone does not know how operands are used. */
  readonly access: number | undefined;
}

/** One instruction set as Capstone is asked for it. */
export interface CapstoneSet {
  /** Values of `cs_arch` and `cs_mode`. */
  readonly architecture: number;
  readonly mode: number;
  readonly layout: OperandLayout;
  /** An instruction and what must come out of it: text, then kind and access of each operand. */
  readonly known: { readonly bytes: readonly number[]; readonly shown: string };
  /** Mnemonics of comparisons whose first operand Capstone takes for a destination. */
  readonly comparison?: RegExp;
}

/** Values and structure offsets of Capstone 5, 32-bit pointers: cs_insn, cs_detail. */
const detailOption = 2;
const on = 3;
const instructionAt = { size: 16, mnemonic: 42, mnemonicBytes: 32, operands: 74, operandsBytes: 160, detail: 236 } as const;
const architectureDetail = 96;
const longest = 8;
/** Scratch: 8 bytes of code, then address (8), code pointer (4), size (4). */
const scratchAt = { address: 8, code: 16, size: 20, bytes: 32 } as const;

const kinds: Readonly<Record<number, OperandKind>> = { 1: "register", 2: "immediate", 3: "memory", 4: "immediate" };
const accesses: readonly OperandAccess[] = ["none", "read", "write", "read_write"];
const maximumOperands = 8;
const decoder = new TextDecoder("latin1");

export type InstructionText = Pick<DecodedInstruction, "mnemonic" | "text" | "operands">;

const loaded = new Map<CapstoneSet, Promise<CapstoneText>>();

/** Text and operands of single instructions of one instruction set. */
export class CapstoneText {
  readonly #capstone: LoadedCapstone;
  readonly #set: CapstoneSet;
  readonly #handle: number;
  readonly #instruction: number;
  readonly #scratch: number;

  private constructor(capstone: LoadedCapstone, set: CapstoneSet) {
    this.#capstone = capstone;
    this.#set = set;
    const { functions } = capstone;
    this.#scratch = functions._malloc(scratchAt.bytes);
    if (functions._cs_open(set.architecture, set.mode, this.#scratch) !== 0) throw changed();
    this.#handle = this.#view().getUint32(this.#scratch, true);
    if (functions._cs_option(this.#handle, detailOption, on) !== 0) throw changed();
    this.#instruction = functions._cs_malloc(this.#handle);
  }

  /** The one instance of this thread for an instruction set, made on first use. */
  static load(set: CapstoneSet): Promise<CapstoneText> {
    const known = loaded.get(set);
    if (known !== undefined) return known;
    const made = CapstoneText.#make(set);
    loaded.set(set, made);
    return made;
  }

  /** Refuses the module when a known instruction does not come out as it should. */
  static async #make(set: CapstoneSet): Promise<CapstoneText> {
    const made = new CapstoneText(await loadCapstone(), set);
    const known = made.describe(Uint8Array.from(set.known.bytes), 0n);
    const operands = known?.operands.map((one) => (one.access === undefined ? one.kind : `${one.kind} ${one.access}`)).join(",");
    if (`${known?.text ?? ""}|${operands ?? ""}` !== set.known.shown) throw changed();
    return made;
  }

  /** Undefined when Capstone knows no instruction that takes all of the bytes (at most 8). */
  describe(bytes: Uint8Array, va: bigint): InstructionText | undefined {
    const code = this.#scratch;
    const view = this.#view();
    const size = Math.min(bytes.byteLength, longest);
    for (let index = 0; index < size; index += 1) view.setUint8(code + index, bytes[index] ?? 0);
    view.setBigUint64(code + scratchAt.address, BigInt.asUintN(64, va), true);
    view.setUint32(code + scratchAt.code, code, true);
    view.setUint32(code + scratchAt.size, size, true);
    const { functions } = this.#capstone;
    const [place, left, address] = [code + scratchAt.code, code + scratchAt.size, code + scratchAt.address];
    if (functions._cs_disasm_iter(this.#handle, place, left, address, this.#instruction) === 0) return undefined;
    if (this.#view().getUint16(this.#instruction + instructionAt.size, true) !== size) return undefined;
    return this.#read();
  }

  #read(): InstructionText {
    const mnemonic = this.#text(instructionAt.mnemonic, instructionAt.mnemonicBytes);
    const list = this.#text(instructionAt.operands, instructionAt.operandsBytes).trim();
    const operands = this.#operands(list);
    return {
      mnemonic,
      text: list === "" ? mnemonic : `${mnemonic} ${list}`,
      operands: this.#set.comparison?.test(mnemonic) === true ? operands.map(asRead) : operands,
    };
  }

  #operands(list: string): DecodedInstruction["operands"] {
    const view = this.#view();
    const { layout } = this.#set;
    const detail = view.getUint32(this.#instruction + instructionAt.detail, true) + architectureDetail;
    const count = Math.min(view.getUint8(detail + layout.count), maximumOperands);
    const texts = splitOperands(list);
    // A text that does not split as the details count (aliases, register lists) keeps its parts without details.
    const paired = texts.length === count;
    return texts.map((text, index) => {
      const at = detail + layout.operands + index * layout.operandBytes;
      return {
        text,
        kind: paired ? (kinds[view.getUint32(at + layout.type, true)] ?? "other") : kindOfText(text),
        access: paired && layout.access !== undefined ? accesses[view.getUint8(at + layout.access)] : undefined,
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

function asRead(operand: DecodedInstruction["operands"][number]): DecodedInstruction["operands"][number] {
  return { ...operand, access: "read" };
}
