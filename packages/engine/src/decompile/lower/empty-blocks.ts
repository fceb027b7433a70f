import type { Code, CodeBlock } from "./code.js";
import { inOrder } from "./in-order.js";

/** Ways to blocks that only lead on go where those lead. */
export function withoutEmptyBlocks(code: Code): Code {
  let isChanged = false;
  for (const block of code.blocks.slice(1)) {
    const [target] = block.successors;
    if (!leadsOn(block) || target === undefined || target === block) continue;
    for (const from of [...block.predecessors]) isChanged = redirect(from, block, target) || isChanged;
  }
  return isChanged ? { ...code, blocks: inOrder(code.blocks) } : code;
}

function leadsOn({ ending, lines, edgeLines }: CodeBlock): boolean {
  return ending.kind === "jump" && lines.length === 0 && (edgeLines[0]?.length ?? 0) === 0;
}

/** False where both ways of a question would become one, and for a switch, which knows its targets by where they start. */
function redirect(from: CodeBlock, block: CodeBlock, target: CodeBlock): boolean {
  if (from.ending.kind === "switch" || from === block || from.successors.includes(target)) return false;
  from.successors.splice(from.successors.indexOf(block), 1, target);
  block.predecessors.splice(block.predecessors.indexOf(from), 1);
  target.predecessors.push(from);
  if (block.predecessors.length === 0) target.predecessors.splice(target.predecessors.indexOf(block), 1);
  return true;
}
