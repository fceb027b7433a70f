/**
 * Calls in progress, each with a signal that its caller or the end of the connection aborts. A signal joined from both
 * (`AbortSignal.any`) would leave something behind in the long-lived one with every call.
 */
export class OpenCalls {
  readonly #controllers = new Set<AbortController>();
  #ended = false;

  begin(caller: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
    const controller = new AbortController();
    const abort = () => { controller.abort(caller.reason); };
    if (caller.aborted || this.#ended) controller.abort();
    caller.addEventListener("abort", abort, { once: true });
    this.#controllers.add(controller);
    const release = () => {
      caller.removeEventListener("abort", abort);
      this.#controllers.delete(controller);
    };
    return { signal: controller.signal, release };
  }

  /** Aborts all calls and every later one. */
  end(): void {
    this.#ended = true;
    for (const controller of this.#controllers) controller.abort();
  }
}
