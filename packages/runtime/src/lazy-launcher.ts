import type { ProcessLauncher } from "@rea/lineage";

/** A launcher that is loaded and made when it is first asked to start something; closing one that was not costs nothing. */
export function lazyLauncher(): ProcessLauncher {
  let made: Promise<ProcessLauncher> | null = null;
  let closed = false;
  const launcher = (): Promise<ProcessLauncher> => (made ??= import("@rea/lineage").then(({ createLauncher }) => createLauncher()));
  return {
    async start(request) {
      const ready = await launcher();
      // It was closed before there was anything to close: closed now, it says so itself.
      if (closed) await ready.close();
      return ready.start(request);
    },
    async close() {
      closed = true;
      return made === null ? { remaining: [] } : (await made).close();
    },
  };
}
