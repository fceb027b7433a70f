import type { Definition, Expr } from "../../ir/expression.js";
import type { SwitchCase } from "../../ir/statement.js";
import type { Callee } from "../ssa/graph.js";

/** A C variable: one class of values. */
export interface Variable {
  readonly id: number;
  readonly bits: number;
  /** Position among the parameters; undefined for locals. */
  readonly parameter: number | undefined;
  /** The register or stack place it mostly stands for. */
  readonly place: number;
  readonly members: readonly Definition[];
}

/** Statements of C, in order. `at` is the RVA of the instruction, -1 for copies that have none. */
export type Line =
  | { readonly kind: "assign"; readonly at: number; readonly to: Variable; readonly value: Expr }
  | { readonly kind: "store"; readonly at: number; readonly address: Expr; readonly value: Expr }
  | { readonly kind: "call"; readonly at: number; readonly call: Call; readonly to: Variable | undefined }
  | { readonly kind: "effect"; readonly at: number; readonly name: string; readonly args: readonly Expr[]; readonly to: Variable | undefined }
  | { readonly kind: "comment"; readonly at: number; readonly text: string };

export interface Call {
  readonly callee: Callee;
  /** The address of an indirect call. */
  readonly address: Expr | undefined;
  readonly args: readonly Expr[];
}

export type CodeEnding =
  | { readonly kind: "jump" }
  | { readonly kind: "branch"; readonly at: number; readonly condition: Expr }
  | { readonly kind: "switch"; readonly at: number; readonly selector: Expr; readonly cases: readonly SwitchCase[]; readonly hasDefault: boolean }
  | { readonly kind: "return"; readonly at: number; readonly value: Expr | undefined }
  | { readonly kind: "stop"; readonly at: number; readonly how: string };

export interface CodeBlock {
  readonly id: number;
  readonly start: number;
  readonly lines: readonly Line[];
  ending: CodeEnding;
  readonly successors: CodeBlock[];
  readonly predecessors: CodeBlock[];
  /** Copies on the way to each successor, in the order of `successors`. */
  readonly edgeLines: (readonly Line[])[];
}

export interface Code {
  /** In reverse postorder, the entry first. */
  readonly blocks: readonly CodeBlock[];
  readonly parameters: readonly Variable[];
  readonly variables: readonly Variable[];
  variableOf(def: Definition): Variable;
  /** A variable of its own, for what the structure of the text has to remember, and a value that is read from it. */
  newFlag(): { readonly variable: Variable; readonly def: Definition };
  /** Those that were made so far. */
  readonly flags: readonly Variable[];
}
