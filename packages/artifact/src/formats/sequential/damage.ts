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

/** Reports that something at an offset of the container is damaged; `what` is a sentence of ours. */
export function malformed(input: ReaderInput, offset: number, what: string): void {
  input.report.omission(omission(`Byte ${String(offset)}: ${what}`, "malformed"));
}
