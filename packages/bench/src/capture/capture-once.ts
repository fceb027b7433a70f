import { captureProcess, parseScenario, type FinishedCapture } from "@rea/capture";
import { silentProgress } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";

/** One capture with a launcher that stays, as on a warm server. */
export function captureOnce(launcher: ProcessLauncher, scenario: object, signal: AbortSignal = new AbortController().signal): Promise<FinishedCapture> {
  return captureProcess({ scenario: parseScenario(scenario), host: { launcher, environment: process.env, version: "bench" }, signal, progress: silentProgress });
}
