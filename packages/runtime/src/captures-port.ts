import {
  createEvidence,
  evidenceRefusal,
  isReaError,
  processCapturePredicate,
  processCaptureSchema,
  processCaptureSummarySchema,
  ReaError,
  throwIfAborted,
  type CapturesPort,
  type Evidence,
  type OperationContext,
  type ProcessCapture,
  type ProcessCaptureSummary,
} from "@rea/core";
import type { LedgerStore } from "./ledger/ledger-store.js";
import { retainedCapture } from "./ledger/retained-capture.js";

const identity = { id: "rea-comparison", name: "REA comparison", version: "1" };
const operation = "compare_process_captures";

/** Comparison of process captures; the wholes come from what the session retains. */
export function createCapturesPort(ledger: LedgerStore, now: () => number = Date.now): CapturesPort {
  return {
    adopt: async (given) => {
      const capture = processCaptureSchema.safeParse(given);
      if (!capture.success) throw evidenceRefusal("schema", "This is not a process capture of this version. Capture again.");
      const { checkCapture, summarize, wholeOf } = await import("@rea/capture");
      const whole = wholeOf(capture.data);
      const record = recordOf(capture.data, summarize(capture.data, whole));
      checkCapture(capture.data, record.evidence_id);
      ledger.retain(whole);
      return record;
    },
    compare: async ({ left, right, trace_spec: traceSpec, max_capture_age_ms: maximumAge }, context) => {
      const captures = { left: captureOf(left, ledger), right: captureOf(right, ledger) };
      if (maximumAge !== undefined) for (const side of ["left", "right"] as const) requireAge(side, captures[side], { maximumAge, now: now() });
      await turn(context);
      const { checkCapture, compareCaptures, linearPattern } = await import("@rea/capture");
      checkCapture(captures.left, left.evidence_id);
      checkCapture(captures.right, right.evidence_id);
      await turn(context);
      const result = compareCaptures({ ...captures, traceSpec, compile: (pattern) => usable(() => linearPattern(pattern), left) });
      await turn(context);
      return {
        result,
        raw_result: null,
        provider: identity,
        analysis_profile: null,
        subject: null,
        confidence: "derived",
        limitations: result.limitations,
        locations: [],
        resolved_parameters: {},
      };
    },
  };
}

/** What only the file says is left out: the format of the program, and where it lay. */
function recordOf(capture: ProcessCapture, summary: ProcessCaptureSummary): Evidence {
  const { executable, platform, architecture, scenario, comparison_contract } = capture.manifest;
  return createEvidence({
    subject: { name: executable.name, digest: { sha256: executable.sha256 }, format: "file", architecture: null, local_path: null },
    provider: { id: "rea-process-capture", name: "REA process capture", version: "1" },
    predicate_type: processCapturePredicate,
    operation: "capture_process_scenario",
    parameters: { scenario },
    normalized_result: summary,
    confidence: "observed",
    authority: "runtime-observation",
    environment: { id: null, platform, architecture, isolation: comparison_contract.isolation === "none" ? "none" : "process" },
    limitations: [...capture.limitations, "The capture was read from a file; this record was made from it."],
  });
}

/** The whole that a record commits to; it must say the same as the record. */
function captureOf(record: Evidence, ledger: LedgerStore): ProcessCapture {
  return retainedCapture(record, ledger, { summary: processCaptureSummarySchema, whole: processCaptureSchema, words: "a process capture" });
}

function requireAge(side: "left" | "right", { manifest }: ProcessCapture, { maximumAge, now }: { readonly maximumAge: number; readonly now: number }): void {
  if (now - Date.parse(manifest.ended_at) <= maximumAge) return;
  throw new ReaError("invalid_request", {
    message: `The ${side} capture is older than max_capture_age_ms allows. Capture again, or allow a greater age.`,
    details: { operation, issues: [{ path: side, reason: "out_of_range", expected: "a capture of at most this age in milliseconds", maximum: maximumAge }] },
  });
}

/** A pattern of a capture that cannot be used is a fault of the capture, not of the request. */
function usable<T>(compile: () => T, { evidence_id }: Evidence): T {
  try {
    return compile();
  } catch (error) {
    if (!isReaError(error)) throw error;
    throw evidenceRefusal("schema", "The captures normalise by a pattern that cannot be used.", { evidence_id, constraint: "comparison_contract.normalization.patterns" });
  }
}

/** Lets a cancel be heard between steps that compute without pause. */
async function turn({ signal }: OperationContext): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, operation);
}
