import { ErrorCode, JSONRPCMessageSchema, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** A JSON-RPC error as a frame carries it; the id is null when the frame had none that can be used. */
export interface FrameError {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
}

/**
 * What to do with one line of input: hand it on, answer it with an error, or pass over it. `note` is a line for the log and
 * holds nothing of the frame.
 */
export type CheckedFrame =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | { readonly kind: "refused"; readonly error: FrameError }
  | { readonly kind: "ignored"; readonly note: string };

/** Parses and checks one line against JSON-RPC 2.0 as MCP uses it: one object a line, ids are strings or whole numbers. */
export function checkFrame(line: string): CheckedFrame {
  const frame = parse(line);
  if (frame === undefined) return refused(null, ErrorCode.ParseError, "The line is no JSON. Send one JSON-RPC message a line.");
  if (Array.isArray(frame)) {
    return refused(null, ErrorCode.InvalidRequest, "Batches are not supported. Send each message on a line of its own.");
  }
  if (typeof frame !== "object" || frame === null) {
    return refused(null, ErrorCode.InvalidRequest, "The message is no JSON-RPC object.");
  }
  return checkObject(frame);
}

function checkObject(frame: object): CheckedFrame {
  const id = member(frame, "id");
  const method = member(frame, "method");
  const usable = isId(id) ? id : null;
  const invalid = (message: string) => refused(usable, ErrorCode.InvalidRequest, message);
  if (id !== undefined && usable === null) return invalid("The id of a message must be a string or a whole number.");
  if (member(frame, "jsonrpc") !== "2.0") return invalid('A message must have the member "jsonrpc" with the value "2.0".');
  if (method === undefined && (Object.hasOwn(frame, "result") || Object.hasOwn(frame, "error"))) {
    return { kind: "ignored", note: "a response came that answers no request" };
  }
  if (typeof method !== "string") return invalid("The method of a message must be a string.");
  if (Object.keys(frame).some((key) => !members.has(key))) return invalid("The message has a member that JSON-RPC does not know.");
  const parsed = JSONRPCMessageSchema.safeParse(frame);
  if (parsed.success) return { kind: "message", message: parsed.data };
  if (usable === null) return { kind: "ignored", note: "a notification came whose params do not have the shape of the protocol" };
  return refused(usable, ErrorCode.InvalidParams, "The params of this request do not have the shape of the protocol.");
}

const members: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

function refused(id: FrameError["id"], code: number, message: string): CheckedFrame {
  return { kind: "refused", error: { id, code, message } };
}

/** Undefined for text that is no JSON; no JSON text means undefined. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function member(frame: object, name: string): unknown {
  return Object.hasOwn(frame, name) ? Reflect.get(frame, name) : undefined;
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}
