import { parentPort, workerData } from "node:worker_threads";
import type { ReadingJob } from "./pool/reading-job.js";
import { runJob } from "./pool/run-job.js";
import { SharedControl } from "./pool/shared-control.js";

/** Entry point of a thread that reads, inflates and hashes: answers jobs in the order they come. */

const memory: unknown = workerData;
const control = new SharedControl(memory instanceof SharedArrayBuffer ? memory : undefined);

/** The job at hand; some take several turns. */
let last = Promise.resolve();

parentPort?.on("message", (job: ReadingJob) => {
  last = last.then(() => work(job));
});

async function work(job: ReadingJob): Promise<void> {
  const answer = await runJob(job, control);
  parentPort?.postMessage(answer, "contents" in answer ? [answer.contents.buffer] : "head" in answer ? [answer.head.buffer] : []);
}
