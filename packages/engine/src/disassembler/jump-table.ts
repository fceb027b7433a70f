/** A table of jump targets that the instructions before a computed jump give away. */
export interface JumpTable {
  /** RVA of the first entry. */
  readonly table: number;
  readonly entryBytes: 1 | 2 | 4 | 8;
  readonly signed: boolean;
  /** Entries count in units of `1 << shift` bytes. */
  readonly shift: number;
  /** RVA the entries count from; undefined where entries are whole addresses. */
  readonly base: number | undefined;
  /** Number of entries, where the instructions before the jump bound the index. */
  readonly bound: IndexBound | undefined;
  /** How the value that is switched on selects an entry; absent where the instructions do not bound it. */
  readonly selector?: SwitchSelector | undefined;
}

/** How a switched value becomes a position in a table. */
export interface SwitchSelector {
  /** The value that position 0 stands for; undefined where the instructions do not show all that led to it. */
  readonly lowest: number | undefined;
  /** RVA of the conditional jump that keeps other values away; undefined where a mask does. */
  readonly guard: number | undefined;
  /** True when the guard jumps to the table's side and falls through with other values. */
  readonly guardTaken: boolean;
  /** A table of bytes between the value and the table of targets: `value - lowest` selects a byte, the byte an entry. */
  readonly indices: { readonly table: number; readonly count: number } | undefined;
}

export interface IndexBound {
  readonly count: number;
  /** A comparison says exactly how many; a mask may allow more than there are. */
  readonly exact: boolean;
}

/** What a search for a table may look at. */
export interface JumpContext {
  /** Start of the instruction that runs into the one at `rva`; -1 when there is none or flow does not pass. */
  previous(rva: number): number;
  /** A conditional jump of the same function that leads to `rva`; -1 when none is near. */
  jumperTo(rva: number): number;
  /** Start of the decoded instruction nearest before `rva` in memory inside the same function, whatever its flow; else -1. */
  preceding(rva: number): number;
  /** Whether exactly one instruction leads to the one at `rva`, or it is the function's first; absent while that is not known. */
  comesFrom?(rva: number): "one" | "entry" | "many";
  /** Mapped bytes of the file, fewer than asked where they end. */
  read(rva: number, length: number): Uint8Array;
}

/** How far back instructions are looked at. */
export const windowInstructions = 48;
export const hoistedInstructions = 4000;
