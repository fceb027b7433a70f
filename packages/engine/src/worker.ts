import { parentPort, workerData } from "node:worker_threads";
import { toReaError, z } from "@rea/core";
import type { EarlyTarget } from "./engine-thread.js";
import { Cancellation } from "./worker/cancellation.js";
import { ReadAhead } from "./worker/read-ahead.js";
import type { WorkerCall, WorkerProgress, WorkerReply, WorkerSetup } from "./worker/messages.js";
import { TargetSession } from "./worker/target-session.js";

/** Entry point of the worker thread: is told its target, and answers calls about it, one after another. */

const progressEveryMs = 100;

const earlySchema: z.ZodType<EarlyTarget | null> = z.object({ path: z.string() }).nullable();

const setupSchema: z.ZodType<WorkerSetup> = z.object({
  target: z.object({
    path: z.string(),
    sha256: z.string().nullable(),
    bytes: z.number(),
    architecture: z.string().nullable(),
    available_architectures: z.array(z.string()),
    raw: z.object({ architecture: z.string(), base: z.string(), endian: z.enum(["little", "big"]) }).nullable(),
  }),
  cancelledCall: z.instanceof(SharedArrayBuffer),
});

const callSchema: z.ZodType<WorkerCall> = z.object({
  id: z.number(),
  operation: z.string(),
  params: z.unknown(),
  session: z
    .object({
      cursor: z.string().nullable(),
      author: z.object({ name: z.string(), version: z.string() }),
      stateDirectory: z.string(),
      cache: z.object({ directory: z.string(), version: z.string(), maximumBytes: z.number().optional() }).nullable(),
    })
    .nullable(),
});

function serve(): void {
  const early = earlySchema.parse(workerData);
  const ahead = new ReadAhead();
  parentPort?.once("message", (message: unknown) => {
    const setup = setupSchema.parse(message);
    const cancelled = new Int32Array(setup.cancelledCall);
    const session = new TargetSession(setup.target, { note, ahead });
    let last = reading;
    parentPort?.on("message", (next: unknown) => {
      const call = callSchema.parse(next);
      last = last.then(() => answer(session, call, cancelled));
    });
  });
  // What arrives meanwhile waits for what is read ahead, which is what it would begin with.
  const reading = early === null ? Promise.resolve() : ahead.read(early.path);
}

async function answer(session: TargetSession, call: WorkerCall, cancelled: Int32Array): Promise<void> {
  const { id, operation } = call;
  const cancellation = new Cancellation(cancelled, id, operation);
  try {
    const found = await session.answer({ call, cancellation, progress: reporter(id) });
    const keep = session.keeper();
    send({ kind: "answer", id, answer: found, keeping: keep !== undefined });
    if (keep !== undefined) void keepAnalysis(keep);
  } catch (error) {
    send({ kind: "error", id, error: toReaError(error, operation).toObject() });
  }
}

/** Goes on beside the next calls; whatever happens to it, they are answered. */
async function keepAnalysis(keep: () => Promise<void>): Promise<void> {
  try {
    await keep();
  } catch (error) {
    note(`The analysis is not kept: ${toReaError(error, "keep_analysis").code}.`);
  }
  send({ kind: "kept" });
}

function note(text: string): void {
  send({ kind: "note", text });
}

function reporter(id: number) {
  let sentAt = Number.NEGATIVE_INFINITY;
  return {
    report({ phase, completed, total, message }: { phase: string; completed: number; total?: number; message: string }): void {
      const now = performance.now();
      if (now - sentAt < progressEveryMs) return;
      sentAt = now;
      const progress: WorkerProgress = { phase, completed, total: total ?? null, message };
      send({ kind: "progress", id, progress });
    },
  };
}

function send(reply: WorkerReply): void {
  parentPort?.postMessage(reply);
}

serve();
