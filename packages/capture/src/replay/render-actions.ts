import { headersOf, type ReplayMachineAction } from "@rea/core";
import type { ReplayAction } from "./replay-decision.js";

export type RenderOutcome = { readonly actions: readonly ReplayAction[] } | { readonly refused: "invalid_capture" | "bytes" };

interface Rendering {
  readonly values: ReadonlyMap<string, string>;
  /** Bytes that all payloads together may have. */
  room: number;
}

const place = /\{\{([A-Za-z0-9_.-]{1,64})\}\}/g;

/**
 * Fills in what was captured. `invalid_capture` when a template names what was not captured yet, or when a value cannot
 * stand in a header; `bytes` when the payloads together exceed the room. Nothing beyond the room is built.
 */
export function renderActions(actions: readonly ReplayMachineAction[], values: ReadonlyMap<string, string>, room: number): RenderOutcome {
  const rendering: Rendering = { values, room };
  const rendered: ReplayAction[] = [];
  for (const action of actions) {
    const one = renderAction(action, rendering);
    if (one === "invalid_capture" || one === "bytes") return { refused: one };
    rendered.push(one);
  }
  return { actions: rendered };
}

function renderAction(action: ReplayMachineAction, rendering: Rendering): ReplayAction | "invalid_capture" | "bytes" {
  const delayMs = action.delay_ms;
  switch (action.kind) {
    case "http_response": {
      const headers = renderHeaders(action, rendering.values);
      if (headers === undefined) return "invalid_capture";
      const data = payload(action, rendering);
      return typeof data === "string" ? data : { kind: "http_response", status: action.status ?? 200, headers, data, delayMs };
    }
    case "websocket_message": {
      const data = payload(action, rendering);
      return typeof data === "string" ? data : { kind: "websocket_message", data, binary: action.binary, delayMs };
    }
    case "websocket_close":
      return { kind: "websocket_close", code: action.code ?? 1000, delayMs };
    case "disconnect":
    case "continue":
      return { kind: action.kind, delayMs };
  }
}

function payload(action: ReplayMachineAction, rendering: Rendering): Uint8Array | "invalid_capture" | "bytes" {
  const text = action.template ? filled(action.data ?? "", rendering.values, rendering.room) : (action.data ?? "");
  if (text === undefined) return "invalid_capture";
  if (text === null) return "bytes";
  const data = Buffer.from(text, action.encoding);
  rendering.room -= data.byteLength;
  return rendering.room < 0 ? "bytes" : data;
}

/** Undefined for a value that is not there, null for a text that would be longer than the room. */
function filled(template: string, values: ReadonlyMap<string, string>, room: number): string | undefined | null {
  let length = template.length;
  for (const [whole, alias = ""] of template.matchAll(place)) {
    const value = values.get(alias);
    if (value === undefined) return undefined;
    length += value.length - whole.length;
  }
  // A code unit takes at least one byte of UTF-8.
  if (length > room) return null;
  return template.replace(place, (_whole, alias: string) => values.get(alias) ?? "");
}

const longestHeaders = 1_048_576;

function renderHeaders({ headers, template }: ReplayMachineAction, values: ReadonlyMap<string, string>): [string, string][] | undefined {
  const declared = headersOf(headers ?? "") ?? [];
  if (!template) return declared;
  const rendered: [string, string][] = [];
  for (const [name, value] of declared) {
    const text = filled(value, values, longestHeaders);
    if (text === undefined || text === null || /[^\t\x20-\x7e\x80-\xff]/.test(text)) return undefined;
    rendered.push([name, text]);
  }
  return rendered;
}
