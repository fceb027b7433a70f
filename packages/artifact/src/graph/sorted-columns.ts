import type { EdgeColumns } from "./edge-columns.js";
import type { IntegrityContradiction } from "./graph.js";
import type { NodeColumns } from "./node-columns.js";
import type { PlaceColumns } from "./place-columns.js";

/** A whole graph as columns, with the orders of its lists. */
export interface SortedColumns {
  readonly places: PlaceColumns;
  /** Positions by occurrence id. */
  readonly placeOrder: Uint32Array;
  readonly nodes: NodeColumns;
  readonly edges: EdgeColumns;
  /** Indexes by edge id. */
  readonly edgeOrder: Uint32Array;
  readonly contradictions: readonly IntegrityContradiction[];
}
