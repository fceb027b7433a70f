import { ReaError, type InputIssue } from "@rea/core";

export const operation = "capture_process_scenario";

/** What a scenario asks for and cannot be done; values are never echoed. */
export function scenarioRefusal(issues: readonly InputIssue[]): ReaError<"invalid_request"> {
  const fields = [...new Set(issues.map(({ path }) => path))].slice(0, 5).join(", ");
  return new ReaError("invalid_request", {
    message: `The scenario cannot be run as it is: ${fields}. Correct it and call again.`,
    details: { operation, issues },
  });
}
