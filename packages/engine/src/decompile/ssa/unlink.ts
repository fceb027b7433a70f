import type { Block } from "./graph.js";

/** Takes the way from one block to another out of the other's ways in and merges. */
export function unlink(from: Block, to: Block): void {
  const position = to.predecessors.indexOf(from);
  if (position < 0) return;
  to.predecessors.splice(position, 1);
  for (const phi of to.phis) if (phi.source.kind === "phi") phi.source.args.splice(position, 1);
}
