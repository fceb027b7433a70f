import { Worker } from "node:worker_threads";
import { ReaError, throwIfAborted } from "@rea/core";
import type { BinaryComparisonRequest, BinarySide, ComparedBinaries } from "./binaries/compare-binaries.js";

export interface ThreadedBinaryComparison extends Omit<BinaryComparisonRequest, "checkpoint"> {
  readonly left: BinarySide;
  readonly right: BinarySide;
  readonly operation: string;
  readonly signal: AbortSignal;
}

// Beside this module when built or bundled; a test that runs from the sources uses the last build.
const entry = new URL(import.meta.url.endsWith(".ts") ? "../dist/binaries-worker.js" : "./binaries-worker.js", import.meta.url);

/** `compareBinaries` in a thread of its own, which is ended by a cancel. Throws `cancelled`. */
export async function compareBinariesInThread({ operation, signal, ...task }: ThreadedBinaryComparison): Promise<ComparedBinaries> {
  throwIfAborted(signal, operation);
  // stdout belongs to the protocol: whatever a library prints stays in the thread.
  const thread = new Worker(entry, { stdout: true, execArgv: [] });
  const over = new AbortController();
  try {
    return await new Promise<ComparedBinaries>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(cancelled(operation)), { once: true, signal: over.signal });
      thread.once("error", reject);
      thread.once("exit", () => reject(cutShort()));
      thread.once("message", resolve);
      thread.postMessage(task);
    });
  } finally {
    over.abort();
    await thread.terminate();
  }
}

function cutShort(): ReaError {
  return new ReaError("provider_unavailable", { message: "The comparison was cut short. Call again.", details: { reason: "thread_ended" } });
}

function cancelled(operation: string): ReaError {
  return new ReaError("cancelled", { message: `${operation} was cancelled. Call it again when the result is wanted.`, details: { operation, cleanup: "complete" } });
}
