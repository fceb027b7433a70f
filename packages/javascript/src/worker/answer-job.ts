import { scriptReading, sourceMapReading } from "../reader/readings.js";
import type { Answer, Job } from "./jobs.js";

/** Does one job; what runs in a thread. */
export async function answerJob(job: Job): Promise<Answer> {
  switch (job.kind) {
    case "read_script":
      return { kind: "script", reading: await scriptReading(job.text, job.limits) };
    case "read_source_map":
      return { kind: "source_map", reading: sourceMapReading(job.text, job.limits) };
    case "script_file":
      return { kind: "script_facts", ...(await (await import("../files/read-file.js")).readScriptFile(job.file)) };
    case "map_file":
      return { kind: "map_facts", facts: await (await import("../files/read-file.js")).readMapFile(job.bytes, job.limits) };
    case "page_file":
      return { kind: "page_facts", ...(await (await import("../files/read-page.js")).readPage(job.bytes, job.limits)) };
  }
}
