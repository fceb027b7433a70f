import { readsMemory, sizeOf, use, type Definition, type Expr, type Read } from "../../ir/expression.js";
import type { LiftedBlock, SwitchCase } from "../../ir/statement.js";
import { indexOf } from "../program/switches.js";
import { rewrite } from "../ssa/rewrite.js";

/** The index of a jump through a table, and where each value of it leads. */
export interface Selection {
  readonly index: Expr;
  readonly cases: readonly SwitchCase[];
}

/** What of a block has to be kept aside so that the index can be asked at its end. */
export interface SelectionPlan {
  /** Values of the block's own that the index is made of. */
  readonly index: Expr;
  /** Places to keep: after the step with that number, -1 for the start of the block. */
  readonly kept: ReadonlyMap<Definition, { readonly step: number; readonly place: number }>;
}

const largest = 30;

/** Finds the index that selects an entry of the table a block's jump goes through; undefined where the block does not show it. */
export function planSelection({ steps, ending }: LiftedBlock): SelectionPlan | undefined {
  if (ending.kind !== "switch") return undefined;
  const where = new Map<Definition, { readonly step: number; readonly place: number }>();
  const current = new Map<number, Definition>();
  let id = 0;
  const define = (place: number, bits: number, at: { readonly step: number; readonly source: Definition["source"] }): Definition => {
    id += 1;
    const def: Definition = { id, bits, place, source: at.source };
    where.set(def, { step: at.step, place });
    current.set(place, def);
    return def;
  };
  const held = ({ place, bits }: Read): Expr => {
    const def = current.get(place) ?? define(place, bits, { step: -1, source: { kind: "entry" } });
    // What is only computed is seen whole, so that the terms of an address show; what is loaded stays a value.
    return def.source.kind === "expr" && !readsMemory(def.source.expr) && sizeOf(def.source.expr, largest) < largest ? def.source.expr : use(def);
  };
  const value = (expr: Expr): Expr => rewrite(expr, (leaf) => (leaf.kind === "read" ? held(leaf) : leaf));
  for (const [step, each] of steps.entries()) {
    if (each.kind === "set") define(each.place, each.value.bits, { step, source: { kind: "expr", expr: value(each.value) } });
    else if (each.kind === "effect") define(each.place, each.bits, { step, source: { kind: "result" } });
  }
  const index = indexOf(value(ending.selector), new Set());
  return index === undefined ? undefined : { index, kept: where };
}
