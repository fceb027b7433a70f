import { throwIfAborted, z, type ProgressReporter } from "@rea/core";
import { observationError } from "../protocol/failures.js";
import type { AdmittedPage, AttachedPage } from "../targets/attach.js";

const detached = z.looseObject({ sessionId: z.string() });

export interface ObservedWindow {
  readonly attached: AttachedPage;
  readonly milliseconds: number;
  readonly page: AdmittedPage;
  readonly progress: ProgressReporter;
}

/** Lets time pass while events are gathered. Throws when the connection ends, the page goes away, or the call is cancelled. */
export async function waitWindow({ attached, milliseconds, page, progress }: ObservedWindow): Promise<void> {
  const { operation, signal } = page.context;
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const ticker = setInterval(() => {
    const passed = Math.min(milliseconds, Math.round(performance.now() - started));
    progress.report({ phase: "observing", completed: passed, total: milliseconds, message: "Gathering what happens in the page." });
  }, 250);
  const { promise: gone, stop } = goneTarget(attached, page);
  try {
    const passed = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        resolve(null);
      }, milliseconds);
    });
    const failure = await Promise.race([passed, attached.connection.ended, gone]);
    throwIfAborted(signal, operation);
    if (failure !== null) throw failure;
  } finally {
    clearTimeout(timer);
    clearInterval(ticker);
    stop();
  }
}

/** Settles with an error when the target ends; its socket to the browser stays open then. */
export function goneTarget(attached: AttachedPage, { context: { operation } }: AdmittedPage): { readonly promise: Promise<Error>; readonly stop: () => void } {
  let stop: () => void = () => undefined;
  const promise = new Promise<Error>((resolve) => {
    stop = attached.connection.listen(({ method, params, sessionId }) => {
      const crashed = method === "Inspector.targetCrashed" && attached.session.is(sessionId);
      const left = method === "Target.detachedFromTarget" ? detached.safeParse(params) : undefined;
      if (crashed || (left?.success === true && attached.session.is(left.data.sessionId))) resolve(targetGone(operation));
    });
  });
  return { promise, stop };
}

function targetGone(operation: string): Error {
  return observationError({ operation, reason: "target_not_found", message: "The target was closed, or its process ended, while it was looked at. List the targets again." });
}
