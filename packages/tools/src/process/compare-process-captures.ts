import { evidenceInput, processCapturePredicate, processComparisonSchema, traceSpecificationSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

export const compareProcessCaptures = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name: "compare_process_captures",
  description:
    "Compares two capture_process_scenario records, full or by id, in seven dimensions: terminal, interaction, exit, filesystem, protocol, process, shim; names the first divergence. Programs may differ, the comparison contract (terminal, limits, normalisation, trace) may not. With trace_spec the verdict is whether both runs conform and mean the same.",
  input: z.strictObject({
    left: evidenceInput.describe("capture_process_scenario record of the older run"),
    right: evidenceInput.describe("capture_process_scenario record of the newer run"),
    trace_spec: traceSpecificationSchema.optional().describe("Which orders of events count as equivalent"),
    max_capture_age_ms: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe("Refuse captures that ended earlier"),
  }),
  output: processComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "captures"],
  cli: null,
  examples: [
    {
      title: "Two runs of this session",
      input: { left: { evidence_id: `ev_${"0".repeat(64)}` }, right: { evidence_id: `ev_${"0".repeat(64)}` } },
    },
  ],
  run: async ({ left, right, ...more }, { evidence, captures }, context) => {
    const accepted = { operation: "capture_process_scenario", predicate: processCapturePredicate };
    const [before, after] = [evidence.resolve(left, accepted), evidence.resolve(right, accepted)];
    const { result, ...produced } = await captures.compare({ left: before, right: after, ...more }, context);
    const cited = [evidence.cite(before), evidence.cite(after)];
    return { result: { ...result, cited_records: cited }, produced: { ...produced, evidence_links: [before.evidence_id, after.evidence_id] } };
  },
});
