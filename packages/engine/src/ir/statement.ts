import type { Expr } from "./expression.js";

/** What one step of a block does, before values have one definition each. `at` is the instruction's RVA. */
export type Step =
  | { readonly kind: "set"; readonly at: number; readonly place: number; readonly value: Expr }
  | { readonly kind: "store"; readonly at: number; readonly address: Expr; readonly value: Expr }
  | { readonly kind: "call"; readonly at: number; readonly target: CallTarget }
  /** An operation with effects: writes memory or the machine. Its result, if any, goes to `place`. */
  | { readonly kind: "effect"; readonly at: number; readonly name: string; readonly args: readonly Expr[]; readonly place: number; readonly bits: number };

export type CallTarget =
  | { readonly kind: "direct"; readonly rva: number }
  | { readonly kind: "indirect"; readonly address: Expr };

/** How a block ends. Blocks are named by the RVA of their start. */
export type Ending =
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "branch"; readonly at: number; readonly condition: Expr; readonly then: number; readonly otherwise: number }
  | { readonly kind: "switch"; readonly at: number; readonly selector: Expr; readonly cases: readonly SwitchCase[]; readonly otherwise: number | undefined }
  | { readonly kind: "return"; readonly at: number }
  | { readonly kind: "tail"; readonly at: number; readonly target: CallTarget }
  /** Control does not come back: behind a call that never returns, or a trap. */
  | { readonly kind: "stop"; readonly at: number; readonly how: string };

export interface SwitchCase {
  readonly value: bigint;
  readonly to: number;
}

export interface LiftedBlock {
  readonly start: number;
  readonly steps: readonly Step[];
  readonly ending: Ending;
}
