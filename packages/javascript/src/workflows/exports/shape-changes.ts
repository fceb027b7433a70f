import type { ShapeChange, ShapePresence } from "@rea/core";
import type { Shape } from "./find-export.js";
import { isLiteral } from "./pair-variants.js";

export interface ShapeDifference {
  readonly changes: readonly Omit<ShapeChange, "variant">[];
  /** Places of which it is not known whether they differ. */
  readonly unknown: number;
}

/** In which places two values differ. Symmetric in its sides. */
export function shapeChanges(left: Shape, right: Shape): ShapeDifference {
  const changes: Omit<ShapeChange, "variant">[] = [];
  let unknown = 0;
  for (const pointer of [...new Set([...left.keys(), ...right.keys()])].sort()) {
    const [mine, theirs] = [left.get(pointer), right.get(pointer)];
    if (mine !== undefined && theirs !== undefined) {
      const difference = tokenDifference(mine, theirs);
      if (difference === "different") changes.push({ pointer, left: "present", right: "present", left_value: mine, right_value: theirs });
      else if (difference === "unknown") unknown += 1;
      continue;
    }
    const [inLeft, inRight] = [presence(left, pointer), presence(right, pointer)];
    if (inLeft === undefined || inRight === undefined) continue;
    if (inLeft === "unknown" || inRight === "unknown") unknown += 1;
    changes.push({ pointer, left: inLeft, right: inRight, left_value: mine ?? null, right_value: theirs ?? null });
  }
  return { changes, unknown: unknown + [...left, ...right].filter(([, token]) => token.endsWith("+")).length };
}

/** Undefined where the value above is missing or another: then that is the change. */
function presence(shape: Shape, pointer: string): ShapePresence | undefined {
  if (shape.has(pointer)) return "present";
  const above = shape.get(pointer.slice(0, pointer.lastIndexOf("/")));
  if (above === "object" || above === "array") return "absent";
  return above === "object+" || above === "array+" || above === "unknown" ? "unknown" : undefined;
}

function tokenDifference(mine: string, theirs: string): "equal" | "different" | "unknown" {
  if (mine === "unknown" || theirs === "unknown") return "unknown";
  if (mine === theirs) return "equal";
  if (typeOf(mine) !== typeOf(theirs)) return "different";
  if (isLiteral(mine) && isLiteral(theirs)) return "different";
  return isLiteral(mine) || isLiteral(theirs) ? "unknown" : "equal";
}

function typeOf(token: string): string {
  if (token.startsWith('"')) return "string";
  if (token === "true" || token === "false") return "boolean";
  if (/^-?\d/u.test(token)) return "number";
  return token.replace(/\+$/u, "");
}
