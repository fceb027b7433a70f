import { throwIfAborted, type ElectronAction, type ElectronActionResult, type ElectronScenario } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import { until, type Deadline } from "../scenario/deadline.js";
import { StepFailed } from "../scenario/step-failed.js";
import type { ElectronWindow, ElectronWindows } from "./electron-windows.js";
import type { MainProcess } from "./main-process.js";

type Failure = NonNullable<ElectronActionResult["failure"]>;

export interface ElectronActionsOptions {
  readonly windows: ElectronWindows;
  readonly main: MainProcess;
  readonly scenario: ElectronScenario;
  readonly signal: AbortSignal;
  readonly operation: string;
  /** By `Date.now()`. */
  readonly startedAt: number;
  /** Whether the application has ended. */
  readonly over: () => boolean;
}

class ActionFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure);
  }
}

/** Does the actions of a scenario in the windows of an application; after one that failed the others are not done. */
export class ElectronActions {
  readonly #options: ElectronActionsOptions;
  #failed = false;
  #matches: number | null = null;

  constructor(options: ElectronActionsOptions) {
    this.#options = options;
  }

  async perform(index: number, action: ElectronAction): Promise<ElectronActionResult> {
    const started = this.#now();
    const told = (outcome: ElectronActionResult["outcome"], failure: Failure | null): ElectronActionResult => ({ index, type: action.type, outcome, failure, matches: this.#matches, started_ms: started, ended_ms: this.#now() });
    this.#matches = null;
    if (this.#failed) return told("not_run", null);
    try {
      await this.#act(action, this.#deadline());
      return told("completed", null);
    } catch (error) {
      throwIfAborted(this.#options.signal, this.#options.operation);
      this.#failed = true;
      return told("failed", this.#failureOf(error));
    }
  }

  async #act(action: ElectronAction, deadline: Deadline): Promise<void> {
    switch (action.type) {
      case "click":
        return this.#in(action.window, deadline, async ({ page, control }) => {
          await control.click(action, deadline);
          await page.settle(deadline);
        });
      case "wait":
        if (action.ms !== undefined) return passTime(action.ms, deadline);
        return this.#in(action.window, deadline, ({ control }) => control.waitFor(action, "visible", deadline));
      case "renderer_reload":
        return this.#in(action.window, deadline, async ({ page }) => {
          await page.session.tell("Page.reload");
          await page.settle(deadline);
        });
      case "renderer_crash":
        return this.#in(action.window, deadline, async ({ page }) => {
          // The answer dies with the renderer.
          void page.session.tell("Page.crash").catch(() => undefined);
          await until(deadline, () => Promise.resolve(page.over === null ? new StepFailed("timeout") : null));
        });
      case "deep_link":
        if (await this.#options.main.deepLink(action.mode, action.url)) return;
        throw new ActionFailed("hook_missing");
    }
  }

  async #in(index: number, deadline: Deadline, work: (window: ElectronWindow) => Promise<void>): Promise<void> {
    const window = await until(deadline, async () => (await this.#options.windows.window(index)) ?? new StepFailed("timeout")).catch((error: unknown) => {
      throw error instanceof StepFailed && error.failure === "timeout" ? new ActionFailed("window_not_found") : error;
    });
    try {
      await work(window);
    } catch (error) {
      throw window.page.failureOf(error);
    } finally {
      this.#matches = window.control.matches;
    }
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof ActionFailed || error instanceof StepFailed) return error.failure;
    if (this.#options.over()) return "browser_exited";
    return error instanceof CommandRefused ? "protocol_error" : "disconnected";
  }

  #deadline(): Deadline {
    const { max_duration_ms: total, action_timeout_ms: step } = this.#options.scenario.limits;
    const left = total - this.#now();
    const failure = left <= step ? "time_limit" : "timeout";
    const check = (): void => {
      throwIfAborted(this.#options.signal, this.#options.operation);
      if (this.#options.over()) throw new StepFailed("browser_exited");
    };
    return { at: performance.now() + Math.min(left, step), failure, check };
  }

  #now(): number {
    return Math.max(0, Date.now() - this.#options.startedAt);
  }
}

async function passTime(ms: number, deadline: Deadline): Promise<void> {
  const end = performance.now() + ms;
  await until({ ...deadline, at: Number.POSITIVE_INFINITY }, () => Promise.resolve(performance.now() >= end ? null : new StepFailed("timeout")));
}

