import type { Expr } from "../../ir/expression.js";
import type { Line } from "../lower/code.js";

/** Structured code: what C's statements say. Conditions are 1-bit values. */
export type Node =
  | { readonly kind: "lines"; readonly lines: readonly Line[] }
  | { readonly kind: "if"; readonly at: number; readonly condition: Expr; readonly then: readonly Node[]; readonly otherwise: readonly Node[] }
  /** Endless until something leaves it. */
  | { readonly kind: "loop"; readonly body: readonly Node[] }
  | { readonly kind: "while"; readonly at: number; readonly condition: Expr; readonly body: readonly Node[] }
  | { readonly kind: "do"; readonly at: number; readonly condition: Expr; readonly body: readonly Node[] }
  | { readonly kind: "for"; readonly at: number; readonly first: readonly Line[]; readonly condition: Expr; readonly step: Line; readonly body: readonly Node[] }
  | { readonly kind: "switch"; readonly at: number; readonly selector: Expr; readonly cases: readonly Case[] }
  | { readonly kind: "break" }
  | { readonly kind: "continue" }
  | { readonly kind: "goto"; readonly label: number }
  | { readonly kind: "label"; readonly label: number }
  | { readonly kind: "return"; readonly at: number; readonly value: Expr | undefined }
  | { readonly kind: "stop"; readonly at: number; readonly how: string };

export interface Case {
  readonly values: readonly bigint[];
  readonly isDefault: boolean;
  readonly body: readonly Node[];
}
