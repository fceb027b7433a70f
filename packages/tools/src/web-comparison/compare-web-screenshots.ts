import { compareWebScreenshotsInput, screenshotComparisonSchema } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { screenshotSource } from "./screenshot-source.js";

export const compareWebScreenshots = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name: "compare_web_screenshots",
  description:
    "Compares two PNG images pixel by pixel without a browser: how many pixels changed, by how much, and the rectangles that hold them. Takes capture_web_screenshot records, files or base64 with digest. 16-bit samples are compared at full depth; images that describe their colours differently are unknown. The command line writes a difference image.",
  input: compareWebScreenshotsInput,
  output: screenshotComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "webComparisons"],
  cli: null,
  examples: [{ title: "Two files", input: { left: { path: "/tmp/before.png" }, right: { path: "/tmp/after.png" } } }],
  run: async ({ left, right, ...more }, { evidence, webComparisons }, context) => {
    const sides = { left: screenshotSource(left, "left", evidence), right: screenshotSource(right, "right", evidence) };
    const { result, ...produced } = await webComparisons.compareScreenshots({ ...sides, ...more }, context);
    const records = [sides.left, sides.right].flatMap((source) => (source.kind === "record" ? [source.record] : []));
    const cited = records.map((record) => evidence.cite(record));
    return { result: { ...result, cited_records: cited }, produced: { ...produced, evidence_links: records.map(({ evidence_id }) => evidence_id) } };
  },
});
