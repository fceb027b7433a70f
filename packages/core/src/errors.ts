import { errorTable, type ErrorCategory, type ErrorCode } from "./error-table.js";

/** Issue of an `invalid_request`; `path` is a JSON pointer-like dotted path. Values are never echoed. */
export interface InputIssue {
  readonly path: string;
  readonly reason:
    | "unknown_argument"
    | "missing_argument"
    | "invalid_type"
    | "out_of_range"
    | "invalid_value"
    | "invalid_format"
    | "stale_cursor";
  readonly expected?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly valid_keys?: readonly string[];
}

export type TargetReason =
  | "no_target"
  | "missing"
  | "unreadable"
  | "not_regular"
  | "target_not_found"
  | "target_not_allowed"
  | "target_changed";

export type EvidenceReason =
  | "missing"
  | "wrong_operation"
  | "wrong_predicate"
  | "id_mismatch"
  | "schema"
  | "unsupported_version"
  | "duplicate_id"
  | "duplicate_key"
  | "non_canonical"
  | "non_canonical_text"
  | "number_out_of_range"
  | "bounds"
  | "unknown_graph"
  | "profile_mismatch"
  | "target_mismatch";

export type ArtifactReason = "format" | "path" | "unavailable" | "io";

export type ErrorDetailValue =
  | string
  | number
  | boolean
  | null
  | readonly ErrorDetailValue[]
  | { readonly [key: string]: ErrorDetailValue | undefined };

/** Details by code; codes without an entry carry free-form details. */
interface DetailsByCode {
  invalid_request: { readonly operation: string; readonly issues: readonly InputIssue[] };
  target_unavailable: { readonly reason: TargetReason; readonly path?: string };
  evidence_integrity_mismatch: {
    readonly reason: EvidenceReason;
    readonly evidence_id?: string;
    readonly expected?: ErrorDetailValue;
    readonly actual?: ErrorDetailValue;
    readonly constraint?: string;
  };
  artifact_operation_failed: {
    readonly operation: string;
    readonly reason: ArtifactReason;
    readonly offset?: number;
    readonly length?: number;
    readonly size?: number;
  };
  provider_timeout: { readonly operation: string; readonly timeout_ms: number; readonly phase: string };
  cancelled: { readonly operation: string; readonly cleanup: "complete" };
  configuration_invalid: { readonly setting: string; readonly constraint: string };
  revision_conflict: { readonly expected: number; readonly actual: number };
  unsupported_host: { readonly required: string; readonly actual: string };
  access_denied: { readonly resource: string };
}

export type ErrorDetails<C extends ErrorCode> = C extends keyof DetailsByCode
  ? DetailsByCode[C]
  : { readonly [key: string]: ErrorDetailValue | undefined };

export interface ReaErrorOptions<C extends ErrorCode> {
  /** One or two calm sentences naming the thing; never target-controlled text or values of inputs. */
  readonly message: string;
  readonly details: ErrorDetails<C>;
  /** Next step; defaults to the table's. */
  readonly action?: string;
  readonly cause?: unknown;
}

/** The public error object (contract: MCP text block, CLI `--json`). */
export interface ErrorObject {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly message: string;
  readonly retryable: boolean;
  readonly remediation: { readonly action: string; readonly restart_required: boolean };
  readonly details?: { readonly [key: string]: unknown };
}

/** The only error class REA throws across a public boundary. */
export class ReaError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "ReaError";
  readonly code: C;
  readonly details: ErrorDetails<C>;
  readonly action: string;

  constructor(code: C, options: ReaErrorOptions<C>) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.action = options.action ?? errorTable[code].action;
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable;
  }

  toObject(): ErrorObject {
    const entry = errorTable[this.code];
    return {
      code: this.code,
      category: entry.category,
      message: this.message,
      retryable: entry.retryable,
      remediation: { action: this.action, restart_required: entry.restartRequired },
      details: { ...this.details },
    };
  }
}

/** Rebuilds a `ReaError` from its object form (worker boundary). Unknown codes become `execution_failure`. */
export function reaErrorFromObject(value: ErrorObject): ReaError {
  return new ReaError<ErrorCode>(value.code in errorTable ? value.code : "execution_failure", {
    message: value.message,
    details: detailsOf(value.details ?? {}),
    action: value.remediation.action,
  });
}

function detailsOf(value: { readonly [key: string]: unknown }): ErrorDetails<"execution_failure"> {
  const entries: [string, ErrorDetailValue][] = [];
  for (const [key, item] of Object.entries(value)) if (isDetailValue(item)) entries.push([key, item]);
  return Object.fromEntries(entries);
}

function isDetailValue(value: unknown): value is ErrorDetailValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (Array.isArray(value)) return value.every(isDetailValue);
  return typeof value === "object" && Object.values(value).every((item) => item === undefined || isDetailValue(item));
}

/** By shape as well as by class: an app's start and what it loads later are separate bundles with a copy each. */
export function isReaError(error: unknown): error is ReaError {
  if (error instanceof ReaError) return true;
  return error instanceof Error && error.name === "ReaError" && "code" in error && "toObject" in error;
}

/** True when an abort (ours or the platform's) caused the error. */
export function isAbort(error: unknown): boolean {
  if (isReaError(error)) return error.code === "cancelled";
  return error instanceof Error && (error.name === "AbortError" || error.name === "ABORT_ERR");
}

/**
 * Turns anything thrown into a `ReaError`; used at ports and in `invoke()` only.
 * An unexpected failure keeps its cause and gets an opaque incident id, so that no internal text leaks.
 */
export function toReaError(error: unknown, operation: string): ReaError {
  if (isReaError(error)) return error;
  if (isAbort(error)) {
    return new ReaError("cancelled", {
      message: `${operation} was cancelled.`,
      details: { operation, cleanup: "complete" },
      cause: error,
    });
  }
  const incident = globalThis.crypto.randomUUID();
  return new ReaError("execution_failure", {
    message: `${operation} failed inside REA. Report incident ${incident}.`,
    details: { operation, incident_id: incident },
    cause: error,
  });
}

/** Throws `cancelled` when the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined, operation: string): void {
  if (signal?.aborted === true) {
    throw new ReaError("cancelled", {
      message: `${operation} was cancelled.`,
      details: { operation, cleanup: "complete" },
    });
  }
}
