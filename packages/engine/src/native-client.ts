import {
  isDeepOperation,
  ReaError,
  type DeepOperationName,
  type OperationContext,
  type OperationParams,
} from "@rea/core";
import type { AnalysisClient, ClientActivity, ClientAnswer, CloseOutcome } from "@rea/provider";
import type { EngineLease } from "./engine-pool.js";
import type { WorkerSession } from "./worker/messages.js";

export interface NativeClientOptions {
  readonly lease: EngineLease;
  readonly author: WorkerSession["author"];
  readonly stateDirectory: string;
}

/** A session's view of one target: its own cursor over a worker that others may share. */
export class NativeClient implements AnalysisClient {
  readonly #options: NativeClientOptions;
  #cursor: string | null = null;

  constructor(options: NativeClientOptions) {
    this.#options = options;
  }

  /** Throws `capability_unavailable` for an operation that is not offered, and the typed errors of the operation. */
  async execute<N extends DeepOperationName>(
    operation: N,
    params: OperationParams<N>,
    context: OperationContext,
  ): Promise<ClientAnswer> {
    if (!isDeepOperation(operation)) throw notOffered();
    const build = () => ({ params, session: this.#session() });
    const { cursor, resolved, ...answer } = await this.#options.lease.worker.call({ operation, build }, context);
    if (cursor !== null) this.#cursor = cursor;
    return { ...answer, raw_result: null, resolved_parameters: resolved };
  }

  /** The engine has no process of its own. */
  runtimeLineage(): null {
    return null;
  }

  activity(): ClientActivity {
    return this.#options.lease.worker.activity();
  }

  async close(): Promise<CloseOutcome> {
    await this.#options.lease.release({ keep: false });
    return { remaining: [] };
  }

  #session(): WorkerSession {
    const { author, stateDirectory } = this.#options;
    return { cursor: this.#cursor, author, stateDirectory };
  }
}

function notOffered(): ReaError {
  return new ReaError("capability_unavailable", {
    message: "The embedded provider does not offer that operation. Call binary_session for the operations it offers.",
    details: { provider_id: "rea-native" },
  });
}
