import type { Duplex } from "node:stream";
import type { ProtocolEvent, ReplayTransition } from "@rea/core";
import type { Pauses } from "./pauses.js";
import type { ProtocolRecorder } from "./protocol-recorder.js";
import type { ReplayDecision, ReplayResponder } from "./replay-decision.js";
import type { ReplayEvent } from "./replay-event.js";

/** What the two servers of one replay share. */
export interface ReplayContext {
  readonly responder: ReplayResponder;
  readonly recorder: ProtocolRecorder;
  readonly pauses: Pauses;
  /** Most bytes of one body or message. */
  readonly maximumBytes: number;
  readonly now: () => number;
  /** Only of machines. */
  readonly onTransition: ((transition: ReplayTransition) => void) | null;
  /** Connections are numbered from 0 in order of what they first asked. */
  numberOf(socket: Duplex): number;
}

type Told = Omit<ReplayEvent, "atMs">;

/** Decides one event and writes down what came of it, before anything is sent. */
export function decide(context: ReplayContext, event: Told, facts: Pick<ProtocolEvent, "transport" | "kind">): ReplayDecision {
  const decision = context.responder.handle({ ...event, atMs: context.now() });
  const request = facts.kind === "request" || facts.kind === "connect";
  context.recorder.record({
    ...facts,
    connection: event.connection,
    outcome: decision.outcome,
    ...(facts.kind === "request" ? { method: event.method } : {}),
    ...(request ? { path: event.path, headers: event.headers } : {}),
    ...(facts.kind === "request" || facts.kind === "message_in" ? { body: event.data } : {}),
  });
  noteTransition(context, decision);
  return decision;
}

function noteTransition({ onTransition, now }: ReplayContext, { transitionId, from, to, outcome, captures }: ReplayDecision): void {
  onTransition?.({ at_ms: now(), transition_id: transitionId, from, to, outcome, captures: [...captures] });
}

/** Header lines of a request as pairs. */
export function headerPairs(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return pairs;
}
