import type { Architecture, BinaryImage } from "@rea/binary";
import type { OperationReader } from "./operation-reader.js";
import type { DecodedInstruction } from "../program.js";
import type { JumpContext, JumpTable } from "./jump-table.js";
import type { RegisterState } from "./register-snapshot.js";
import type { RegisterModel } from "./register-access.js";

/** Code to decode: bytes that stand at `start` (an RVA) of an image whose RVA 0 is `base`. */
export interface CodeBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly base: bigint;
  /**
   * True when a constant in an instruction may be an address: code linked for a fixed base. Where the image can be moved,
   * `relocated` says which bytes hold an address.
   */
  readonly absolute: boolean;
  /** Size of the mapped image; constants outside are not addresses. */
  readonly imageSize: number;
  /** True when a relocation stands inside the range of RVAs. */
  readonly relocated: (start: number, end: number) => boolean;
  /** Offsets of bytes known to be data; the decoder adds the constants that instructions read from among them. */
  readonly data: OffsetSet;
}

/** Offsets from the start of a piece of code. */
export interface OffsetSet {
  has(offset: number): boolean;
  add(offset: number): void;
}

/** Kinds of references as numbers; the order is that of `referenceKinds` in core. */
export const referenceCode = { call: 0, jump: 1, read: 2, write: 3, address: 4 } as const;

/**
 * Decodes one instruction after another into its own fields, without an object for each. Offsets count from the start
 * of the code; addresses are RVAs. Nothing is kept between calls of `decode`; `scan` may fold pairs of instructions and
 * is told by `begin` where a straight run starts.
 */
export interface InstructionDecoder {
  /** Size of the last decoded instruction in bytes. */
  readonly length: number;
  /** A number of `flow`. */
  readonly flow: number;
  /** RVA of a direct call or jump, -1 without one. It may lie anywhere, also outside the image. */
  readonly target: number;
  /**
   * Bytes from the branch whose flow and target this is to the instruction decoded: control leaves only after the
   * instruction behind the branch, so that one carries them and the branch itself is sequential. 0 on most machines.
   */
  readonly delay: number;
  /** Position of the direct target among the operands. */
  readonly targetOperand: number;
  /** RVA of the memory cell that an indirect call or jump reads its target from, -1 when it is not a fixed cell. */
  readonly slot: number;

  /** Length and flow only. False when the bytes there are no instruction or end too early. */
  decode(offset: number): boolean;

  /** True when the instruction at the offset is one that a function nothing leads to may be guessed to start with. */
  startsFunction(offset: number): boolean;
  /** True when the instruction at the offset is one with which a function sets up its stack frame. */
  opensFrame(offset: number): boolean;

  /**
   * What `scan` knows of registers behind the instruction it read last, where it follows them; to be carried over jumps.
   * Absent where addresses are whole in one instruction or known only inside a straight run.
   */
  readonly registers?: RegisterState;
  /** Forgets what `scan` knows of earlier instructions. */
  begin(): void;
  /** As `decode`, and fills the reference fields (memory and constants; direct targets are in `target`). */
  scan(offset: number): boolean;
  readonly referenceCount: number;
  /** RVA of reference `index`. */
  referenceTo(index: number): number;
  /** A number of `referenceCode`. */
  referenceKind(index: number): number;
  referenceOperand(index: number): number;

  /** Frees what the decoder holds outside the JavaScript heap; safe to call twice. */
  close(): void;
}

/** One instruction set. */
export interface Disassembler {
  readonly architecture: Architecture;
  /** Instructions start at multiples of it. */
  readonly alignment: number;
  /** Longest instruction in bytes. */
  readonly longest: number;
  /** Functions that nothing leads to are looked for at multiples of it only. */
  readonly functionAlignment: number;
  /** A sentence about each thing the decoder is known not to follow. */
  readonly limitations: readonly string[];
  /** True when what it has decoded changes how it decodes: an analysis that was kept cannot go on with a fresh one. */
  readonly learns?: boolean;
  /** Which registers and stack places instructions use; absent where that is not known. */
  readonly registers?: RegisterModel;
  /**
   * The image with every address of code as the place of its first instruction, where the file's tables hold something
   * else (a bit that selects the instruction set, a descriptor). To be called once, before `open`.
   */
  prepareImage?(image: BinaryImage): BinaryImage;
  open(code: CodeBytes): InstructionDecoder;
  /** The table that the computed jump at `rva` reads its target from, when the instructions before it show one. */
  findJumpTable(rva: number, base: bigint, context: JumpContext): JumpTable | undefined;
  /** True when the computed jump at `rva` goes to an address that its function was handed or loads whole: no table leads there. */
  isTailJump?(rva: number, context: JumpContext): boolean;
  /** Reads what instructions of a piece of code do; absent where the leading bits of words tell. */
  operations?(bytes: Uint8Array): OperationReader;
  /** To be awaited before `format`; may load a large module. */
  prepareText(): Promise<void>;
  /**
   * The instruction at the start of `bytes`, with addresses shown as `base + rva`; undefined when there is none.
   */
  format(bytes: Uint8Array, rva: number, base: bigint): DecodedInstruction | undefined;
}
