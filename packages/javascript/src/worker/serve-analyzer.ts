import { parentPort } from "node:worker_threads";
import { toReaError, type ProgressUpdate } from "@rea/core";
import { analyzeHere } from "../application/analyze-here.js";
import type { AnalyzerData, AnalyzerMessage } from "../application/analyzer.js";

const progressEveryMs = 100;

/** Analyses what the thread was started for, tells the outcome and ends. */
export async function serveAnalyzer({ request }: AnalyzerData): Promise<void> {
  // The caller ends the whole thread when it no longer wants the answer.
  const { signal } = new AbortController();
  let sentAt = Number.NEGATIVE_INFINITY;
  const report = (update: ProgressUpdate): void => {
    const now = performance.now();
    if (now - sentAt < progressEveryMs) return;
    sentAt = now;
    send({ kind: "progress", update });
  };
  try {
    send({ kind: "done", analyzed: await analyzeHere(request, { signal, progress: { report } }) });
  } catch (error) {
    send({ kind: "error", error: toReaError(error, "analyze_javascript_application").toObject() });
  }
}

function send(message: AnalyzerMessage): void {
  parentPort?.postMessage(message);
}
