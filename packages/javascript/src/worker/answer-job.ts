import { scriptReading, sourceMapReading } from "../reader/readings.js";
import { encodeText } from "../text/decode.js";
import { factsText, type FoundFacts } from "./found-facts.js";
import type { Answer, FileAnswer, Job } from "./jobs.js";

/** Does one job; what runs in a thread. */
export async function answerJob(job: Job): Promise<Answer> {
  switch (job.kind) {
    case "read_script":
      return { kind: "script", reading: await scriptReading(job.text, job.limits) };
    case "read_source_map":
      return { kind: "source_map", reading: sourceMapReading(job.text, job.limits) };
    case "script_file":
      return fileAnswer({ kind: "script", ...(await (await import("../files/read-file.js")).readScriptFile(job.file)) });
    case "map_file":
      return fileAnswer({ kind: "map", facts: await (await import("../files/read-file.js")).readMapFile(job.bytes, job.limits), semantics: "" });
    case "page_file":
      return fileAnswer({ kind: "page", ...(await (await import("../files/read-page.js")).readPage(job.bytes, job.limits)) });
  }
}

function fileAnswer({ semantics, ...found }: FoundFacts & { readonly semantics: string }): FileAnswer {
  return { kind: "file", facts: factsText(found), semantics: encodeText(semantics) };
}
