/** Cancellation by SIGINT and SIGTERM, with the exit status each asks for. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** 130 or 143 after a signal, else undefined. */
  status(): number | undefined;
  dispose(): void;
}

const patienceMs = 10_000;

/**
 * The first signal cancels and lets cleanup run; repeats do not shorten it. A second SIGINT after ten seconds of cleanup
 * ends the process with the list of what remains.
 */
export function listenForInterrupt(remaining: () => readonly string[]): Interrupt {
  const controller = new AbortController();
  let status: number | undefined;
  let since = 0;
  const stop = (code: number) => () => {
    if (status === undefined) {
      status = code;
      since = Date.now();
      controller.abort();
    } else if (code === 130 && Date.now() - since > patienceMs) {
      process.stderr.write(`Cleanup did not finish. Remaining: ${remaining().join(", ") || "unknown"}\n`);
      process.exit(status);
    }
  };
  const onInt = stop(130);
  const onTerm = stop(143);
  process.on("SIGINT", onInt);
  process.on("SIGTERM", onTerm);
  return {
    signal: controller.signal,
    status: () => status,
    dispose() {
      process.off("SIGINT", onInt);
      process.off("SIGTERM", onTerm);
    },
  };
}
