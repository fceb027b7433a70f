import { parentPort } from "node:worker_threads";
import { answerJob } from "./worker/answer-job.js";
import type { JobMessage, ReplyMessage } from "./worker/jobs.js";

/** Entry point of a reading thread: answers one job after another. */
function serve(): void {
  parentPort?.on("message", (message: JobMessage) => void answer(message));
}

async function answer({ id, job }: JobMessage): Promise<void> {
  try {
    send({ id, answer: await answerJob(job) });
  } catch (error) {
    send({ id, error: error instanceof RangeError ? "The text is deeper or larger than it can be read." : "The text could not be read." });
  }
}

function send(reply: ReplyMessage): void {
  parentPort?.postMessage(reply);
}

serve();
