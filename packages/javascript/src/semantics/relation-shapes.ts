import { edgeStride, nodeStride, type FunctionFacts } from "./file-semantics.js";
import { digest } from "./function-shape.js";
import type { SemanticTable } from "./semantic-table.js";

/** A function whose nodes were all seen, with its digests as texts. */
export interface ClosedFunction extends Pick<FunctionFacts, "node" | "parameters" | "arity" | "effects"> {
  readonly syntax: string;
  readonly flow: string;
  readonly literals: string;
}

/** Adds to each function the digest of how many relations of each kind begin in it. */
export function relationShapes(functions: readonly ClosedFunction[], table: SemanticTable): readonly FunctionFacts[] {
  const { nodes, edges } = table;
  const counts = new Map<number, Map<number, number>>(functions.map(({ node }) => [node, new Map<number, number>()]));
  for (let at = 0; at < edges.length; at += edgeStride) {
    const [relation, from] = [edges[at] ?? 0, edges[at + 1] ?? -1];
    const own = counts.get(from) ?? counts.get(nodes[from * nodeStride + 6] ?? -1);
    own?.set(relation, (own.get(relation) ?? 0) + 1);
  }
  return functions.map(({ node, parameters, arity, effects, syntax, flow, literals }) => {
    const relations = digest([...(counts.get(node) ?? [])].sort(([a], [b]) => a - b).join(";"));
    return { node, parameters, arity, effects, syntax: table.text(syntax), flow: table.text(flow), literals: table.text(literals), relations: table.text(relations) };
  });
}
