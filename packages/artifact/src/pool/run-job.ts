import { digestRuns } from "./digest-runs.js";
import { readFiles } from "./read-files.js";
import { readSlices } from "./read-slices.js";
import { readTar } from "./read-tar.js";
import type { JobControl, ReadingAnswer, ReadingJob, TarJob } from "./reading-job.js";

/** Does a job in this thread. Never throws for what a file is or does. */
export function runJob(job: ReadingJob, control: JobControl): ReadingAnswer | Promise<ReadingAnswer> {
  if (job.kind === "tar") return readTar(job, control).then(told);
  return told(answerOf(job, control));
}

type Answer = Exclude<ReadingAnswer, { readonly kind: "failed" | "cancelled" }> | "failed" | undefined;

function told(answer: Answer): ReadingAnswer {
  if (answer === "failed") return { kind: "failed" };
  return answer ?? { kind: "cancelled" };
}

function answerOf(job: Exclude<ReadingJob, TarJob>, control: JobControl): Answer {
  switch (job.kind) {
    case "files":
      return readFiles(job, control);
    case "slices":
      return readSlices(job, control);
    case "digest":
      return digestRuns(job, control);
  }
}
