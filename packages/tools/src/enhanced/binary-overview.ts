import { z, type OperationResult } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { deepTarget } from "../targets.js";
import { compose } from "../composed/composition.js";
import { documentName } from "../composed/document-name.js";
import {
  countNames,
  countStrings,
  overviewCoverage,
  readNames,
  readProcedures,
  sampleSegments,
  type OverviewCall,
} from "./overview-lists.js";
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
    const procedures = await readProcedures(call);
    const names = detailed ? await readNames(call) : { total: await countNames(call), notable: [] };
    const string_count = await countStrings(call);
    let figures: Partial<ReturnType<typeof rankings>> = {};
    if (detailed && context.offers("summarize_program")) {
      const summary = await composition.attempt(() => ports.summarize_program({ limit: input.limit }, context));
      if (summary.ok) figures = rankings(summary.value);
      else call.notes.push(`The rankings could not be made (${summary.error.code}).`);
    } else if (detailed) call.notes.push("The bound provider does not rank procedures.");
    const subject = composition.first()?.subject ?? null;
    const result = {
      document,
      format: subject?.format ?? null,
      architecture: subject?.architecture ?? null,
      procedure_count: procedures.total,
      string_count,
      name_count: names.total,
      segment_count: segments.total,
      segments: segments.items,
      entry_points: procedures.entries,
      detail: input.detail,
      ...(detailed ? { notable_imports: names.notable } : {}),
      ...figures,
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
    entry_points: summary.entry_points,
    largest_procedures: summary.largest_procedures,
    most_called_procedures: summary.most_called_procedures,
    notable_strings: summary.notable_strings,
    code_coverage: { code_bytes, examined_code_bytes, examined_ppm, unresolved_indirect_jumps },
  };
}
