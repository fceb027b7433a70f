import type { ReactiveAction, ReactiveRun, ReactiveScenario } from "@rea/core";
import { EffectCoordinator } from "./effect-coordinator.js";
import { ReactiveMachine, type ActionOutcome, type Moment, type ReactiveControl, type ReactiveEventKind } from "./reactive-machine.js";

export interface ReactiveDriverOptions {
  readonly scenario: ReactiveScenario;
  /** Milliseconds since the start of the program. */
  readonly now: () => number;
  /** The last entry of the capture's journal; 0 before the first. */
  readonly captureOrder: () => number;
  readonly perform: (action: ReactiveAction) => Promise<ActionOutcome>;
  /** Called once, when the run has come to its end by a transition, a deadline or a control. */
  readonly ended: (outcome: ReactiveRun["outcome"]) => void;
}

/** A reactive scenario at work: feeds the machine, performs its effects, watches its deadlines. */
export class ReactiveDriver {
  readonly #options: ReactiveDriverOptions;
  readonly #machine: ReactiveMachine;
  readonly #effects: EffectCoordinator;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  /** The clock of the deadlines runs from here on. */
  constructor(options: ReactiveDriverOptions) {
    this.#options = options;
    this.#machine = new ReactiveMachine(options.scenario);
    this.#effects = new EffectCoordinator({
      perform: options.perform,
      performed: (effect, outcome) => {
        this.#machine.performed(effect, outcome, options.now());
      },
    });
    this.#settle();
  }

  /** True when it takes no more transitions although it runs: a limitation of the capture. */
  get exhausted(): boolean {
    return this.#machine.exhausted;
  }

  event(event: ReactiveEventKind, name: string | null = null): void {
    this.#effects.submit(this.#machine.event(event, name, this.#moment()));
    this.#settle();
  }

  /** Output of the program, decoded from UTF-8 as a stream. */
  text(text: string): void {
    this.#effects.submit(this.#machine.text(text, this.#moment()));
    this.#settle();
  }

  /** `target_lost` when the program has ended and nothing more can happen. */
  control(control: Exclude<ReactiveControl, "state_deadline" | "scenario_deadline">): void {
    this.#machine.control(control, this.#moment());
    this.#settle();
  }

  /** Settles when all effects until then are performed. */
  idle(): Promise<void> {
    return this.#effects.idle();
  }

  run(): ReactiveRun {
    return this.#machine.run();
  }

  /** Stops the clock; effects that have not begun are not performed. Safe to call twice. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ended = true;
    await this.#effects.close();
  }

  #moment(): Moment {
    return { atMs: this.#options.now(), captureOrder: this.#options.captureOrder() };
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended) return;
    const { outcome } = this.#machine;
    if (outcome !== null) {
      this.#ended = true;
      this.#options.ended(outcome);
      return;
    }
    const wait = Math.max(0, (this.#machine.nextDeadlineMs() ?? 0) - this.#options.now());
    this.#timer = setTimeout(() => {
      this.#machine.time(this.#moment());
      this.#settle();
    }, wait);
  }
}
