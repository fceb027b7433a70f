import { addressInput, callPathSchema, evidenceInput, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { derived } from "./derived.js";

const name = "build_call_path";
const end = (what: string) => z.strictObject({ address: addressInput.describe("Entry address") }).describe(what);

export const buildCallPath = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name,
  description:
    "Finds how calls lead from one procedure to another in analyze_function records, full or by id; pages of one procedure are put together. Shortest paths first, each step with its records. not_found only when every dossier within reach is whole; else unknown, naming what is missing. Next: analyze_function on what coverage names.",
  input: z.strictObject({
    functions: z.array(evidenceInput).min(1).max(500).describe("analyze_function records"),
    start: end("Where the path begins"),
    goal: end("Where it ends"),
    max_depth: z.number().int().min(0).max(32).default(8).describe("Calls of a path at most"),
    max_paths: z.number().int().min(1).max(100).default(10).describe("Paths to return"),
  }),
  output: callPathSchema,
  effects: effectClasses.evidence,
  requires: ["evidence"],
  cli: null,
  examples: [
    {
      title: "From main to an import",
      input: { functions: [{ evidence_id: `ev_${"0".repeat(64)}` }], start: { address: "0x4730" }, goal: { address: "0x4040" } },
    },
  ],
  run: async ({ functions, start, goal, max_depth: maxDepth, max_paths: maxPaths }, { evidence }, context) => {
    const inputs = functions.map((input) => evidence.resolve(input, { operation: "analyze_function" }));
    const { buildCallPath: build } = await import("@rea/compare");
    const compute = () => build({ functions: inputs, start: start.address, goal: goal.address, maxDepth, maxPaths }, (record) => evidence.cite(record));
    return derived({ operation: name, producer: "comparison", inputs, compute }, context);
  },
});
