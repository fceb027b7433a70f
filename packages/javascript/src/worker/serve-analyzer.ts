import { parentPort } from "node:worker_threads";
import { toReaError, type OperationContext, type ProgressUpdate } from "@rea/core";
import type { AnalyzerData, AnalyzerMessage, AnalyzerOutcome, AnalyzerTask } from "../application/analyzer.js";

const progressEveryMs = 100;

/** Analyses what the thread was started for, tells the outcome and ends. */
export async function serveAnalyzer({ task }: AnalyzerData): Promise<void> {
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
    const outcome = await outcomeOf(task, { signal, progress: { report } });
    send({ kind: "done", outcome }, ownedBy(outcome));
  } catch (error) {
    send({ kind: "error", error: toReaError(error, "analyze_javascript_application").toObject() });
  }
}

async function outcomeOf(task: AnalyzerTask, context: OperationContext): Promise<AnalyzerOutcome> {
  switch (task.kind) {
    case "analyze":
      return { kind: "analyzed", analyzed: await (await import("../application/analyze-here.js")).analyzeHere(task.request, context) };
    case "search":
      return { kind: "searched", found: await (await import("../search/search-application.js")).searchApplication(task.request, context.signal) };
    case "workflow":
      return { kind: "worked", outcome: await (await import("../workflows/run-workflow.js")).runWorkflow(task.task, context) };
    case "trace":
      return { kind: "traced", outcome: await (await import("../semantics/trace/run-trace.js")).runTrace(task.task) };
    case "recover":
      return { kind: "recovered", recovered: await (await import("../search/recover-sources.js")).recoverSources(task.request, context.signal) };
  }
}

function send(message: AnalyzerMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** Texts of graphs go to the caller without being copied or read. */
function ownedBy(outcome: AnalyzerOutcome): ArrayBuffer[] {
  return outcome.kind === "analyzed" ? [...new Set([outcome.analyzed.graph.text.buffer, outcome.analyzed.semantics.text.buffer])] : [];
}
