import { evidenceIdSchema } from "../evidence-schema.js";
import { pageSchema } from "../coverage.js";
import { unknownIdSchema } from "../unknown-revision.js";
import { z } from "../z.js";
import { count } from "./values.js";

/** What `compare_bundles` answers. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string();

const recordSide = z.strictObject({ evidence_id: evidenceIdSchema, operation: text, subject_sha256: sha256.nullable() });
const unknownSide = z.strictObject({ unknown_id: unknownIdSchema, revision: count, status: text, revision_digest: sha256 });

const change = z.strictObject({
  what: z.enum(["record", "unknown"]),
  state: z.enum(["added", "removed", "changed"]),
  left: z.union([recordSide, unknownSide]).nullable(),
  right: z.union([recordSide, unknownSide]).nullable(),
  /** Top-level parts that differ. */
  parts: z.array(text),
});
export type BundleChange = z.output<typeof change>;

export const bundleComparisonSchema = z.strictObject({
  status: z.enum(["unchanged", "changed", "unknown"]),
  left_bundle_sha256: sha256,
  right_bundle_sha256: sha256,
  summary: z.strictObject({
    records_added: count,
    records_removed: count,
    records_changed: count,
    records_unchanged: count,
    unknowns_added: count,
    unknowns_removed: count,
    unknowns_changed: count,
    /** Records that a bundle links to and does not hold, both bundles together. */
    unresolved: count,
  }),
  changes: pageSchema(change),
  limitations: z.array(text),
});
export type BundleComparison = z.output<typeof bundleComparisonSchema>;
