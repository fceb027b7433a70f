import type { OperationContext, OperationParams, BinaryOperationName } from "@rea/core";
import type { ClientAnswer, Target } from "@rea/provider";
import { sharedPool, type EnginePool } from "./engine-pool.js";

/** Reads the format of one target; the answer's result follows the operation's contract. */
export type StaticOperation<N extends BinaryOperationName> = (
  target: Target,
  params: OperationParams<N>,
  context: OperationContext,
) => Promise<ClientAnswer>;

/** The operations of the auxiliary provider `rea-binary-static`, for a host to add subject and provenance to. */
export type StaticPort = { readonly [N in BinaryOperationName]: StaticOperation<N> } & {
  /** Ends the worker that is kept for the next question; safe to call twice. */
  readonly close: () => Promise<void>;
};

/** Format operations run in the worker of their target, so that one image serves them and the analysis. */
export function createStaticPort(pool: EnginePool = sharedPool): StaticPort {
  return {
    inspect_binary: (target, params, context) => ask(pool, target, { operation: "inspect_binary", params, context }),
    inspect_macho: (target, params, context) => ask(pool, target, { operation: "inspect_macho", params, context }),
    inspect_signature: (target, params, context) => ask(pool, target, { operation: "inspect_signature", params, context }),
    list_architectures: (target, params, context) => ask(pool, target, { operation: "list_architectures", params, context }),
    close: () => pool.closeIdle(),
  };
}

interface Question {
  readonly operation: BinaryOperationName;
  readonly params: unknown;
  readonly context: OperationContext;
}

async function ask(pool: EnginePool, target: Target, { operation, params, context }: Question): Promise<ClientAnswer> {
  const lease = pool.acquire(target);
  try {
    const build = () => ({ params, session: null });
    const { resolved, cursor: _cursor, ...answer } = await lease.worker.call({ operation, build }, context);
    return { ...answer, raw_result: null, resolved_parameters: resolved };
  } finally {
    await lease.release({ keep: true });
  }
}
