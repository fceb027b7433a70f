import { correlationMappingSchema, correlationSchema, evidenceInput, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { derived } from "./derived.js";

const name = "correlate_static_and_runtime";
const anId = `ev_${"0".repeat(64)}`;

export const correlateStaticAndRuntime = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name,
  description:
    "Tests your hypotheses on which change in code or files goes with which change in runs: each mapping names a part of a static comparison, a dimension of a runtime comparison, and the pattern expected. Nothing is matched by itself, and changing together is not called cause. Next: verify_reconstruction.",
  input: z.strictObject({
    mappings: z.array(correlationMappingSchema).min(1).max(500).describe("What belongs together"),
    static_comparisons: z.array(evidenceInput).min(1).max(100).describe("Records of comparisons of code or files"),
    runtime_comparisons: z.array(evidenceInput).min(1).max(100).describe("Records of comparisons of runs"),
  }),
  output: correlationSchema,
  effects: effectClasses.evidence,
  requires: ["evidence"],
  cli: null,
  examples: [
    {
      title: "Does changed assembly show in the output",
      input: {
        mappings: [
          {
            static: { comparison: anId, selector: "assembly" },
            runtime: { comparison: anId, dimension: "terminal" },
            hypothesis: { statement: "The new message comes from this function.", expected_pattern: "cochanged" },
            side_alignment: "left_to_left",
          },
        ],
        static_comparisons: [{ evidence_id: anId }],
        runtime_comparisons: [{ evidence_id: anId }],
      },
    },
  ],
  run: async (input, { evidence }, context) => {
    const { correlate, runtimeComparisons, staticComparisons } = await import("@rea/compare");
    const statics = input.static_comparisons.map((one) => evidence.resolve(one, { operation: staticComparisons }));
    const runtimes = input.runtime_comparisons.map((one) => evidence.resolve(one, { operation: runtimeComparisons }));
    const compute = () => correlate({ mappings: input.mappings, statics, runtimes }, (record) => evidence.cite(record));
    return derived({ operation: name, producer: "comparison", inputs: [...statics, ...runtimes], compute }, context);
  },
});
