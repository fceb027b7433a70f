/** Cancellation by SIGINT and SIGTERM, with the exit status each asks for. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** 130 or 143 after a signal, else undefined. */
  status(): number | undefined;
  /** Tells what cleanup has not released yet. */
  remaining: readonly string[];
}

const patienceMs = 10_000;

/**
 * Listens from the first moment of the process. The first signal cancels and lets cleanup run; repeats do not shorten it.
 * A second SIGINT after ten seconds of cleanup ends the process with the list of what remains.
 */
function listen(): Interrupt {
  const controller = new AbortController();
  let status: number | undefined;
  let since = 0;
  const interrupt: Interrupt = { signal: controller.signal, status: () => status, remaining: [] };
  const stop = (code: number) => () => {
    if (status === undefined) {
      status = code;
      since = Date.now();
      controller.abort();
    } else if (code === 130 && Date.now() - since > patienceMs) {
      process.stderr.write(`Cleanup did not finish. Remaining: ${interrupt.remaining.join(", ") || "unknown"}\n`);
      process.exit(status);
    }
  };
  process.on("SIGINT", stop(130));
  process.on("SIGTERM", stop(143));
  return interrupt;
}

export const interrupt = listen();
