import type { Code, CodeBlock } from "./code.js";
import { inOrder } from "./in-order.js";

/** Questions whose answer is known lead to where the answer leads; what nothing leads to any more is gone. */
export function withoutConstantBranches(code: Code): Code {
  const known = code.blocks.filter(({ ending }) => ending.kind === "branch" && ending.condition.kind === "const");
  if (known.length === 0) return code;
  for (const block of known) answer(block);
  const blocks = inOrder(code.blocks);
  const reached = new Set(blocks);
  for (const { predecessors } of blocks) predecessors.splice(0, predecessors.length, ...predecessors.filter((each) => reached.has(each)));
  return { ...code, blocks };
}

function answer(block: CodeBlock): void {
  const { ending, successors, edgeLines } = block;
  if (ending.kind !== "branch" || ending.condition.kind !== "const") return;
  const gone = ending.condition.value === 0n ? 0 : 1;
  const [left] = successors.splice(gone, 1);
  edgeLines.splice(gone, 1);
  left?.predecessors.splice(left.predecessors.indexOf(block), 1);
  block.ending = { kind: "jump" };
}
