import type { ReactiveAction, ReactivePredicate, ReactiveRecord, ReactiveRun, ReactiveScenario } from "@rea/core";
import { MatchLog } from "./match-log.js";
import { satisfactionOf, type Satisfaction } from "./satisfaction.js";
import { TextScanner } from "./text-scanner.js";

export type ReactiveEventKind = Extract<ReactivePredicate, { kind: "event" }>["event"];
export type ReactiveControl = Extract<ReactiveRecord, { kind: "control" }>["control"];
export type ActionOutcome = Extract<ReactiveRecord, { kind: "action" }>["outcome"];

/** When something happened: since the start, and after which entry of the journal. */
export interface Moment {
  readonly atMs: number;
  /** The last entry of the journal; 0 before the first. */
  readonly captureOrder: number;
}

/** Something to do for a transition that was taken; to be done in the order in which effects are given out. */
export interface ReactiveEffect {
  readonly transition: number;
  readonly action: number;
  readonly perform: ReactiveAction;
}

/** A run takes so many transitions, then it waits for its deadline. */
const maximumTransitions = 2000;

/**
 * The machine of a reactive scenario: told what happens, it says what to do. Pure: it has no clock and performs nothing.
 *
 * Text and events lie on one line of positions. A transition is due at the end of the match that completes its
 * predicates, and the next state begins there; so what comes out does not depend on how the text was cut into pieces.
 * Among several the one that was due first is taken, then the first in the list.
 */
export class ReactiveMachine {
  readonly #scenario: ReactiveScenario;
  readonly #logs = new Map<string, MatchLog>();
  readonly #scanner: TextScanner;
  readonly #records: ReactiveRecord[] = [];
  readonly #checkpoints = new Map<string, number>();
  readonly #events = new Map<string, number>();
  /** Transitions taken at the position where the state began, so that no circle turns on the spot. */
  readonly #takenHere = new Set<number>();
  #position = 1;
  #entry = 0;
  #entryMs = 0;
  #taken = 0;
  #state: string;
  #outcome: ReactiveRun["outcome"] | null = null;

  constructor(scenario: ReactiveScenario) {
    this.#scenario = scenario;
    this.#state = scenario.initial_state;
    const predicates = scenario.transitions.flatMap((transition) => transition.predicates);
    for (const predicate of predicates) this.#logs.set(keyOf(predicate), new MatchLog());
    this.#scanner = new TextScanner(predicates.flatMap((predicate) => (predicate.kind === "terminal_text" ? [predicate.value] : [])));
  }

  /** Null while it runs. */
  get outcome(): ReactiveRun["outcome"] | null {
    return this.#outcome;
  }

  /** True when it takes no more transitions although it runs. */
  get exhausted(): boolean {
    return this.#outcome === null && this.#taken >= maximumTransitions;
  }

  /** What happened, other than text. `name` is that of a checkpoint or of a command. */
  event(event: ReactiveEventKind, name: string | null, moment: Moment): readonly ReactiveEffect[] {
    if (!this.#runs(moment)) return [];
    const match = { start: this.#position, end: this.#position + 1 };
    this.#position = match.end;
    this.#logs.get(eventKey(event, null))?.add(match);
    if (name !== null) this.#logs.get(eventKey(event, name))?.add(match);
    if (event === "checkpoint" && name !== null) this.#checkpoints.set(name, match.end);
    return this.#react(moment);
  }

  /** What came to the terminal, decoded. */
  text(text: string, moment: Moment): readonly ReactiveEffect[] {
    if (!this.#runs(moment)) return [];
    const from = this.#position;
    this.#position += text.length;
    const found = [...this.#scanner.feed(text, from)];
    if (found.length === 0) return [];
    for (const { literal, start, end } of found) this.#logs.get(textKey(literal))?.add({ start, end });
    return this.#react(moment);
  }

  /** When time has to be told next, in milliseconds since the start; null when it is over. */
  nextDeadlineMs(): number | null {
    return this.#outcome === null ? Math.min(this.#scenario.deadline_ms, this.#stateDeadline()) : null;
  }

  /** Tells the time. */
  time(moment: Moment): void {
    this.#runs(moment);
  }

  /** What ends the run from outside, or what is learnt after its end. */
  control(control: Exclude<ReactiveControl, "state_deadline" | "scenario_deadline">, moment: Moment): void {
    this.#note(control, moment);
  }

  /** What became of an effect. */
  performed({ transition, action, perform }: ReactiveEffect, outcome: ActionOutcome, atMs: number): void {
    this.#records.push({ kind: "action", at_ms: atMs, transition, action, action_kind: perform.kind, outcome });
  }

  /** The record of the run; `cancelled` when it was never brought to an end. */
  run(): ReactiveRun {
    return { outcome: this.#outcome ?? "cancelled", final_state: this.#state, records: [...this.#records] };
  }

  #runs(moment: Moment): boolean {
    if (this.#outcome !== null) return false;
    const stateDeadline = this.#stateDeadline();
    if (moment.atMs < Math.min(stateDeadline, this.#scenario.deadline_ms)) return true;
    this.#note(stateDeadline < this.#scenario.deadline_ms ? "state_deadline" : "scenario_deadline", moment);
    return false;
  }

  #stateDeadline(): number {
    const own = this.#scenario.states.find(({ name }) => name === this.#state)?.deadline_ms;
    return own === undefined ? Number.POSITIVE_INFINITY : this.#entryMs + own;
  }

  #note(control: ReactiveControl, { atMs, captureOrder }: Moment): void {
    this.#records.push({ kind: "control", at_ms: atMs, control, state: this.#state, after_capture_order: captureOrder });
    this.#outcome ??= control;
  }

  #react(moment: Moment): ReactiveEffect[] {
    const effects: ReactiveEffect[] = [];
    while (this.#outcome === null && this.#taken < maximumTransitions) {
      const due = this.#firstDue();
      if (due === undefined) break;
      effects.push(...this.#take(due.index, due.satisfaction, moment));
    }
    return effects;
  }

  #firstDue(): { readonly index: number; readonly satisfaction: Satisfaction } | undefined {
    const anchors = { stateEntry: this.#entry, checkpoints: this.#checkpoints, events: this.#events };
    const seen = { anchors, logOf: (predicate: ReactivePredicate) => this.#logs.get(keyOf(predicate)) ?? new MatchLog() };
    let first: { readonly index: number; readonly satisfaction: Satisfaction } | undefined;
    for (const [index, transition] of this.#scenario.transitions.entries()) {
      if (transition.from !== this.#state) continue;
      const satisfaction = satisfactionOf(transition, seen);
      if (satisfaction === undefined) continue;
      const position = Math.max(satisfaction.position, this.#entry);
      if (position === this.#entry && this.#takenHere.has(index)) continue;
      if (first === undefined || position < first.satisfaction.position) first = { index, satisfaction: { ...satisfaction, position } };
    }
    return first;
  }

  #take(index: number, { position, names }: Satisfaction, { atMs }: Moment): ReactiveEffect[] {
    const transition = this.#scenario.transitions[index];
    if (transition === undefined) return [];
    if (position > this.#entry) this.#takenHere.clear();
    this.#takenHere.add(index);
    for (const [name, end] of names) this.#events.set(name, end);
    const to = transition.goto ?? null;
    this.#records.push({ kind: "transition", at_ms: atMs, transition: index, from: this.#state, to });
    this.#taken += 1;
    this.#entry = position;
    this.#entryMs = atMs;
    if (to === null) this.#outcome = "finished";
    else this.#state = to;
    return transition.actions.map((perform, action) => ({ transition: index, action, perform }));
  }
}

function keyOf(predicate: ReactivePredicate): string {
  return predicate.kind === "event" ? eventKey(predicate.event, predicate.name ?? null) : textKey(predicate.value);
}

function eventKey(event: ReactiveEventKind, name: string | null): string {
  return name === null ? `event ${event}` : `event ${event} ${name}`;
}

function textKey(literal: string): string {
  return `text ${literal}`;
}
