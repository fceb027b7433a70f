import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { z } from "../z.js";
import { addressValue, count } from "./values.js";

/** What `build_call_path` answers. */

const step = z.strictObject({
  address: addressValue,
  name: z.string().nullable(),
  /** Dossiers that show the call out of this procedure; none for the last one. */
  evidence_links: z.array(evidenceIdSchema),
});

export const callPathSchema = z.strictObject({
  status: z.enum(["found", "not_found", "unknown"]),
  /** Shortest first, then by the addresses of their steps. */
  paths: pageSchema(z.strictObject({ hops: count, steps: z.array(step) })),
  shortest_hops: count.nullable(),
  /** Procedures reached from the start within the depth, and calls between them. */
  explored: z.strictObject({ nodes: count, edges: count, depth_reached: count }),
  search_scope: z.strictObject({
    start: addressValue,
    goal: addressValue,
    max_depth: count,
    max_paths: count,
    procedures: count,
    records: count,
  }),
  evidence_links: z.array(evidenceIdSchema),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(z.string()),
});
export type CallPath = z.output<typeof callPathSchema>;
