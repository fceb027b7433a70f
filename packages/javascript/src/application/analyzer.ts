import { Worker } from "node:worker_threads";
import { ReaError, reaErrorFromObject, throwIfAborted, type ApplicationSearch, type ErrorObject, type FeatureTrace, type OperationContext, type ProgressUpdate, type RecoveredSources, type SemanticTrace } from "@rea/core";
import { standardEntry } from "../worker/entry.js";
import type { SearchRequest } from "../search/search-application.js";
import type { RecoveryRequest } from "../search/recover-sources.js";
import type { WorkflowOutcome, WorkflowTask } from "../workflows/run-workflow.js";
import type { FeatureTraceTask, SemanticTraceTask, TraceOutcome, TraceTask } from "../semantics/trace/run-trace.js";
import type { AnalysisRequest } from "./analysis-request.js";
import type { AnalyzedApplication } from "./analyze-here.js";

/** What a thread for whole applications is started for. */
export type AnalyzerTask =
  | { readonly kind: "analyze"; readonly request: AnalysisRequest }
  | { readonly kind: "search"; readonly request: SearchRequest }
  | { readonly kind: "recover"; readonly request: RecoveryRequest }
  | { readonly kind: "workflow"; readonly task: WorkflowTask }
  | { readonly kind: "trace"; readonly task: TraceTask };

/** The thread is told by its data that it is one. */
export interface AnalyzerData {
  readonly role: "analyzer";
  readonly task: AnalyzerTask;
}

export type AnalyzerOutcome =
  | { readonly kind: "analyzed"; readonly analyzed: AnalyzedApplication }
  | { readonly kind: "searched"; readonly found: ApplicationSearch }
  | { readonly kind: "recovered"; readonly recovered: RecoveredSources }
  | { readonly kind: "worked"; readonly outcome: WorkflowOutcome }
  | { readonly kind: "traced"; readonly outcome: TraceOutcome };

export type AnalyzerMessage =
  | { readonly kind: "progress"; readonly update: ProgressUpdate }
  | { readonly kind: "done"; readonly outcome: AnalyzerOutcome }
  | { readonly kind: "error"; readonly error: ErrorObject };

const operation = "analyze_javascript_application";
const heapMegabytes = 4096;

/**
 * Analyses an application in a thread of its own, with threads under it that read texts: the caller's thread stays free.
 * Nothing of the application is run, and nothing outside the path is read.
 *
 * Throws `cancelled`, `target_unavailable`, `artifact_integrity_mismatch` under policy `fail`, `capability_unavailable` for
 * what is no application, and `invalid_request` for an inner path or format that does not fit.
 */
export async function analyzeApplication(request: AnalysisRequest, context: OperationContext): Promise<AnalyzedApplication> {
  const outcome = await inThread({ kind: "analyze", request }, context);
  if (outcome.kind !== "analyzed") throw broken(undefined);
  return outcome.analyzed;
}

/** Places of a text in an application and in the originals of its maps. Throws as `analyzeApplication` does. */
export async function searchInApplication(request: SearchRequest, context: OperationContext): Promise<ApplicationSearch> {
  const outcome = await inThread({ kind: "search", request }, context);
  if (outcome.kind !== "searched") throw broken(undefined);
  return outcome.found;
}

/** A trace through the graph of an application. Throws `cancelled`. */
export async function traceFeatureInThread(task: FeatureTraceTask, context: OperationContext): Promise<Omit<FeatureTrace, "cited_records">> {
  const found = await inThread({ kind: "trace", task }, context);
  if (found.kind !== "traced" || found.outcome.trace !== "feature") throw broken(undefined);
  return found.outcome.result;
}

/** A trace through the semantic graph of an application. Throws `invalid_request` for a cursor that does not fit, `cancelled`. */
export async function traceSemanticsInThread(task: SemanticTraceTask, context: OperationContext): Promise<Omit<SemanticTrace, "cited_records">> {
  const found = await inThread({ kind: "trace", task }, context);
  if (found.kind !== "traced" || found.outcome.trace !== "semantics") throw broken(undefined);
  return found.outcome.result;
}

/** Writes the originals that maps hold. Throws as `analyzeApplication` does, and `artifact_operation_failed`. */
export async function recoverApplicationSources(request: RecoveryRequest, context: OperationContext): Promise<RecoveredSources> {
  const outcome = await inThread({ kind: "recover", request }, context);
  if (outcome.kind !== "recovered") throw broken(undefined);
  return outcome.recovered;
}

/** Does the work of one workflow tool. Throws `cancelled`, `evidence_integrity_mismatch` and `target_unavailable`. */
export async function workInThread<W extends WorkflowTask["workflow"]>(task: WorkflowTask & { readonly workflow: W }, context: OperationContext): Promise<Extract<WorkflowOutcome, { readonly workflow: W }>> {
  const outcome = await inThread({ kind: "workflow", task }, context);
  if (outcome.kind === "worked" && isOf(outcome.outcome, task.workflow)) return outcome.outcome;
  throw broken(undefined);
}

function isOf<W extends WorkflowTask["workflow"]>(outcome: WorkflowOutcome, workflow: W): outcome is Extract<WorkflowOutcome, { readonly workflow: W }> {
  return outcome.workflow === workflow;
}

async function inThread(task: AnalyzerTask, { signal, progress }: OperationContext): Promise<AnalyzerOutcome> {
  throwIfAborted(signal, operation);
  const data: AnalyzerData = { role: "analyzer", task };
  // stdout belongs to the protocol: whatever a library prints stays in the thread.
  const worker = new Worker(standardEntry(), { workerData: data, stdout: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
  try {
    return await new Promise<AnalyzerOutcome>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(cancelled()), { once: true });
      worker.on("message", (message: AnalyzerMessage) => {
        if (message.kind === "progress") progress.report(message.update);
        else if (message.kind === "done") resolve(message.outcome);
        else reject(reaErrorFromObject(message.error));
      });
      worker.on("error", (error) => reject(broken(error)));
      worker.on("exit", () => reject(broken(undefined)));
    });
  } finally {
    await worker.terminate();
  }
}

function cancelled(): ReaError {
  return new ReaError("cancelled", { message: "The analysis was cancelled. Call again when it is wanted.", details: { operation, cleanup: "complete" } });
}

function broken(cause: Error | undefined): ReaError {
  return new ReaError("execution_failure", {
    message: "The thread that analysed the application ended before it was done. Analyse a part of the application, by its path or inner_path.",
    details: { operation },
    ...(cause === undefined ? {} : { cause }),
  });
}
