import { ReaError } from "@rea/core";

/** The error of compressed data that does not decode: `artifact_operation_failed`, reason `format`. `what` is a sentence of ours. */
export function brokenData(what: string, offset?: number): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: what,
    details: { operation: "decompress", reason: "format", ...(offset === undefined ? {} : { offset }) },
  });
}
