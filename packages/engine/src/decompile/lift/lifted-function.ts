import type { LiftedBlock } from "../../ir/statement.js";

/** A function as steps of blocks, the first the entry. */
export interface LiftedFunction {
  readonly entry: number;
  readonly blocks: readonly LiftedBlock[];
  /** Names of operations that are only named, not expressed. */
  readonly named: ReadonlySet<string>;
}
