import type { ReplayHttpScript, ReplayMachineLimits, ReplayOutcome, ReplayWebSocketScript } from "@rea/core";
import { costOf, type ReplayAction, type ReplayDecision, type ReplayResponder } from "./replay-decision.js";
import type { ReplayEvent } from "./replay-event.js";
import { ReplayLimits } from "./replay-limits.js";

type Exchange = ReplayHttpScript["exchanges"][number];
type Step = ReplayWebSocketScript["connections"][number]["steps"][number];
type Body = NonNullable<Exchange["request_body"]>;

interface OpenScript {
  readonly steps: readonly Step[];
  next: number;
}

interface Answer {
  readonly outcome: ReplayOutcome;
  readonly actions: readonly ReplayAction[];
  /** Done once the limits allow the answer. */
  readonly commit: () => void;
}

/** Answers from fixed scripts. They have no states, so every decision stays where it is. */
export class ScriptResponder implements ReplayResponder {
  readonly #exchanges: readonly Exchange[];
  readonly #connections: ReplayWebSocketScript["connections"];
  readonly #uses = new Map<Exchange, number>();
  readonly #open = new Map<number, OpenScript>();
  readonly #limits: ReplayLimits;
  #connected = 0;

  constructor(scripts: { readonly http?: ReplayHttpScript | undefined; readonly websocket?: ReplayWebSocketScript | undefined }, limits: ReplayMachineLimits) {
    this.#exchanges = scripts.http?.exchanges ?? [];
    this.#connections = scripts.websocket?.connections ?? [];
    this.#limits = new ReplayLimits(limits);
  }

  handle(event: ReplayEvent): ReplayDecision {
    const reached = this.#limits.passedBy(event);
    if (reached !== null) return decision("limit_exhausted", [], reached);
    const { outcome, actions, commit } = this.#answer(event);
    const cost = costOf(actions);
    const limit = this.#limits.passedBy(event, cost);
    if (limit !== null) return decision("limit_exhausted", [], limit);
    this.#limits.count(event, cost);
    commit();
    return decision(outcome, actions);
  }

  #answer(event: ReplayEvent): Answer {
    switch (event.kind) {
      case "http":
        return this.#exchange(event);
      case "websocket_connect":
        return this.#connect(event);
      case "websocket_message":
        return this.#message(event);
      case "websocket_close":
        return this.#end(event);
    }
  }

  #exchange({ method, path, data }: ReplayEvent): Answer {
    const fitting = this.#exchanges.filter((one) => one.method === method && one.path === path && (one.request_body === undefined || isBody(one.request_body, data)));
    const chosen = fitting.find((one) => (this.#uses.get(one) ?? 0) < one.max_uses);
    if (chosen === undefined) return refusal(fitting.length === 0 ? "unmatched" : "script_exhausted");
    return { outcome: "matched", actions: [responseOf(chosen)], commit: () => this.#uses.set(chosen, (this.#uses.get(chosen) ?? 0) + 1) };
  }

  #connect({ connection, path }: ReplayEvent): Answer {
    if (this.#connections.length === 0) return refusal("unmatched");
    const script = this.#connections[this.#connected];
    if (script === undefined) return refusal("unexpected_reconnect");
    if (script.path !== path) return refusal("unmatched");
    const { actions, next } = sendsFrom(script.steps, 0);
    const commit = (): void => {
      this.#connected += 1;
      this.#open.set(connection, { steps: script.steps, next });
    };
    return { outcome: "matched", actions, commit };
  }

  /** The end of a connection fits its script when nothing was left to say or to hear. */
  #end({ connection }: ReplayEvent): Answer {
    const open = this.#open.get(connection);
    const complete = open !== undefined && open.next >= open.steps.length;
    return { outcome: complete ? "matched" : "disconnected", actions: [], commit: () => this.#open.delete(connection) };
  }

  #message({ connection, data }: ReplayEvent): Answer {
    const open = this.#open.get(connection);
    if (open === undefined) return refusal("disconnected");
    const step = open.steps[open.next];
    if (step === undefined) return refusal("script_exhausted");
    if (step.kind !== "expect" || !isBody(step.body, data)) return refusal("unmatched");
    const { actions, next } = sendsFrom(open.steps, open.next + 1);
    return { outcome: "matched", actions, commit: () => (open.next = next) };
  }
}

/** What follows up to the next message that is waited for; nothing follows a close. */
function sendsFrom(steps: readonly Step[], from: number): { readonly actions: readonly ReplayAction[]; readonly next: number } {
  const actions: ReplayAction[] = [];
  for (let next = from; next < steps.length; next += 1) {
    const step = steps[next];
    if (step === undefined || step.kind === "expect") return { actions, next };
    if (step.kind === "close") return { actions: [...actions, { kind: "websocket_close", code: step.code, delayMs: 0 }], next: steps.length };
    actions.push({ kind: "websocket_message", data: bytesOf(step.body), binary: step.binary, delayMs: step.delay_ms });
  }
  return { actions, next: steps.length };
}

function responseOf({ response }: Exchange): ReplayAction {
  const { status, headers, body, delay_ms: delayMs, disconnect } = response;
  if (disconnect) return { kind: "disconnect", delayMs };
  return { kind: "http_response", status, headers: headers.map(({ name, value }) => [name, value]), data: body === undefined ? new Uint8Array() : bytesOf(body), delayMs };
}

function bytesOf({ data, encoding }: Body): Uint8Array {
  return Buffer.from(data, encoding);
}

function isBody(expected: Body, data: Uint8Array): boolean {
  return Buffer.compare(bytesOf(expected), data) === 0;
}

function refusal(outcome: ReplayOutcome): Answer {
  return { outcome, actions: [], commit: () => undefined };
}

function decision(outcome: ReplayOutcome, actions: readonly ReplayAction[], limit: ReplayDecision["limit"] = null): ReplayDecision {
  return { outcome, from: "script", to: "script", transitionId: null, captures: [], actions, limit };
}
