import { edgeStride, nodeStride, type FunctionFacts } from "./file-semantics.js";
import { digest } from "./function-shape.js";
import type { SemanticTable } from "./semantic-table.js";

/** Adds to each function the digest of how many relations of each kind begin in it. */
export function relationShapes(functions: readonly Omit<FunctionFacts, "relations">[], { nodes, edges }: Pick<SemanticTable, "nodes" | "edges">): readonly FunctionFacts[] {
  const counts = new Map<number, Map<number, number>>(functions.map(({ node }) => [node, new Map<number, number>()]));
  for (let at = 0; at < edges.length; at += edgeStride) {
    const [relation = 0, from = -1] = [edges[at], edges[at + 1]];
    const own = counts.get(from) ?? counts.get(nodes[from * nodeStride + 6] ?? -1);
    own?.set(relation, (own.get(relation) ?? 0) + 1);
  }
  return functions.map((one) => ({ ...one, relations: digest([...(counts.get(one.node) ?? [])].sort(([a], [b]) => a - b).join(";")) }));
}
