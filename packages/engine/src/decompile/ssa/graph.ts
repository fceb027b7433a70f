import type { Definition, Expr } from "../../ir/expression.js";
import type { CallTarget, SwitchCase } from "../../ir/statement.js";
import type { ResultShape } from "../machine-model.js";
import type { ValueType } from "../types/value-type.js";

export type { ValueType } from "../types/value-type.js";

/** Statements over values with one definition each. `at` is the RVA of the instruction. */
export type Statement = DefStatement | StoreStatement | CallStatement | EffectStatement;

export interface DefStatement {
  readonly kind: "def";
  readonly at: number;
  readonly def: Definition;
}

export interface StoreStatement {
  readonly kind: "store";
  readonly at: number;
  address: Expr;
  value: Expr;
}

export interface CallStatement {
  readonly kind: "call";
  readonly at: number;
  readonly target: CallTarget;
  /** The address of an indirect call. */
  address: Expr | undefined;
  /** What registers that may carry arguments hold, by place; empty once the call is resolved. */
  state: Map<number, Expr>;
  args: Expr[];
  /** What it leaves in registers, by place; the first used one is its result. */
  results: Map<number, Definition>;
  callee: Callee | undefined;
}

/** What a resolved call calls, as it is written. */
export interface Callee {
  readonly name: string;
  readonly entry: number | undefined;
  readonly signature: Signature;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly variadic: boolean;
  readonly result: ValueType;
  /** Where the result, a number of 128 bits, stands in several registers. */
  readonly shape?: ResultShape;
  /** Where it is known from. */
  readonly source: "library" | "code" | "guess" | "debug";
  readonly noReturn?: boolean;
}

export interface Parameter {
  readonly type: ValueType;
  /** Register or stack place; undefined for those that are only known by type. */
  readonly place: number | undefined;
  readonly name?: string;
}

export interface EffectStatement {
  readonly kind: "effect";
  readonly at: number;
  readonly name: string;
  args: Expr[];
  result: Definition | undefined;
}

/** `lastSet` of a return: which of the two registers for single results was set last in its block. */
export type BlockEnding =
  | { readonly kind: "jump" }
  | { readonly kind: "branch"; readonly at: number; condition: Expr }
  | { readonly kind: "switch"; readonly at: number; selector: Expr; cases: readonly SwitchCase[]; hasDefault: boolean }
  | { readonly kind: "return"; readonly at: number; state: Map<number, Expr>; value: Expr | undefined; readonly lastSet?: number }
  | { readonly kind: "stop"; readonly at: number; readonly how: string };

/** A block; the successors of a branch are [taken, not taken], those of a switch the distinct targets, then the default. */
export interface Block {
  readonly id: number;
  readonly start: number;
  phis: Definition[];
  statements: Statement[];
  ending: BlockEnding;
  predecessors: Block[];
  successors: Block[];
}

/** A function whose values have one definition each. `blocks` is in reverse postorder, the entry first. */
export interface Graph {
  readonly entry: number;
  blocks: Block[];
  /** Values of places at the entry. */
  readonly entryValues: Map<number, Definition>;
  newDefinition(bits: number, place: number, source: Definition["source"]): Definition;
}

export function forEachExpr(block: Block, visit: (expr: Expr) => void): void {
  for (const phi of block.phis) if (phi.source.kind === "phi") phi.source.args.forEach(visit);
  for (const statement of block.statements) forEachStatementExpr(statement, visit);
  forEachEndingExpr(block.ending, visit);
}

export function forEachStatementExpr(statement: Statement, visit: (expr: Expr) => void): void {
  switch (statement.kind) {
    case "def":
      if (statement.def.source.kind === "expr") visit(statement.def.source.expr);
      return;
    case "store":
      visit(statement.address);
      visit(statement.value);
      return;
    case "call":
      if (statement.address !== undefined) visit(statement.address);
      statement.args.forEach(visit);
      statement.state.forEach(visit);
      return;
    case "effect":
      statement.args.forEach(visit);
      return;
  }
}

export function forEachEndingExpr(ending: BlockEnding, visit: (expr: Expr) => void): void {
  if (ending.kind === "branch") visit(ending.condition);
  else if (ending.kind === "switch") visit(ending.selector);
  else if (ending.kind === "return") {
    ending.state.forEach(visit);
    if (ending.value !== undefined) visit(ending.value);
  }
}

export function mapStatement(statement: Statement, map: (expr: Expr) => Expr): void {
  switch (statement.kind) {
    case "def":
      if (statement.def.source.kind === "expr") statement.def.source = { kind: "expr", expr: map(statement.def.source.expr) };
      return;
    case "store":
      statement.address = map(statement.address);
      statement.value = map(statement.value);
      return;
    case "call":
      if (statement.address !== undefined) statement.address = map(statement.address);
      statement.args = statement.args.map(map);
      mapState(statement.state, map);
      return;
    case "effect":
      statement.args = statement.args.map(map);
      return;
  }
}

function mapState(state: Map<number, Expr>, map: (expr: Expr) => Expr): void {
  for (const [place, expr] of state) state.set(place, map(expr));
}

/** Replaces every expression of a block. */
export function mapBlock(block: Block, map: (expr: Expr) => Expr): void {
  for (const phi of block.phis) if (phi.source.kind === "phi") phi.source = { kind: "phi", args: phi.source.args.map(map) };
  for (const statement of block.statements) mapStatement(statement, map);
  mapEnding(block.ending, map);
}

export function mapEnding(ending: BlockEnding, map: (expr: Expr) => Expr): void {
  if (ending.kind === "branch") ending.condition = map(ending.condition);
  else if (ending.kind === "switch") ending.selector = map(ending.selector);
  else if (ending.kind === "return") {
    mapState(ending.state, map);
    if (ending.value !== undefined) ending.value = map(ending.value);
  }
}
