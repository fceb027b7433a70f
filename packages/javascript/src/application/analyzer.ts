import { Worker } from "node:worker_threads";
import { ReaError, reaErrorFromObject, throwIfAborted, type OperationContext, type ErrorObject, type ProgressUpdate } from "@rea/core";
import { standardEntry } from "../worker/entry.js";
import type { AnalysisRequest, AnalyzedApplication } from "./analyze-here.js";

/** Asks of the thread that analyses; it is told by its data that it is one. */
export interface AnalyzerData {
  readonly role: "analyzer";
  readonly request: AnalysisRequest;
}

export type AnalyzerMessage =
  | { readonly kind: "progress"; readonly update: ProgressUpdate }
  | { readonly kind: "done"; readonly analyzed: AnalyzedApplication }
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
export async function analyzeApplication(request: AnalysisRequest, { signal, progress }: OperationContext): Promise<AnalyzedApplication> {
  throwIfAborted(signal, operation);
  const data: AnalyzerData = { role: "analyzer", request };
  // stdout belongs to the protocol: whatever a library prints stays in the thread.
  const worker = new Worker(standardEntry(), { workerData: data, stdout: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
  try {
    return await new Promise<AnalyzedApplication>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(cancelled()), { once: true });
      worker.on("message", (message: AnalyzerMessage) => {
        if (message.kind === "progress") progress.report(message.update);
        else if (message.kind === "done") resolve(message.analyzed);
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
