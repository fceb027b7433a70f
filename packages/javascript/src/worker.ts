import { parentPort, workerData } from "node:worker_threads";
import type { AnalyzerData } from "./application/analyzer.js";
import { answerJob } from "./worker/answer-job.js";
import type { Answer, JobMessage, ReplyMessage } from "./worker/jobs.js";

/** Entry point of the threads: one that analyses an application, or one that answers jobs one after another. */
function serve(): void {
  const data: unknown = workerData;
  if (isAnalyzer(data)) {
    void import("./worker/serve-analyzer.js").then(({ serveAnalyzer }) => serveAnalyzer(data));
    return;
  }
  parentPort?.on("message", (message: JobMessage) => void answer(message));
}

async function answer({ id, job }: JobMessage): Promise<void> {
  try {
    const found = await answerJob(job);
    send({ id, answer: found }, ownedBy(found));
  } catch (error) {
    send({ id, error: error instanceof RangeError ? "The text is deeper or larger than it can be read." : "The text could not be read." });
  }
}

function send(reply: ReplyMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transfer);
}

/** Texts that nobody needs here any more. */
function ownedBy(answer: Answer): ArrayBuffer[] {
  return answer.kind === "file" ? [answer.facts.buffer, answer.semantics.buffer] : [];
}

function isAnalyzer(data: unknown): data is AnalyzerData {
  return typeof data === "object" && data !== null && "role" in data && data.role === "analyzer";
}

serve();
