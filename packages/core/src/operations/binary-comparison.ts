import { collectionSchema, coverageSchema, pageSchema } from "../coverage.js";
import { z } from "../z.js";
import { addressValue, count } from "./values.js";

/** What `compare_binaries` answers. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const permille = z.number().int().min(0).max(1000);

const place = z.strictObject({ address: addressValue, name: text.nullable(), demangled: text.optional(), size: count });
export type FunctionPlace = z.output<typeof place>;

const bases = ["name", "bytes", "call_graph", "strings_constants", "control_flow", "similarity", "address_order"] as const;

const match = z.strictObject({
  left: place,
  right: place,
  /** What told that both are the same function. */
  basis: z.enum(bases),
  confidence_permille: permille,
  status: z.enum(["unchanged", "changed"]),
});

const changed = match.omit({ status: true }).extend({
  /** Estimated share of operations in common. */
  similarity_permille: permille,
  instructions: z.strictObject({ left: count, right: count }),
  blocks: z.strictObject({ left: count, right: count }),
  /** What differs. */
  parts: z.array(z.enum(["instructions", "control_flow", "strings", "imports", "constants", "calls", "references"])),
});

const list = z.strictObject({ added: collectionSchema(text), removed: collectionSchema(text) });
const side = z.strictObject({
  sha256,
  bytes: count,
  format: text,
  architecture: text.nullable(),
  functions: count,
});

export const binaryComparisonSchema = z.strictObject({
  status: z.enum(["unchanged", "changed", "unknown"]),
  summary: z.strictObject({
    left: side,
    right: side,
    functions: z.strictObject({ unchanged: count, changed: count, added: count, removed: count, split: count, merged: count }),
    matched_by: z.array(z.strictObject({ basis: z.enum(bases), count })),
  }),
  matches: pageSchema(match),
  /** Most changed first. */
  changed: pageSchema(changed),
  added: pageSchema(place),
  removed: pageSchema(place),
  /** Functions without a partner whose code seems to have gone into, or come out of, a matched function. */
  moved_code: collectionSchema(
    z.strictObject({ kind: z.enum(["merged_into", "split_from"]), function: place, other: place, likeness_permille: permille }),
  ),
  imports: list,
  exports: list,
  strings: list,
  libraries: list,
  sections: z.array(z.strictObject({ name: text, state: z.enum(["added", "removed", "changed"]), left_size: count.nullable(), right_size: count.nullable() })),
  mitigations: z.array(z.strictObject({ name: text, left: text.nullable(), right: text.nullable() })),
  /** All matches, retained whole under this digest, as kind `function-inventory`. */
  inventory: z.strictObject({ sha256, bytes: count }),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type BinaryComparison = z.output<typeof binaryComparisonSchema>;
