import type { Answer } from "../worker/jobs.js";

/** Facts that an earlier run kept. Only packs that are whole and written by this code get here, so their shape is known. */
export function factsFrom(text: string): Answer | undefined {
  const value: unknown = JSON.parse(text);
  return isAnswer(value) ? value : undefined;
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "kind" in value && "facts" in value;
}
