import type { MemoryAccess } from "../disassembler/register-access.js";

/** A register's value in terms of a register at the start of the block, or a constant. */
export interface Symbol {
  /** Register at the start of the block; -1 for a constant. */
  readonly from: number;
  readonly add: number;
}

/** An access to memory whose address is a register at the start of the block plus a constant. */
export interface PlacedAccess extends Symbol {
  readonly rva: number;
  readonly bytes: number;
  readonly kind: MemoryAccess["kind"] | "address";
  readonly indexed: boolean;
  /** The stored general register while it holds what it held at the start of the block; -1 otherwise. */
  readonly stored: number;
  readonly storedVector: number;
  readonly content?: MemoryAccess["content"];
}

/** The call that ends or stands in a block. */
export interface CallSite {
  readonly rva: number;
  /** Entry of the callee; -1 when it is not direct. */
  readonly target: number;
  /** True when the register that counts vector arguments was set to a constant in this block since the last call. */
  readonly vectorCountSet: boolean;
  /** Registers written in this block before the call, since the last one. */
  readonly written: number;
}

/** `flags`: arithmetic for the conditional jump behind it; `leftover`: what a guard check or giving back stack room leaves. */
export type ReturnWrite = "none" | "written" | "read_since" | "call" | "flags" | "leftover";

/** What one block does to registers and the stack, in terms of its start. */
export interface BlockEffects {
  /** Registers read before the block writes them. */
  readonly exposed: number;
  readonly exposedVector: number;
  /** Registers written on every way through the block. */
  readonly killed: number;
  readonly killedVector: number;
  /** All registers that may be written. */
  readonly written: number;
  /** Values of registers at the end that are known; a written register that is missing is unknown. */
  readonly values: ReadonlyMap<number, Symbol>;
  readonly accesses: readonly PlacedAccess[];
  /** Values the stack pointer takes inside the block. */
  readonly stackPointers: readonly Symbol[];
  /** Address where the stack pointer is changed by an unknown amount; -1 when it is not. */
  readonly stackLost: number;
  readonly calls: readonly CallSite[];
  readonly generalReturn: ReturnWrite;
  readonly vectorReturn: ReturnWrite;
  readonly returns: boolean;
  /** Values the block leaves on the x87 stack, less those it takes off; undefined when it does not use it. */
  readonly x87Pushes: number | undefined;
  readonly returnPops: number;
  readonly undecoded: number;
  readonly framePointerSet: number;
}
