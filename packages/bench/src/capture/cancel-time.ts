import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { isReaError } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import { captureOnce } from "./capture-once.js";

const rounds = 10;
/** Deaf to what asks it to end, with a child in its own session that is deaf as well. */
const deaf = "trap '' TERM HUP INT; (setsid sh -c \"trap '' TERM HUP; while :; do sleep 1; done\" &); while :; do sleep 1; done";

export interface CancelTimes {
  readonly isolation: string;
  /** From the cancel to the answer that says that nothing remains; null when none said so. */
  readonly medianMs: number | null;
  readonly worstMs: number | null;
  /** Answers that did not prove that everything is gone. */
  readonly unproven: number;
}

/** How long a cancel takes to proven cleanup, of a program that does not go by itself. */
export async function cancelTimes(isolation: "none" | "pid_namespace"): Promise<CancelTimes> {
  const launcher = createLauncher();
  const times: number[] = [];
  let unproven = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const controller = new AbortController();
      const running = captureOnce(launcher, { executable: "/bin/sh", arguments: ["-c", deaf], isolation }, controller.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      await sleep(700);
      const started = performance.now();
      controller.abort();
      const failure = await running;
      times.push(performance.now() - started);
      if (!isReaError(failure) || failure.code !== "cancelled") unproven += 1;
    }
  } finally {
    await launcher.close();
  }
  times.sort((a, b) => a - b);
  return { isolation, medianMs: times[Math.floor(times.length / 2)] ?? null, worstMs: times.at(-1) ?? null, unproven };
}
