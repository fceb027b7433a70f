import { escapeUntrusted, truncateCodePoints } from "@rea/core";

const maximumLength = 200;

/**
 * One short line for the log about a protocol fault. The library reports a message of a wrong shape with many lines, some
 * of them quoting it; of those only the fact is told.
 */
export function faultLine(error: Error): string {
  if (error.message.includes("\n")) return "a message came whose params do not have the shape of the protocol";
  return escapeUntrusted(truncateCodePoints(error.message, maximumLength).text);
}
