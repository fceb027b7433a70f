import type { CaptureSettlement } from "@rea/core";

const pollMs = 50;

/**
 * Waits until nothing of a run is left alive: two empty looks in a row, each 50 ms. `sample` counts the live processes, null
 * when that cannot be told.
 */
export async function settle(sample: () => Promise<number | null>, settleMs: number, signal: AbortSignal): Promise<CaptureSettlement> {
  const start = performance.now();
  const elapsed = (): number => Math.floor(performance.now() - start);
  for (let empty = 0; ; ) {
    const live = await sample();
    if (live === null) return { state: "unverifiable", elapsed_ms: elapsed() };
    empty = live === 0 ? empty + 1 : 0;
    if (empty >= 2) return { state: "quiesced", elapsed_ms: elapsed() };
    if (signal.aborted || (elapsed() >= settleMs && live > 0)) return { state: "alive_at_deadline", elapsed_ms: elapsed() };
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, Math.max(1, settleMs - elapsed()))));
  }
}
