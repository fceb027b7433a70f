import { isJsonObject, type ErrorObject } from "@rea/core";
import type { ToolSuccess } from "@rea/tool";
import type { CommandSession } from "./command-session.js";
import type { TargetArguments } from "./common-options.js";

export interface Envelope {
  readonly tool: string;
  readonly value: ToolSuccess;
}

export type Collected =
  | { readonly ok: true; readonly opened: unknown; readonly envelopes: readonly Envelope[]; readonly missing: readonly ErrorObject[] }
  | { readonly ok: false; readonly error: ErrorObject };

/** Codes with which a tool says that it does not support this target; the others are failures. */
const unsupported: ReadonlySet<string> = new Set(["capability_unavailable", "artifact_operation_failed"]);

/**
 * Opens PATH and runs those of the tools that support it. When none does, the opening's own envelope is the answer: what
 * the file is and why nothing deeper can be said.
 */
export async function collectEnvelopes(
  session: CommandSession,
  given: TargetArguments & { readonly path: string },
  calls: readonly (readonly [tool: string, input: { readonly [field: string]: unknown }])[],
): Promise<Collected> {
  const opened = await session.open(given.path, given);
  if (!opened.ok) return opened;
  const envelopes: Envelope[] = [];
  // A directory has no bytes of its own that a binary tool could read.
  const applicable = isDirectory(opened.value.result) ? [] : calls;
  const missing: ErrorObject[] = [];
  // Asked together: while the engine works on the next answer, the last one is checked and recorded.
  const replies = await Promise.all(applicable.map(async ([tool, input]) => ({ tool, reply: await session.call(tool, input) })));
  for (const { tool, reply } of replies) {
    if (reply.ok) envelopes.push({ tool, value: reply.value });
    else if (unsupported.has(reply.error.code)) missing.push(reply.error);
    else return reply;
  }
  if (envelopes.length === 0) envelopes.push({ tool: "open_binary", value: opened.value });
  return { ok: true, opened: opened.value.result, envelopes, missing };
}

function isDirectory(result: unknown): boolean {
  return isJsonObject(result) && result["kind"] === "directory";
}
