/** Names and roles of a machine's registers; a register's number is its place in `general` or `vector`. */
export interface RegisterFile {
  readonly general: readonly string[];
  readonly vector: readonly string[];
  readonly stackPointer: number;
  /** The register that compilers use as frame pointer. */
  readonly framePointer: number;
  /** Bytes of a general register. */
  readonly wordBytes: number;
  /** Bytes a call puts on the stack before the callee's first instruction. */
  readonly returnAddressBytes: number;
}

/** Registers as bits: bit n of `general` is general register n, bit n of `vector` vector register n. */
export interface RegisterSet {
  readonly general: number;
  readonly vector: number;
}

/** A register set to another one, or to a constant (`from` is -1), plus `add` and the term. */
export interface RegisterMove {
  readonly to: number;
  readonly from: number;
  readonly add: number;
  /** Register whose value is added or subtracted as well. */
  readonly term?: { readonly register: number; readonly sign: 1 | -1 };
}

/** One access to memory, its address written with the registers as they are before the instruction. */
export interface MemoryAccess {
  /** General register, -1 without one. */
  readonly base: number;
  readonly offset: number;
  /** True when another register takes part in the address. */
  readonly indexed: boolean;
  readonly bytes: number;
  readonly kind: "load" | "store" | "both";
  /** General register that is stored or loaded whole; -1 otherwise. */
  readonly general: number;
  /** Vector register that is stored or loaded; -1 otherwise. */
  readonly vector: number;
  /** One floating-point number of at most 8 bytes, or what may be of any kind; absent where it is taken for an integer. */
  readonly content?: "float" | "unclear" | undefined;
}

/**
 * What one instruction does to registers; for calls and returns without what they do to the stack pointer. Partial writes count as writes; what may not
 * happen is no definite write.
 */
export interface InstructionEffects {
  readonly length: number;
  readonly reads: RegisterSet;
  /** All that may be written. */
  readonly writes: RegisterSet;
  /** What is written whenever the instruction is executed. */
  readonly definiteWrites: RegisterSet;
  readonly moves: readonly RegisterMove[];
  readonly memory: readonly MemoryAccess[];
  /** `push` of a register: it may only make room. */
  readonly isPush: boolean;
  /** Bytes of arguments that a return removes from the stack; 0 elsewhere. */
  readonly returnPops: number;
  /** Address arithmetic only: the address of this place is put into a register. */
  readonly address: { readonly base: number; readonly offset: number } | undefined;
  /** Sets the flags that conditional jumps ask. */
  readonly setsFlags?: boolean;
  /** Arithmetic with a word of the thread's own block (x86 `fs:` and `gs:`): the check of a stack guard. */
  readonly checksGuard?: boolean;
  /** Values put on the x87 stack, negative where they are taken off; undefined for other instructions and where its top is modelled as a register. */
  readonly x87Pushes?: number | undefined;
}

/** Reads the register effects of instructions in a piece of code. */
export interface RegisterDecoder {
  /** The instruction at an offset of the piece; undefined when there is none or its effects are not known. */
  read(offset: number): InstructionEffects | undefined;
  /** Frees what is held outside the JavaScript heap; safe to call twice. */
  close(): void;
}

/** Register access of an instruction set. */
export interface RegisterModel {
  readonly file: RegisterFile;
  open(bytes: Uint8Array, start: number): RegisterDecoder;
}

export const noRegisters: RegisterSet = { general: 0, vector: 0 };
