import { isReaError, z } from "@rea/core";
import type { EngineResource } from "@rea/lineage";
import type { CloseOutcome } from "@rea/provider";

const failed = z.object({ resources: z.array(z.object({ kind: z.string(), detail: z.record(z.string(), z.json()) })) });

/** What a close left, one line each. */
export function leftBy(resources: readonly EngineResource[]): CloseOutcome["remaining"] {
  return resources.map(({ kind, detail }) => ({ kind, detail: lineOf({ ...detail }) }));
}

/** What a start that failed left. */
export function leftByFailure(error: unknown): CloseOutcome["remaining"] {
  if (!isReaError(error) || error.code !== "cleanup_incomplete") return [];
  const read = failed.safeParse(error.details);
  return read.success ? read.data.resources.map(({ kind, detail }) => ({ kind, detail: lineOf(detail) })) : [];
}

function lineOf(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
