import type { ReplayMachineDefinition, ReplayMachineGuard, ReplayMachineTransition, ReplayOutcome, ReplayTrigger } from "@rea/core";
import { renderActions } from "./render-actions.js";
import { costOf, type ReplayDecision, type ReplayResponder } from "./replay-decision.js";
import { EventParts, type ReplayEvent } from "./replay-event.js";
import { ReplayLimits, type ReplayUse } from "./replay-limits.js";

export interface ReplayMachine extends ReplayResponder {
  state(): string;
  used(): ReplayUse;
  /** How often a transition was taken. */
  usesOf(transitionId: string): number;
}

/** A machine in its initial state. Pure: equal events lead to equal decisions; what was captured never leaves it but in actions. */
export function createReplayMachine(definition: ReplayMachineDefinition): ReplayMachine {
  return new Machine(definition);
}

class Machine implements ReplayMachine {
  readonly #leaving: ReadonlyMap<string, readonly ReplayMachineTransition[]>;
  readonly #triggers: ReadonlySet<ReplayTrigger>;
  readonly #limits: ReplayLimits;
  readonly #uses = new Map<string, number>();
  readonly #open = new Set<number>();
  readonly #known = new Set<number>();
  #values: ReadonlyMap<string, string> = new Map();
  #state: string;

  constructor(definition: ReplayMachineDefinition) {
    this.#leaving = byState(definition.transitions);
    this.#triggers = new Set(definition.transitions.map(({ trigger }) => trigger));
    this.#limits = new ReplayLimits(definition.limits);
    this.#state = definition.initial_state;
  }

  state(): string {
    return this.#state;
  }

  used(): ReplayUse {
    return this.#limits.used();
  }

  usesOf(transitionId: string): number {
    return this.#uses.get(transitionId) ?? 0;
  }

  handle(event: ReplayEvent): ReplayDecision {
    if (event.kind === "websocket_close") {
      this.#open.delete(event.connection);
      return this.#refused("disconnected");
    }
    const limit = this.#limits.passedBy(event);
    if (limit !== null) return { ...this.#refused("limit_exhausted"), limit };
    return this.#decide(event, event.kind);
  }

  #decide(event: ReplayEvent, trigger: ReplayTrigger): ReplayDecision {
    const lost = this.#lostConnection(event, trigger);
    if (lost !== null) return this.#counted(event, lost);
    const candidates = (this.#leaving.get(this.#state) ?? []).filter((one) => one.trigger === trigger);
    if (candidates.length === 0) return this.#counted(event, this.#withoutCandidate(trigger));
    const parts = new EventParts(event);
    const holding = candidates.filter(({ guards }) => guards.every((guard) => this.#holds(guard, parts)));
    const chosen = holding.find(({ id, max_uses }) => this.usesOf(id) < max_uses);
    if (chosen === undefined) return this.#counted(event, holding.length === 0 ? "guard_failed" : "transition_exhausted");
    return this.#take(chosen, event, parts);
  }

  #lostConnection({ connection }: ReplayEvent, trigger: ReplayTrigger): ReplayOutcome | null {
    if (trigger === "websocket_message") return this.#open.has(connection) ? null : "disconnected";
    return trigger === "websocket_connect" && this.#known.has(connection) ? "unexpected_reconnect" : null;
  }

  #withoutCandidate(trigger: ReplayTrigger): ReplayOutcome {
    if (!this.#triggers.has(trigger)) return "unmatched";
    return trigger === "websocket_connect" && this.#known.size > 0 ? "unexpected_reconnect" : "invalid_state";
  }

  #take(chosen: ReplayMachineTransition, event: ReplayEvent, parts: EventParts): ReplayDecision {
    const captured = capturedBy(chosen, parts);
    if (captured === undefined) return this.#counted(event, "invalid_capture");
    const values = new Map([...this.#values, ...captured]);
    const rendered = renderActions(chosen.actions, values, this.#limits.roomFor(event));
    if ("refused" in rendered) {
      if (rendered.refused === "invalid_capture") return this.#counted(event, "invalid_capture");
      return { ...this.#refused("limit_exhausted"), limit: "bytes" };
    }
    const cost = costOf(rendered.actions);
    const limit = this.#limits.passedBy(event, cost);
    if (limit !== null) return { ...this.#refused("limit_exhausted"), limit };
    this.#limits.count(event, cost);
    this.#values = values;
    this.#uses.set(chosen.id, this.usesOf(chosen.id) + 1);
    this.#noteConnection(event, rendered.actions.some(({ kind }) => kind === "disconnect" || kind === "websocket_close"));
    const from = this.#state;
    this.#state = chosen.to;
    const captures = [...new Set(chosen.captures.map(({ alias }) => alias))];
    return { outcome: "matched", from, to: chosen.to, transitionId: chosen.id, captures, actions: rendered.actions, limit: null };
  }

  #noteConnection({ kind, connection }: ReplayEvent, ends: boolean): void {
    if (kind === "websocket_connect") {
      this.#open.add(connection);
      this.#known.add(connection);
    }
    if (ends) this.#open.delete(connection);
  }

  #holds({ source, name, test, value = "" }: ReplayMachineGuard, parts: EventParts): boolean {
    const found = source === "capture" ? this.#values.get(name ?? "") : parts.read(source, name);
    switch (test) {
      case "present":
        return found !== undefined;
      case "absent":
        return found === undefined;
      case "equals":
        return found === value;
      case "not_equals":
        return found !== value;
      case "contains":
        return found?.includes(value) === true;
      case "starts_with":
        return found?.startsWith(value) === true;
    }
  }

  /** An event that was looked at counts, whatever came of it. */
  #counted(event: ReplayEvent, outcome: ReplayOutcome): ReplayDecision {
    this.#limits.count(event);
    return this.#refused(outcome);
  }

  #refused(outcome: ReplayOutcome): ReplayDecision {
    return { outcome, from: this.#state, to: this.#state, transitionId: null, captures: [], actions: [], limit: null };
  }
}

/** Undefined when the event lacks a value, or has one that is too long. */
function capturedBy({ captures }: ReplayMachineTransition, parts: EventParts): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (const { alias, source, name, max_bytes } of captures) {
    const value = parts.read(source, name);
    if (value === undefined || Buffer.byteLength(value) > max_bytes) return undefined;
    values.set(alias, value);
  }
  return values;
}

function byState(transitions: readonly ReplayMachineTransition[]): ReadonlyMap<string, readonly ReplayMachineTransition[]> {
  const leaving = new Map<string, ReplayMachineTransition[]>();
  // The sort is stable, so equal priorities keep the order of the list.
  for (const one of [...transitions].sort((a, b) => b.priority - a.priority)) {
    const list = leaving.get(one.from);
    if (list === undefined) leaving.set(one.from, [one]);
    else list.push(one);
  }
  return leaving;
}
