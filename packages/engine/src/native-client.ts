import {
  ReaError,
  type DeepOperationName,
  type OperationContext,
  type OperationParams,
} from "@rea/core";
import type { AnalysisClient, ClientActivity, ClientAnswer, CloseOutcome } from "@rea/provider";
import type { AnalysisCacheSettings } from "./cache/cache-settings.js";
import { isNativeOperation } from "./native-operations.js";
import type { EngineLease } from "./engine-pool.js";
import type { CallRequest } from "./pending-call.js";
import type { WorkerSession } from "./worker/messages.js";

export interface NativeClientOptions {
  readonly lease: EngineLease;
  readonly author: WorkerSession["author"];
  readonly stateDirectory: string;
  readonly cache?: AnalysisCacheSettings | undefined;
  readonly onCacheNote?: ((text: string) => void) | undefined;
}

/** A session's view of one target: its own cursor over a worker that others may share. */
export class NativeClient implements AnalysisClient {
  readonly #options: NativeClientOptions;
  readonly #closing = new AbortController();
  #cursor: string | null = null;

  constructor(options: NativeClientOptions) {
    this.#options = options;
    options.lease.worker.warm();
    if (options.onCacheNote !== undefined) options.lease.worker.notes.add(options.onCacheNote);
  }

  /** Throws `capability_unavailable` for an operation that is not offered, and the typed errors of the operation. */
  async execute<N extends DeepOperationName>(
    operation: N,
    params: OperationParams<N>,
    context: OperationContext,
  ): Promise<ClientAnswer> {
    if (!isNativeOperation(operation)) throw notOffered();
    if (this.#closing.signal.aborted) throw closed();
    const request: CallRequest = {
      operation,
      build: () => ({ params, session: this.#session() }),
      accept: ({ cursor }) => {
        this.#cursor = cursor ?? this.#cursor;
      },
    };
    const signal = AbortSignal.any([context.signal, this.#closing.signal]);
    const { cursor: _cursor, resolved, ...answer } = await this.#options.lease.worker.call(request, { ...context, signal });
    // A large answer was long in arriving; what else waits for this thread goes before what is done with it.
    await new Promise((resolve) => setImmediate(resolve));
    return { ...answer, raw_result: null, resolved_parameters: resolved };
  }

  /** The engine has no process of its own. */
  runtimeLineage(): null {
    return null;
  }

  activity(): ClientActivity {
    return this.#options.lease.worker.activity();
  }

  /** Cancels what this client still waits for. The worker goes on while others share it. */
  async close(): Promise<CloseOutcome> {
    this.#closing.abort();
    const { lease, onCacheNote } = this.#options;
    await lease.release({ keep: false });
    if (onCacheNote !== undefined) lease.worker.notes.delete(onCacheNote);
    return { remaining: [] };
  }

  #session(): WorkerSession {
    const { author, stateDirectory, cache } = this.#options;
    return { cursor: this.#cursor, author, stateDirectory, cache: cache ?? null };
  }
}

function notOffered(): ReaError {
  return new ReaError("capability_unavailable", {
    message: "The embedded provider does not offer that operation. Call binary_session for the operations it offers.",
    details: { provider_id: "rea-native" },
  });
}

function closed(): ReaError {
  return new ReaError("provider_unavailable", {
    message: "The analysis of this target was closed. Open the target again.",
    details: { provider_id: "rea-native", reason: "closed" },
  });
}
