import { isAbsolute } from "node:path";
import { ReaError } from "@rea/core";

const maximumBytes = 4096;

/**
 * Refuses what is not an absolute local path: relative paths, `~`, `file:` and other schemes, NUL bytes.
 * Throws `invalid_request` that names the field and the expected form, never the value.
 */
export function requireLocalPath(path: string, field: string, operation: string): void {
  if (isAbsolute(path) && !path.includes("\0") && Buffer.byteLength(path) <= maximumBytes) return;
  throw new ReaError("invalid_request", {
    message: `${operation} needs an absolute local path in ${field}, without ~ and without a scheme. Correct it and call again.`,
    details: {
      operation,
      issues: [{ path: field, reason: "invalid_format", expected: "an absolute local path such as /usr/bin/env" }],
    },
  });
}
