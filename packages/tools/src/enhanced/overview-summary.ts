import type { CapabilityPorts, OperationResult } from "@rea/core";
import { importGroupOf } from "../front-page/telling-imports.js";
import type { OverviewCall, OverviewFacts } from "./overview-lists.js";

type Summary = OperationResult<"summarize_program">;
type SummaryPort = Pick<CapabilityPorts, "summarize_program">;

/** The provider's own figures, asked for at once; undefined when it makes none, which a note then says. */
export async function readSummary(call: OverviewCall, ports: SummaryPort, limit: number): Promise<Summary | undefined> {
  if (!call.context.offers("summarize_program")) {
    call.notes.push("The bound provider does not rank procedures.");
    return undefined;
  }
  const summary = await call.composition.attempt(() => ports.summarize_program({ limit }, call.context));
  if (summary.ok) return summary.value;
  call.notes.push(`The rankings could not be made (${summary.error.code}).`);
  return undefined;
}

export function factsFromSummary(call: OverviewCall, summary: Summary): OverviewFacts {
  call.omissions.push(...summary.coverage.omissions);
  return {
    procedure_count: summary.procedure_count,
    string_count: summary.string_count,
    name_count: summary.name_count,
    entry_points: summary.entry_points,
    notable_imports: summary.imported_names.flatMap(({ address, name, library }) => {
      const group = importGroupOf(name);
      return group === undefined ? [] : [{ address, name, library, group }];
    }),
  };
}
