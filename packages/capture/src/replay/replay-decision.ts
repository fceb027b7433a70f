import type { ReplayLimitName, ReplayOutcome } from "@rea/core";
import type { ReplayEvent } from "./replay-event.js";

/** What a server is to do; payloads are complete. */
export type ReplayAction = { readonly delayMs: number } & (
  | { readonly kind: "http_response"; readonly status: number; readonly headers: readonly (readonly [string, string])[]; readonly data: Uint8Array }
  | { readonly kind: "websocket_message"; readonly data: Uint8Array; readonly binary: boolean }
  | { readonly kind: "websocket_close"; readonly code: number }
  | { readonly kind: "disconnect" }
  | { readonly kind: "continue" }
);

/** What came of one event. A refused event changes no state and has no actions. */
export interface ReplayDecision {
  readonly outcome: ReplayOutcome;
  readonly from: string;
  readonly to: string;
  readonly transitionId: string | null;
  /** Names of what was captured from the event. */
  readonly captures: readonly string[];
  readonly actions: readonly ReplayAction[];
  /** The limit that was reached. */
  readonly limit: ReplayLimitName | null;
}

/** Answers events one after the other: a machine, or a script. */
export interface ReplayResponder {
  handle(event: ReplayEvent): ReplayDecision;
}

/** Bytes and messages that the actions send. */
export function costOf(actions: readonly ReplayAction[]): { readonly bytes: number; readonly messages: number } {
  let bytes = 0;
  let messages = 0;
  for (const action of actions) {
    if (action.kind !== "http_response" && action.kind !== "websocket_message") continue;
    bytes += action.data.byteLength;
    messages += 1;
  }
  return { bytes, messages };
}
