import { omission, ReaError } from "@rea/core";
import type { ReaderInput } from "../../format.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";

/** Runs a step of reading; damage becomes an omission about `what` ("The header"), and undefined. */
export async function damage<T>(input: ReaderInput, reader: SequentialReader, what: string, step: () => Promise<T>): Promise<T | undefined> {
  const offset = reader.position;
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ReaError) || error.code !== "artifact_operation_failed") throw error;
    malformed(input, offset, `${what} cannot be read: ${error.message}`);
    return undefined;
  }
}

/** How much was reported for each container. */
const counts = new WeakMap<ReaderInput, number>();
const mostReported = 100;

/**
 * Reports that something at an offset of the container is damaged; `what` is a sentence of ours. A hundred places are
 * reported one by one.
 */
export function malformed(input: ReaderInput, offset: number, what: string): void {
  const count = (counts.get(input) ?? 0) + 1;
  counts.set(input, count);
  if (count <= mostReported) input.report.omission(omission(`Byte ${String(offset)}: ${what}`, "malformed"));
  else if (count === mostReported + 1) input.report.omission(omission("The container is damaged at more places than are listed.", "malformed", { limit: mostReported }));
}
