import { isReaError, ReaError, z, type ErrorDetailValue, type TargetReason } from "@rea/core";

/** What goes wrong while something is observed; each belongs to one public code. */
export const observationReasons = [
  "endpoint_unreachable",
  "invalid_endpoint_response",
  "target_not_found",
  "target_not_allowed",
  "target_changed",
  "protocol_error",
  "disconnected",
  "payload_limit",
  "window_not_found",
  "window_metadata_missing",
  "process_ownership_unavailable",
  "cleanup_failed",
  "cancelled",
  "timeout",
  "secret_unavailable",
] as const;
export type ObservationReason = (typeof observationReasons)[number];

export interface ObservationFailure {
  readonly operation: string;
  readonly reason: ObservationReason;
  /** One or two sentences: what, and the next step. Never text of a page. */
  readonly message: string;
  readonly details?: { readonly [key: string]: ErrorDetailValue };
  /** Of `timeout`: what was waited for, and how long. */
  readonly phase?: string;
  readonly timeoutMs?: number;
  readonly cause?: unknown;
}

const targetReasons = new Map<ObservationReason, TargetReason>([
  ["target_not_found", "target_not_found"],
  ["target_not_allowed", "target_not_allowed"],
  ["target_changed", "target_changed"],
]);

/** The public error of an observation that failed. */
export function observationError(failure: ObservationFailure): ReaError {
  const { operation, reason, message, cause } = failure;
  const target = targetReasons.get(reason);
  if (target !== undefined) return new ReaError("target_unavailable", { message, details: { reason: target }, action: nextStep(reason), cause });
  if (reason === "timeout") {
    const details = { operation, timeout_ms: failure.timeoutMs ?? 0, phase: failure.phase ?? "waiting" };
    return new ReaError("provider_timeout", { message, details, action: nextStep(reason), cause });
  }
  if (reason === "cancelled") return new ReaError("cancelled", { message, details: { operation, cleanup: "complete" }, cause });
  const details = { operation, reason, ...failure.details };
  const code = reason === "endpoint_unreachable" || reason === "disconnected" ? "provider_unavailable" : "unreadable_output";
  return new ReaError(code, { message, details, action: nextStep(reason), cause });
}

const withReason = z.looseObject({ reason: z.string() });

/** The reason that an error of this package carries; undefined for other errors. */
export function reasonOf(error: unknown): ObservationReason | undefined {
  if (!isReaError(error)) return undefined;
  if (error.code === "provider_timeout") return "timeout";
  if (error.code === "cancelled") return "cancelled";
  const details = withReason.safeParse(error.details);
  return details.success ? observationReasons.find((known) => known === details.data.reason) : undefined;
}

function nextStep(reason: ObservationReason): string {
  switch (reason) {
    case "endpoint_unreachable":
      return "Start the program with its debugging port open, and give that port.";
    case "target_not_found":
      return "List the targets again and take one that is there.";
    case "target_not_allowed":
      return "Choose another target, or name its origin in allowed_origins.";
    case "target_changed":
      return "Call again when the page has come to rest, or use observe_web_session to watch it move.";
    case "disconnected":
      return "Check that the program still runs, and call again.";
    case "timeout":
      return "Call again when the program answers; other targets of it can be observed meanwhile.";
    case "payload_limit":
      return "Ask for less, or raise the limit that is named.";
    default:
      return "Check that the port belongs to a browser or runtime that speaks the DevTools protocol.";
  }
}
