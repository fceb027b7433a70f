import { coverageSchema, facetSchema, z } from "@rea/core";
import { localFailure } from "../../composed/failure.js";
import { uiEdge, uiNode } from "./ui-graph.js";

const count = z.number().int().nonnegative();

/** What `trace_native_ui_action` answers: a graph from interface objects to code. */
export const uiTraceResult = z.strictObject({
  seed: z.strictObject({ kind: z.string(), value: z.string() }),
  nodes: z.array(uiNode),
  edges: z.array(uiEdge),
  /** Methods that handle the seed. */
  handlers: count,
  unknown_edges: count,
  interface: facetSchema(z.strictObject({ documents: count, actions: count, outlets: count })),
  frontier: z.array(z.strictObject({ address: z.string(), reason: z.string() })),
  failures: z.array(localFailure),
  limits: z.strictObject({ max_depth: count, max_operations: count, operations_used: count, frontier_total: count }),
  coverage: coverageSchema,
  limitations: z.array(z.string()),
});

export type UiTrace = z.output<typeof uiTraceResult>;
