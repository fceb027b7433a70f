import { throwIfAborted } from "@rea/core";

const longestMs = 20;
let lastTurn = performance.now();

/** Throws when cancelled; lets other work of the thread run when it waited for some milliseconds. */
export async function turn(signal: AbortSignal): Promise<void> {
  if (performance.now() - lastTurn > longestMs) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    lastTurn = performance.now();
  }
  throwIfAborted(signal, "decompress");
}
