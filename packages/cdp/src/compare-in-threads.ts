import { Worker } from "node:worker_threads";
import { ReaError, throwIfAborted } from "@rea/core";
import type { PixelComparison } from "./png/compare-pixels.js";
import type { PngFile } from "./png/png-file.js";
import { pngFormatError } from "./png/png-format-error.js";
import type { ThreadReply, ThreadTask } from "./png/thread-messages.js";

export interface ThreadedComparison {
  readonly left: PngFile;
  readonly right: PngFile;
  readonly threshold: number;
  /** Whether a difference image is wanted too. */
  readonly difference: boolean;
  readonly operation: string;
  readonly signal: AbortSignal;
}

export interface ComparedPixels {
  readonly comparison: PixelComparison;
  /** A PNG file; null unless it was asked for. */
  readonly picture: Uint8Array | null;
}

// Beside this module when built or bundled; a test that runs from the sources uses the last build.
const entry = new URL(import.meta.url.endsWith(".ts") ? "../dist/png-worker.js" : "./png-worker.js", import.meta.url);

/**
 * Decodes two images of equal size at the same time, each in a thread of its own, and compares them there. Throws the typed
 * error of an image that cannot be decoded, and `cancelled`; no thread is left behind.
 */
export async function compareInThreads(task: ThreadedComparison): Promise<ComparedPixels> {
  const { operation, signal } = task;
  throwIfAborted(signal, operation);
  const threads = { left: start(task, "left"), right: start(task, "right") };
  const over = new AbortController();
  try {
    return await new Promise<ComparedPixels>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(cancelled(operation)), { once: true, signal: over.signal });
      const answered = new Set<"left" | "right">();
      for (const side of ["left", "right"] as const) {
        threads[side].on("error", reject);
        threads[side].on("exit", () => answered.has(side) || reject(cutShort()));
        threads[side].on("message", (reply: ThreadReply) => {
          answered.add(side);
          if (reply.kind === "problem") reject(pngFormatError(side, operation)(reply.problem));
          else if (reply.kind === "comparison") resolve(reply);
          else threads.left.postMessage(reply.image, [reply.image.samples.buffer]);
        });
      }
    });
  } finally {
    over.abort();
    await Promise.all(Object.values(threads).map((thread) => thread.terminate()));
  }
}

function start({ threshold, difference, ...files }: ThreadedComparison, side: "left" | "right"): Worker {
  const { header, palette, transparency, compressed } = files[side];
  const file = { header, palette: new Uint8Array(palette), transparency: transparency === null ? null : new Uint8Array(transparency), compressed: new Uint8Array(compressed) };
  const task: ThreadTask = { side, file, threshold, difference };
  // stdout belongs to the protocol: whatever a library prints stays in the thread.
  const thread = new Worker(entry, { stdout: true, execArgv: [] });
  thread.postMessage(task, [file.compressed.buffer]);
  return thread;
}

function cutShort(): ReaError {
  return new ReaError("provider_unavailable", {
    message: "The comparison of the images was cut short. Compare smaller images, or call again.",
    details: { reason: "thread_ended" },
  });
}

function cancelled(operation: string): ReaError {
  return new ReaError("cancelled", { message: `${operation} was cancelled. Call it again when the result is wanted.`, details: { operation, cleanup: "complete" } });
}
