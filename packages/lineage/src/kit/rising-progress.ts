import type { ProgressReporter, ProgressUpdate } from "@rea/core";
import type { EngineClock } from "./engine-clock.js";
import type { EngineProgress } from "./engine-protocol.js";

/** How far each call has come over all its phases: a start and a request count on their own, a call only rises. */
const floors = new WeakMap<ProgressReporter, number>();

const beatMs = 1_000;

/** Reports for one call, never less than was reported before. Phases come from us, so that no text of a target gets in. */
export function reportRising(reporter: ProgressReporter, update: ProgressUpdate): void {
  const completed = Math.max(update.completed, floors.get(reporter) ?? 0);
  floors.set(reporter, completed);
  const { phase, message, total } = update;
  reporter.report(total !== undefined && total >= completed ? { phase, completed, total, message } : { phase, completed, message });
}

/** The engine's own report in words of ours; `refused` gets what the reporter throws. */
export function reportEngine(reporter: ProgressReporter, { phase, completed, total }: EngineProgress, refused: (error: unknown) => void): void {
  const known = /^[a-z]{1,32}(?:_[a-z]{1,32}){0,4}$/.test(phase) ? phase : "engine_request";
  const done = Number.isFinite(completed) && completed >= 0 ? completed : 0;
  const update = { phase: known, completed: done, message: `The engine reports ${known}.` };
  try {
    reportRising(reporter, total === null ? update : { ...update, total });
  } catch (error) {
    refused(error);
  }
}

/** What a heartbeat says of the moment; `seconds` since it began. */
type Beat = (seconds: number) => Pick<ProgressUpdate, "phase" | "message">;

export interface Heartbeat {
  readonly clock: EngineClock;
  readonly reporter: ProgressReporter;
  readonly beat: Beat;
  readonly refused: (error: unknown) => void;
}

/**
 * Says once a second that something is still going on, without claiming that it came any further. Returns how to stop it.
 * `refused` gets what a reporter throws, which is then told nothing more.
 */
export function heartbeat({ clock, reporter, beat, refused }: Heartbeat): () => void {
  const since = clock.now();
  let stop = (): void => undefined;
  const arm = (): void => {
    stop = clock.after(beatMs, () => {
      try {
        reportRising(reporter, { ...beat(Math.round((clock.now() - since) / 1_000)), completed: 0 });
        arm();
      } catch (error) {
        refused(error);
      }
    });
  };
  arm();
  return () => stop();
}
