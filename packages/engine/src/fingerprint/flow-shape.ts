import type { BasicBlock } from "../program.js";
import { Hash64 } from "./hash64.js";

/** Hash of the control flow: blocks as a breadth-first walk from the entry meets them, with their edges by kind. */
export function flowShape(blocks: readonly BasicBlock[], entry: number): string {
  const byStart = new Map(blocks.map((block) => [block.start, block]));
  const numbers = new Map([[entry, 0]]);
  const hash = new Hash64();
  // Grows while it is walked.
  for (const [start] of numbers) {
    const edges = [...(byStart.get(start)?.successors ?? [])].sort((a, b) => (a.kind === b.kind ? a.target - b.target : a.kind < b.kind ? -1 : 1));
    hash.number(edges.length);
    for (const { target, kind } of edges) {
      const inside = byStart.has(target);
      if (inside && !numbers.has(target)) numbers.set(target, numbers.size);
      hash.text(kind).number(inside ? (numbers.get(target) ?? 0) : -1);
    }
  }
  return hash.number(blocks.length - numbers.size).digest();
}
