import { cancelTimes } from "./cancel-time.js";
import { captureOverhead } from "./overhead.js";
import { growthOf } from "./captures-in-a-row.js";

const parts: { readonly [name: string]: () => Promise<void> } = {
  overhead: async () => {
    const found = await captureOverhead();
    if ("skipped" in found) return say(`git status in 5,000 files: skipped, ${found.skipped}`);
    say(`git status in 5,000 files, by its own clock: ${ms(found.aloneMs)} alone, ${ms(found.captured.ms)} captured, ratio ${found.captured.ratio.toFixed(2)} (target 1.50)`);
    say(found.traced === null ? "  traced: skipped, strace is not installed" : `  traced as well: ${ms(found.traced.ms)}, ratio ${found.traced.ratio.toFixed(2)}`);
    say(`  the whole capture, settle time and both looks at 5,000 files included: ${ms(found.wholeMs)}`);
  },
  cancel: async () => {
    for (const isolation of ["none", "pid_namespace"] as const) {
      const { medianMs, worstMs, unproven } = await cancelTimes(isolation);
      say(`cancel to proven cleanup, isolation ${isolation}: median ${ms(medianMs)}, worst ${ms(worstMs)} (target 1500 ms), ${String(unproven)} unproven`);
    }
  },
  growth: async () => {
    const { captures, descriptors, timersAndHandles, temporaryDirectories, residentMiB } = await growthOf(200);
    say(`${String(captures)} captures in a row: descriptors ${signed(descriptors)}, timers and handles ${signed(timersAndHandles)}, directories ${signed(temporaryDirectories)} (target 0), memory ${signed(residentMiB)} MiB (target 50)`);
  },
};

/** What capturing costs, how fast it ends, and what it leaves: all parts, or one by its name. */
export async function runCaptureBench(only: string | undefined): Promise<void> {
  if (process.platform !== "linux") return say("capture: skipped, measured on Linux only");
  const chosen = Object.entries(parts).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`There is no part of that name; there are ${Object.keys(parts).join(", ")}.`);
  for (const [, run] of chosen) await run();
}

function ms(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(0)} ms`;
}

function signed(value: number): string {
  return value > 0 ? `+${String(value)}` : String(value);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
