import type { Expr } from "../../ir/expression.js";
import { not1 } from "../../ir/simplify.js";
import type { Ending, LiftedBlock } from "../../ir/statement.js";
import type { Case, Node } from "../structure/node.js";
import type { LinearBlock } from "./linear-block.js";
import type { Selection } from "./linear-switch.js";

export interface LinearPart {
  readonly lifted: LiftedBlock;
  readonly block: LinearBlock;
  /** Of a block that ends with a jump through a table whose index is known. */
  readonly selection: Selection | undefined;
}

/** The blocks one after another as they stand in the file, with a label and a jump for each way that does not lead to the next. */
export function linearNodes(parts: readonly LinearPart[], entry: number): Node[] {
  const known = new Set(parts.map(({ lifted }) => lifted.start));
  const targets = new Set(parts.flatMap(({ lifted, selection }, index) => wanted(lifted.ending, selection).filter((to) => selection !== undefined || to !== parts[index + 1]?.lifted.start)));
  const first = parts[0]?.lifted.start;
  const nodes: Node[] = first === undefined || first === entry ? [] : [{ kind: "goto", label: entry }];
  if (nodes.length > 0) targets.add(entry);
  for (const [index, part] of parts.entries()) {
    const { start } = part.lifted;
    if (targets.has(start)) nodes.push({ kind: "label", label: start });
    if (part.block.lines.length > 0) nodes.push({ kind: "lines", lines: part.block.lines });
    nodes.push(...endingNodes(part, { next: parts[index + 1]?.lifted.start, known }));
  }
  return nodes;
}

function wanted(ending: Ending, selection: Selection | undefined): readonly number[] {
  if (ending.kind === "jump") return [ending.to];
  if (ending.kind === "branch") return [ending.then, ending.otherwise];
  return selection?.cases.map(({ to }) => to) ?? [];
}

interface Place {
  /** Start of the block that stands behind. */
  readonly next: number | undefined;
  readonly known: ReadonlySet<number>;
}

function endingNodes({ lifted: { ending }, block, selection }: LinearPart, place: Place): Node[] {
  switch (ending.kind) {
    case "jump":
      return way(ending.to, place);
    case "branch":
      return branchNodes(ending, block.value(ending.condition), place);
    case "switch":
      if (selection === undefined) return [{ kind: "stop", at: ending.at, how: "a jump through a table whose index is not known" }];
      return [{ kind: "switch", at: ending.at, selector: selection.index, cases: casesOf(selection) }, { kind: "stop", at: ending.at, how: "no case of the table" }];
    case "return":
    case "tail":
      return [{ kind: "return", at: ending.at, value: block.returned() }];
    case "stop":
      return [{ kind: "stop", at: ending.at, how: ending.how }];
  }
}

function branchNodes({ at, then, otherwise }: Extract<Ending, { kind: "branch" }>, condition: Expr, place: Place): Node[] {
  if (then === place.next) return otherwise === place.next ? [] : [{ kind: "if", at, condition: not1(condition), then: way(otherwise, place), otherwise: [] }];
  return [{ kind: "if", at, condition, then: way(then, place), otherwise: [] }, ...way(otherwise, place)];
}

/** How control gets to a block. */
function way(to: number, { next, known }: Place): Node[] {
  if (to === next) return [];
  return known.has(to) ? [{ kind: "goto", label: to }] : [{ kind: "stop", at: to, how: "control leaves the function" }];
}

function casesOf({ cases }: Selection): Case[] {
  const values = new Map<number, bigint[]>();
  for (const { value, to } of cases) values.set(to, [...(values.get(to) ?? []), value]);
  return [...values].map(([to, each]) => ({ values: each, isDefault: false, body: [{ kind: "goto", label: to }] }));
}
