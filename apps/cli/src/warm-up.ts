import { createProgress, operations, toReaError, type ErrorObject, type ProgressUpdate } from "@rea/core";
import type { ToolService } from "@rea/tool";

/**
 * Has the engine of the open target started and its analysis done, telling how far that is. Returns the error when it fails;
 * undefined when it is done, and where no engine is bound. A snapshot that holds the answer needs no engine.
 */
export async function warmUp({ host }: Pick<ToolService, "host">, signal: AbortSignal, report: (update: ProgressUpdate) => void): Promise<ErrorObject | undefined> {
  if (!host.offers("list_segments")) return undefined;
  try {
    await host.ports.list_segments(operations.list_segments.params.parse({ limit: 1 }), { signal, progress: createProgress(report) });
    return undefined;
  } catch (error) {
    return toReaError(error, "warm_up").toObject();
  }
}
