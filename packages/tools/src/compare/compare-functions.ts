import { evidenceInput, functionComparisonSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { derived } from "./derived.js";

const name = "compare_functions";
const anId = `ev_${"0".repeat(64)}`;

export const compareFunctions = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name,
  description:
    "Compares two analyze_function records, full or by id, in eight dimensions: identity, pseudocode, assembly, comments, calls, references, strings_names, cfg, independent of where the functions lie. Equality is claimed only of whole collections, so analyze with include_assembly and great limits. Next: find_changed_behavior.",
  input: z.strictObject({
    left: evidenceInput.describe("analyze_function record of the older function"),
    right: evidenceInput.describe("analyze_function record of the newer function"),
  }),
  output: functionComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence"],
  cli: null,
  examples: [{ title: "Two records of this session", input: { left: { evidence_id: anId }, right: { evidence_id: anId } } }],
  run: async (input, { evidence }, context) => {
    const accepted = { operation: "analyze_function" };
    const [left, right] = [evidence.resolve(input.left, accepted), evidence.resolve(input.right, accepted)];
    const { compareFunctions: compare } = await import("@rea/compare");
    const compute = () => compare({ left, right }, (record) => evidence.cite(record));
    return derived({ operation: name, producer: "comparison", inputs: [left, right], compute }, context);
  },
});
