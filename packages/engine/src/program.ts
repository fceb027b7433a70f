import type { Omission, ProcedureSource, ReferenceKind } from "@rea/core";
import type { BinaryImage } from "@rea/binary";

/**
 * The analysed program: what the engine knows of one image. Addresses inside are RVAs: numbers counted from `base`
 * (the image's lowest mapped address), exact below 2^53, so that tables can be typed arrays; they become VAs at the edge.
 */
export interface Program {
  readonly image: BinaryImage;
  readonly base: bigint;
  toRva(va: bigint): number | undefined;
  toVa(rva: number): bigint;

  /** Sorted by entry. Imported functions that have a stub appear as external thunks at the stub. */
  readonly functions: readonly FunctionRecord[];
  functionAt(entryRva: number): FunctionRecord | undefined;
  /** The function one of whose ranges holds the address. */
  functionContaining(rva: number): FunctionRecord | undefined;
  /** Entries of the functions that are called exactly so, or at whose entry one of `names` is; sorted, unique. */
  entriesNamed(name: string): readonly number[];

  /** Sorted by start; blocks are cut at branch targets and after flow-ending instructions. */
  blocks(fn: FunctionRecord): readonly BasicBlock[];
  /** Starts of all instructions of a function in address order. */
  instructionStarts(fn: FunctionRecord): readonly number[];
  /** Decodes and formats the instruction at exactly this address, or says why it cannot. */
  decodeAt(rva: number): DecodedInstruction | undefined;
  /** What the analysis holds at an address. */
  classify(rva: number): "instruction" | "mid_instruction" | "data" | "outside" | "undecodable";
  /** Start of the analysed instruction that covers the address. */
  instructionCovering(rva: number): number | undefined;
  /** Start of the next (or previous) analysed item: instruction, string, symbol or pointer. */
  neighbour(rva: number, direction: "next" | "previous"): number | undefined;

  /** Sorted by `from`; code and data (pointer) references. */
  referencesTo(rva: number): readonly Reference[];
  /** All references made by instructions of the function, sorted by `from` then operand. */
  referencesFrom(fn: FunctionRecord): readonly Reference[];
  /** References made by one instruction. */
  referencesAt(rva: number): readonly Reference[];
  /** Entries of functions that contain a direct call or tail call to it, or a call of another place inside it; sorted, unique. */
  callers(fn: FunctionRecord): readonly number[];
  /** Entries (or stubs) directly called by it, for a call of a place inside a function its entry; sorted, unique. */
  callees(fn: FunctionRecord): readonly number[];

  /** Symbols, exports and import stubs/slots by address; several names may share one. Sorted by address then name. */
  readonly names: readonly NameRecord[];
  namesAt(rva: number): readonly NameRecord[];
  readonly strings: readonly StringRecord[];

  readonly coverage: AnalysisCoverage;
}

export interface FunctionRecord {
  readonly entry: number;
  /** Half-open; the first holds the entry, the others are sorted by start (split-off parts may stand before the entry). */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  /** Bytes of all ranges. */
  readonly size: number;
  readonly name: string;
  readonly nameSource: "symbol" | "export" | "import" | "generated";
  /** Sorted; never empty. */
  readonly sources: readonly ProcedureSource[];
  /** Lives in another image; this entry is its stub. */
  readonly external: boolean;
  readonly thunk: boolean;
  /** Name of what a thunk jumps to. */
  readonly thunkTarget: string | undefined;
  readonly noReturn: boolean;
}

export interface BasicBlock {
  readonly start: number;
  readonly end: number;
  readonly instructionCount: number;
  readonly successors: readonly { readonly target: number; readonly kind: EdgeKind }[];
}

export type EdgeKind = "fallthrough" | "branch" | "jump" | "switch";

export type FlowKind =
  | "sequential"
  | "call"
  | "indirect_call"
  | "jump"
  | "indirect_jump"
  | "conditional_jump"
  | "return"
  | "trap"
  | "halt";

export interface DecodedInstruction {
  readonly rva: number;
  readonly length: number;
  readonly bytes: Uint8Array;
  readonly mnemonic: string;
  /** Mnemonic and operands, addresses resolved, e.g. `mov rax, qword ptr [0x404018]`. */
  readonly text: string;
  readonly operands: readonly { readonly text: string; readonly kind: OperandKind; readonly access: OperandAccess | undefined }[];
  readonly flow: FlowKind;
}

export type OperandKind = "register" | "immediate" | "memory" | "target" | "other";
export type OperandAccess = "read" | "write" | "read_write" | "none";

export interface Reference {
  readonly from: number;
  readonly to: number;
  readonly kind: ReferenceKind;
  /** Undefined for references from data. */
  readonly operandIndex: number | undefined;
  /** True for a cell of data that is taken for a pointer because of its value alone. */
  readonly byValue?: boolean;
}

export interface NameRecord {
  readonly rva: number;
  readonly name: string;
  readonly kind: string | undefined;
  readonly binding: string | undefined;
  /** `symtab`, `dynsym`, `export`, `import-stub`, `import-slot`, … */
  readonly source: string;
  readonly library: string | undefined;
}

export interface StringRecord {
  readonly rva: number;
  readonly byteLength: number;
  readonly encoding: "ascii" | "utf-8" | "utf-16le" | "utf-16be";
  readonly terminated: boolean;
  /** Decoded, not yet escaped; decoded when asked. */
  text(): string;
}

/** What the analysis looked at and what it did not. */
export interface AnalysisCoverage {
  /** Bytes of executable sections (segments where there are no sections). */
  readonly codeBytes: number;
  /** Of these, bytes inside instructions of functions, and the fill between functions. */
  readonly examinedCodeBytes: number;
  readonly unresolvedIndirectJumps: readonly number[];
  readonly omissions: readonly Omission[];
  /** Standing sentences for `limitations`, e.g. that indirect calls are not followed. */
  readonly limitations: readonly string[];
}
