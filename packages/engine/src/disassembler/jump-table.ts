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
  /** Mapped bytes of the file, fewer than asked where they end. */
  read(rva: number, length: number): Uint8Array;
}

/** How far back instructions are looked at. */
export const windowInstructions = 48;
export const hoistedInstructions = 4000;
