import { z, type OperationResult } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { deepTarget } from "../targets.js";
import { compose } from "../composed/composition.js";
import { documentName } from "../composed/document-name.js";
import { factsFromLists, overviewCoverage, sampleSegments, type OverviewCall } from "./overview-lists.js";
import { factsFromSummary, readSummary } from "./overview-summary.js";
import { overviewResult } from "./overview-result.js";

export const binaryOverview = defineTool({
  name: "binary_overview",
  family: "enhanced",
  description:
    "Returns what analysis found in the open executable: counts of procedures, strings, names and segments, a sample of segments, entry points. `detail: detailed` adds largest and most called procedures, notable strings and imports, and how much code was examined. Use it after open_binary; continue with analyze_function or trace_feature.",
  input: z.strictObject({
    detail: z.enum(["concise", "detailed"]).default("concise").describe("How much to say"),
    limit: z.number().int().min(1).max(50).default(10).describe("Segments, and items of each ranking"),
  }),
  output: overviewResult,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: [
    "current_document",
    "list_documents",
    "list_segments",
    "list_procedures",
    "list_names",
    "list_strings",
    "summarize_program",
  ],
  modes: [
    {
      name: "lists",
      operations: ["list_segments", "list_procedures", "list_names", "list_strings"],
      remediation: "Open the target with a provider that lists segments, procedures, names and strings.",
    },
  ],
  target: deepTarget,
  cli: { command: "binary-overview", target: "open", positionals: [] },
  examples: [
    { title: "The size of it", target: "executable", input: {} },
    { title: "With rankings", target: "executable", input: { detail: "detailed", limit: 5 } },
  ],
  run: async (input, ports, context) => {
    const composition = compose("binary_overview", context);
    const call: OverviewCall = { ports, context, composition, notes: [], omissions: [] };
    const detailed = input.detail === "detailed";
    const document = await documentName(composition, ports, context);
    const segments = await sampleSegments(call, input.limit);
    const whole = await readSummary(call, ports, input.limit);
    const facts = whole === undefined ? await factsFromLists(call, detailed) : factsFromSummary(call, whole);
    const subject = composition.first()?.subject ?? null;
    const result = {
      document,
      format: subject?.format ?? null,
      architecture: subject?.architecture ?? null,
      procedure_count: facts.procedure_count,
      string_count: facts.string_count,
      name_count: facts.name_count,
      segment_count: segments.total,
      segments: segments.items,
      entry_points: facts.entry_points,
      detail: input.detail,
      ...(detailed ? { notable_imports: facts.notable_imports, ...(whole === undefined ? {} : rankings(whole)) } : {}),
      coverage: overviewCoverage(call),
      limitations: [...new Set([...composition.limitations(), ...call.notes])],
    };
    return { result, produced: composition.produced({ limitations: call.notes }) };
  },
});

function rankings(summary: OperationResult<"summarize_program">) {
  const { code_bytes, examined_code_bytes, unresolved_indirect_jumps } = summary;
  const examined_ppm = code_bytes === 0 ? null : Math.min(1_000_000, Math.floor((examined_code_bytes / code_bytes) * 1_000_000));
  return {
    largest_procedures: summary.largest_procedures,
    most_called_procedures: summary.most_called_procedures,
    notable_strings: summary.notable_strings,
    code_coverage: { code_bytes, examined_code_bytes, examined_ppm, unresolved_indirect_jumps },
  };
}
