import type { BlockEffects } from "./block-effects.js";
import type { FlowGraph } from "./flow-graph.js";
import { WorkList } from "./work-list.js";

/** For each block: registers that may still hold what they held at the function's entry, on some way to it. */
export function incomingRegisters(graph: FlowGraph, effects: readonly BlockEffects[]): { readonly general: Int32Array; readonly vector: Int32Array } {
  const general = new Int32Array(graph.blocks.length);
  const vector = new Int32Array(graph.blocks.length);
  const work = new WorkList(graph.blocks.length);
  if (graph.entry >= 0) {
    general[graph.entry] = -1;
    vector[graph.entry] = -1;
    work.add(graph.entry);
  }
  for (let block = work.take(); block >= 0; block = work.take()) {
    const effect = effects[block];
    if (effect === undefined) continue;
    const out = (general[block] ?? 0) & ~effect.killed;
    const outVector = (vector[block] ?? 0) & ~effect.killedVector;
    for (const to of graph.successors[block] ?? []) {
      const next = (general[to] ?? 0) | out;
      const nextVector = (vector[to] ?? 0) | outVector;
      if (next === general[to] && nextVector === vector[to]) continue;
      general[to] = next;
      vector[to] = nextVector;
      work.add(to);
    }
  }
  return { general, vector };
}
