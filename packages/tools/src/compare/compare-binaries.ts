import { binaryComparisonSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

const path = z.string().min(1).max(4096);

export const compareBinaries = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name: "compare_binaries",
  description:
    "Compares two versions of a program whole: which function is which, with basis and confidence, which changed most and in what, which were added, removed, split or merged; imports, exports, strings, sections, mitigations. Analyses both by itself and leaves the open target alone. Next: analyze_function on both sides of a change, then compare_functions.",
  input: z.strictObject({
    left: path.describe("Absolute path of the older program"),
    right: path.describe("Absolute path of the newer program"),
    architecture: z.string().min(1).max(32).optional().describe("Slice of universal files"),
    use_names: z.boolean().default(true).describe("Let names of functions decide; false compares as if stripped"),
    offset: z.number().int().min(0).default(0).describe("First match, change, addition and removal"),
    limit: z.number().int().min(1).max(500).default(25).describe("Items of each list to return"),
  }),
  output: binaryComparisonSchema,
  effects: effectClasses.engineEvidence,
  requires: ["binaries"],
  paths: ["left", "right"],
  cli: null,
  examples: [{ title: "Two versions of a program", input: { left: "/bin/ls", right: "/bin/ls" } }],
  run: async ({ use_names: names, ...input }, { binaries }, context) => {
    const { result, digests, ...produced } = await binaries.compare({ ...input, names }, context);
    return { result, produced: { ...produced, path_digests: digests } };
  },
});
