import type { ProgressReporter, ProgressUpdate } from "@rea/core";

interface Track {
  phase: string;
  base: number;
  reached: number;
}

const tracks = new WeakMap<ProgressReporter, Track>();

/**
 * Lets several parts of one call report from zero each: what a new phase has completed is added to what the call had
 * reached before, so that the sum never decreases. Wrapping the same reporter again continues the same sum.
 */
export function continuousProgress(reporter: ProgressReporter): ProgressReporter {
  const track = tracks.get(reporter) ?? { phase: "", base: 0, reached: 0 };
  tracks.set(reporter, track);
  const continuous: ProgressReporter = { report: (update) => reporter.report(advance(track, update)) };
  tracks.set(continuous, track);
  return continuous;
}

function advance(track: Track, update: ProgressUpdate): ProgressUpdate {
  if (update.phase !== track.phase) {
    track.phase = update.phase;
    track.base = track.reached;
  }
  const completed = Math.max(track.reached, track.base + Math.max(0, update.completed));
  track.reached = completed;
  const { total, ...rest } = update;
  if (total === undefined) return { ...rest, completed };
  return { ...rest, completed, total: Math.max(completed, track.base + total) };
}
