import type { Code, CodeBlock } from "./code.js";
import { inOrder } from "./in-order.js";

/** The same code with a copy of the block for each way that leads to it, and the ids of all. What `code` is made of stays as it is. */
export function splitBlock(code: Code, id: number): { readonly code: Code; readonly ids: readonly number[] } {
  const copies = copied(code.blocks);
  const block = copies.find((each) => each.id === id);
  if (block === undefined) return { code, ids: [] };
  let nextId = copies.reduce((most, each) => Math.max(most, each.id), 0);
  const made = block.predecessors.slice(1).map((from): CodeBlock => {
    nextId += 1;
    const copy: CodeBlock = { ...block, id: nextId, predecessors: [from], successors: [...block.successors], edgeLines: [...block.edgeLines] };
    from.successors.splice(from.successors.indexOf(block), 1, copy);
    for (const successor of copy.successors) successor.predecessors.push(copy);
    return copy;
  });
  block.predecessors.splice(1);
  return { code: { ...code, blocks: inOrder([...copies, ...made]) }, ids: [block, ...made].map((each) => each.id) };
}

function copied(blocks: readonly CodeBlock[]): CodeBlock[] {
  const copies = new Map(blocks.map((block) => [block, { ...block, successors: [...block.successors], predecessors: [...block.predecessors], edgeLines: [...block.edgeLines] }]));
  const copyOf = (block: CodeBlock): CodeBlock => copies.get(block) ?? block;
  const made = [...copies.values()];
  for (const { successors, predecessors } of made) {
    successors.splice(0, successors.length, ...successors.map(copyOf));
    predecessors.splice(0, predecessors.length, ...predecessors.map(copyOf));
  }
  return made;
}
