import { compareWebCapturesInput, webComparisonSchema } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

export const compareWebCaptures = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name: "compare_web_captures",
  description:
    "What changed between two inspect_web_page records, or between two capture_browser_scenario records step by step: DOM structure, scripts, resources, network, metadata, accessibility, storage. Contacts no browser. What was cut or not captured is unknown, never equal. Replace what differs by itself (build hashes, ports) with normalization.",
  input: compareWebCapturesInput,
  output: webComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "webComparisons"],
  cli: null,
  examples: [
    {
      title: "Two captures of this session",
      input: { left: { evidence_id: `ev_${"0".repeat(64)}` }, right: { evidence_id: `ev_${"0".repeat(64)}` } },
    },
  ],
  run: async ({ left, right, ...more }, { evidence, webComparisons }, context) => {
    const accepted = { operation: ["inspect_web_page", "capture_browser_scenario"] };
    const [before, after] = [evidence.resolve(left, accepted), evidence.resolve(right, accepted)];
    const { result, ...produced } = await webComparisons.compareCaptures({ left: before, right: after, ...more }, context);
    const cited = [evidence.cite(before), evidence.cite(after)];
    return { result: { ...result, cited_records: cited }, produced: { ...produced, evidence_links: [before.evidence_id, after.evidence_id] } };
  },
});
