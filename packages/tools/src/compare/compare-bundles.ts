import { bundleComparisonSchema, evidenceIdSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

const path = z.string().min(1).max(4096);

export const compareBundles = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name: "compare_bundles",
  description:
    "Compares two Evidence bundle files: records and unknowns added, removed, changed. Records pair by equal id, or as record_pairs says; nothing is matched by likeness. The files are checked as on import and not imported. Use it to see what two analyses found.",
  input: z.strictObject({
    left_bundle_path: path.describe("Absolute path of the older bundle"),
    right_bundle_path: path.describe("Absolute path of the newer bundle"),
    record_pairs: z
      .array(
        z.strictObject({
          left_evidence_id: evidenceIdSchema.describe("Record of the left bundle"),
          right_evidence_id: evidenceIdSchema.describe("Record of the right bundle"),
        }),
      )
      .max(500)
      .default([])
      .describe("Records that stand for each other"),
    offset: z.number().int().min(0).default(0).describe("First change to return"),
    limit: z.number().int().min(1).max(500).default(100).describe("Changes to return"),
  }),
  output: bundleComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["bundles"],
  paths: ["left_bundle_path", "right_bundle_path"],
  cli: null,
  examples: [{ title: "Two bundles", input: { left_bundle_path: "/tmp/old.json", right_bundle_path: "/tmp/new.json" } }],
  run: async (input, { bundles }, context) => {
    const { result, resolved_parameters: digests, ...produced } = await bundles.compare(input, context);
    return { result, produced: { ...produced, resolved_parameters: {}, path_digests: digestsOf(digests) } };
  },
});

const digested = z.record(z.string(), z.object({ sha256: z.string() }));

function digestsOf(parameters: unknown): { readonly [field: string]: string } {
  return Object.fromEntries(Object.entries(digested.parse(parameters)).map(([field, { sha256 }]) => [field, sha256]));
}
