import { ReaError, type ErrorObject, type JsonValue } from "@rea/core";
import type { ToolSuccess } from "@rea/tool";

const standardBytes = 10_485_760;
const minimumBytes = 1_048_576;

/** The frame bound from `REA_MCP_MAX_RESPONSE_BYTES`; `configuration_invalid` when it is set and unusable. */
export function frameBudget(setting: string | undefined): number {
  if (setting === undefined || setting === "") return standardBytes;
  const value = /^[0-9]{1,15}$/.test(setting) ? Number(setting) : Number.NaN;
  if (value >= minimumBytes) return value;
  throw new ReaError("configuration_invalid", {
    message: `REA_MCP_MAX_RESPONSE_BYTES must be a whole number of at least ${minimumBytes}. Correct it and restart the server.`,
    details: { setting: "REA_MCP_MAX_RESPONSE_BYTES", constraint: `integer >= ${minimumBytes}` },
  });
}

/** The typed answer in place of a frame over the bound; the Evidence stays retained under its id. */
export function frameTooLarge(value: ToolSuccess, limitBytes: number, actualBytes: number): ErrorObject {
  return new ReaError("truncated", {
    message:
      "The reply is larger than one protocol frame may be. Narrow the call, or use the retained evidence_id in details.",
    details: {
      resource: "transport",
      limit_bytes: limitBytes,
      actual_bytes: actualBytes,
      evidence_id: "evidence_id" in value ? value.evidence_id : null,
      result_summary: summarize(value.result),
    },
    action: "Narrow the request, use the evidence_id in another tool, or export the evidence bundle.",
  }).toObject();
}

/** Longest text of a result that its summary repeats: ids, and the directory that a call made. */
const shortText = 1024;

/** Counts, coverage and short texts of a result, without its content. */
function summarize(result: unknown): { readonly [key: string]: JsonValue } {
  if (Array.isArray(result)) return { items: result.length };
  if (typeof result !== "object" || result === null) return {};
  const entries = Object.entries(result).flatMap(([key, value]): [string, JsonValue][] => {
    if (typeof value === "number" || typeof value === "boolean") return [[key, value]];
    if (typeof value === "string" && value.length <= shortText) return [[key, value]];
    if (Array.isArray(value)) return [[`${key}_count`, value.length]];
    if (key === "coverage" && isState(value)) return [["coverage", value.state]];
    return [];
  });
  return Object.fromEntries(entries);
}

function isState(value: unknown): value is { readonly state: string } {
  return typeof value === "object" && value !== null && "state" in value && typeof value.state === "string";
}
