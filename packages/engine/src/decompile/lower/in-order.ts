/** Reverse postorder from the first block. */
export function inOrder<B extends { readonly successors: readonly B[] }>(blocks: readonly B[]): B[] {
  const [entry] = blocks;
  if (entry === undefined) return [];
  const seen = new Set<B>([entry]);
  const order: B[] = [];
  const stack: { readonly block: B; next: number }[] = [{ block: entry, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const successor = top.block.successors[top.next];
    top.next += 1;
    if (successor === undefined) {
      order.push(top.block);
      stack.pop();
    } else if (!seen.has(successor)) {
      seen.add(successor);
      stack.push({ block: successor, next: 0 });
    }
  }
  return order.reverse();
}
