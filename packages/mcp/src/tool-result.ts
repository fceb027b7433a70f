import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ErrorObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import { frameTooLarge } from "./frame-budget.js";

/**
 * One reply as MCP carries it: success as the same JSON in the text block and as structured content; an error as text
 * alone, marked `isError`.
 */
export function toCallToolResult(reply: ToolReply, limitBytes: number): CallToolResult {
  if (!reply.ok) return errorResult(reply.error);
  const text = JSON.stringify(reply.value);
  const actual = frameBytes(text);
  if (actual > limitBytes) return errorResult(frameTooLarge(reply.value, limitBytes, actual));
  return { content: [{ type: "text", text }], structuredContent: { ...reply.value } };
}

function errorResult(error: ErrorObject): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error }) }] };
}

/** Envelope of a JSON-RPC reply around the two copies; generous, since ids may be long strings. */
const envelopeBytes = 1024;

/** Bytes of the whole frame: the structured copy as it is plus the text copy escaped as a JSON string. */
function frameBytes(text: string): number {
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text)) + envelopeBytes;
}
