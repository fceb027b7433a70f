import { digestRuns } from "./digest-runs.js";
import { readFiles } from "./read-files.js";
import { readSlices } from "./read-slices.js";
import type { JobControl, ReadingAnswer, ReadingJob } from "./reading-job.js";

/** Does a job in this thread. Never throws for what a file is or does. */
export function runJob(job: ReadingJob, control: JobControl): ReadingAnswer {
  const answer = answerOf(job, control);
  if (answer === "failed") return { kind: "failed" };
  return answer ?? { kind: "cancelled" };
}

function answerOf(job: ReadingJob, control: JobControl): Exclude<ReadingAnswer, { readonly kind: "failed" | "cancelled" }> | "failed" | undefined {
  switch (job.kind) {
    case "files":
      return readFiles(job, control);
    case "slices":
      return readSlices(job, control);
    case "digest":
      return digestRuns(job, control);
  }
}
