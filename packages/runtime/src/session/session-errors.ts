import { ReaError, type ErrorDetailValue } from "@rea/core";
import type { CloseOutcome } from "@rea/provider";

/** `target_unavailable` (`no_target`): nothing is open. */
export function sessionTargetError(): ReaError<"target_unavailable"> {
  return new ReaError("target_unavailable", {
    message: "No target is open. Call open_binary first.",
    details: { reason: "no_target" },
    action: "Call open_binary with the path of the program.",
  });
}

/** `cleanup_incomplete` naming only what remains. */
export function cleanupIncomplete(operation: string, remaining: CloseOutcome["remaining"]): ReaError<"cleanup_incomplete"> {
  const resources: ErrorDetailValue = remaining.map(({ kind, detail }) => ({ kind, detail }));
  return new ReaError("cleanup_incomplete", {
    message: "Resources of the analysis provider could not be released. Call close_binary to try again.",
    details: { operation, cleanup: "incomplete", resources },
    action: "Call close_binary again; it retries exactly what remains.",
  });
}
