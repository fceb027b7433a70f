import { operations } from "@rea/core";
import type { ToolReply } from "@rea/tool";

const mostEntries = 500;

type Call = (tool: string, input: { readonly [field: string]: unknown }) => Promise<ToolReply>;

/**
 * A reply with the whole of a result that the tool gives in pages, for a file that is to hold all of it. The record stays
 * that of the first page, and each further page has one of its own in the session.
 */
export async function wholeReply(first: ToolReply, { tool, path, call }: Asked): Promise<ToolReply> {
  return tool === "extract_artifact" && first.ok ? wholeExtraction(first, path, call) : first;
}

interface Asked {
  readonly tool: string;
  /** What the first call named. */
  readonly path: unknown;
  readonly call: Call;
}

async function wholeExtraction(first: Extract<ToolReply, { readonly ok: true }>, path: unknown, call: Call): Promise<ToolReply> {
  const schema = operations.extract_artifact.result;
  const whole = schema.parse(first.value.result);
  const { extraction_id } = whole.extraction;
  for (let offset = whole.next_offset; offset !== null; ) {
    const reply = await call("extract_artifact", { path, extraction_id, offset, limit: mostEntries });
    if (!reply.ok) return reply;
    const page = schema.parse(reply.value.result);
    whole.artifacts.push(...page.artifacts);
    whole.skipped.push(...page.skipped);
    offset = page.next_offset;
  }
  return { ok: true, value: { ...first.value, result: { ...whole, next_offset: null } } };
}
