import type { OwnedProcess } from "../owned-process.js";
import type { ChildExit } from "../start-child.js";
import { within } from "../within.js";
import { engineExited, type ErrorOf } from "./engine-errors.js";
import { withoutToken } from "./engine-token.js";

/** What an engine wrote last is read, and a last answer taken, before its end is told. */
const drainMs = 200;

/** Notices the end of an engine's program in the turn in which the system tells it. */
export class ExitWatch {
  readonly seen: Promise<void>;
  readonly #providerId: string;
  readonly #token: string;
  readonly #handsOver: boolean;
  #exit: ChildExit | null = null;
  #run: OwnedProcess | null = null;
  #notice: () => void = () => undefined;

  /** `handsOver`: an exit with 0 is not the end of the engine. */
  constructor({ providerId, token, handsOver }: { readonly providerId: string; readonly token: string; readonly handsOver: boolean }) {
    this.#providerId = providerId;
    this.#token = token;
    this.#handsOver = handsOver;
    this.seen = new Promise((resolve) => (this.#notice = resolve));
  }

  get isSeen(): boolean {
    return this.#exit !== null;
  }

  /** For `afterExit` of the start; what the engine started ends with it. */
  readonly note = (exit: ChildExit): Promise<void> => {
    if (this.#handsOver && exit.code === 0) return Promise.resolve();
    this.#exit = exit;
    this.#notice();
    return Promise.resolve();
  };

  watch(run: OwnedProcess): void {
    this.#run = run;
  }

  /** Why calls fail, with the end of its standard error; the token is taken out. */
  async error(): Promise<ErrorOf> {
    await this.seen;
    const run = this.#run;
    if (run !== null) await within(run.ended, drainMs);
    const stderr = run?.output().stderr;
    return engineExited(this.#providerId, {
      exit: this.#exit ?? { code: null, signal: null },
      stderr: { bytes: withoutToken(stderr?.bytes ?? Buffer.alloc(0), this.#token), totalBytes: stderr?.totalBytes ?? 0 },
    });
  }
}
