import type { Execution } from "@rea/core";
import type { ToolOutcome } from "@rea/tool";

/** The outcome of a tool that is one operation: its result with its provenance. */
export function answer<R>(execution: Execution<R>): ToolOutcome<R> {
  const { result, ...produced } = execution;
  return { result, produced };
}
