import type { Node } from "../structure/node.js";

/** True for a case body without a statement, which C wants before a closing brace. */
export function isFallThrough(body: readonly Node[]): boolean {
  return body.every(({ kind }) => kind === "label");
}
