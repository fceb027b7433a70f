import { changedBehaviorSchema, evidenceInput, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { derived } from "./derived.js";

const name = "find_changed_behavior";

export const findChangedBehavior = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name,
  description:
    "Draws comparisons together: which differences were observed in runs, which are candidates in code or files alone, what contradicts, what is not settled. Takes records of compare_functions, compare_artifacts, compare_process_captures and the like. Unchanged behaviour needs a complete comparison of runs. Next: correlate_static_and_runtime.",
  input: z.strictObject({ comparisons: z.array(evidenceInput).min(1).max(100).describe("Records of comparisons") }),
  output: changedBehaviorSchema,
  effects: effectClasses.evidence,
  requires: ["evidence"],
  cli: null,
  examples: [{ title: "One comparison of runs", input: { comparisons: [{ evidence_id: `ev_${"0".repeat(64)}` }] } }],
  run: async ({ comparisons }, { evidence }, context) => {
    const { findChangedBehavior: find, runtimeComparisons, staticComparisons } = await import("@rea/compare");
    const inputs = comparisons.map((input) => evidence.resolve(input, { operation: [...staticComparisons, ...runtimeComparisons] }));
    return derived({ operation: name, producer: "comparison", inputs, compute: () => find(inputs, (record) => evidence.cite(record)) }, context);
  },
});
