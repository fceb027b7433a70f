import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

export interface ToolCall {
  readonly name: string;
  /** The arguments as they came, every own key included. */
  readonly input: object;
  /** Where progress goes; undefined when nobody watches. */
  readonly token: string | number | undefined;
}

/** The params of `tools/call`. Throws -32602 with one sentence when `name` or `arguments` is missing or of another type. */
export function toolCall(params: unknown): ToolCall {
  const name = member(params, "name");
  if (typeof name !== "string") throw invalid("tools/call needs the name of a tool, a string, in params.name.");
  const input = member(params, "arguments") ?? (has(params, "arguments") ? null : {});
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid("tools/call takes an object in params.arguments, or no such member.");
  }
  const token = member(member(params, "_meta"), "progressToken");
  return { name, input, token: typeof token === "string" || typeof token === "number" ? token : undefined };
}

function invalid(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message);
}

function has(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
