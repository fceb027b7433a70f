import {
  canonicalJson,
  jsonObject,
  ReaError,
  type DeepOperationName,
  type Execution,
  type JsonObject,
  type OperationContext,
  type OperationParams,
  type OperationResult,
} from "@rea/core";
import { executeDeep, parseOperationResult, selectionError } from "@rea/provider";
import { isChange, queryParameters, type CachedAnswer } from "./answer-cache.js";
import { sessionTargetError } from "./session-errors.js";
import type { BoundProvider, OpenState } from "./open-state.js";

/** Answers deep operations for what is open at the moment of the call. */
export function createDeepCalls(state: () => OpenState | null) {
  return async <N extends DeepOperationName>(
    operation: N,
    params: OperationParams<N>,
    context: OperationContext,
  ): Promise<Execution<OperationResult<N>>> => {
    const open = state();
    if (open === null) throw sessionTargetError();
    const bound = requireBound(open, operation);
    requireOffered(bound, operation);
    const parameters = queryParameters(params, standingParameters(open, bound));
    const cached = bound.cache.lookup(operation, parameters);
    if (cached !== undefined) return fromCache(open, bound, { operation, cached });
    const execution = await ask(open, bound, { operation, params, context });
    // Checking a large answer takes long, and so does keeping it; what else waits for this thread goes between.
    await new Promise((resolve) => setImmediate(resolve));
    if (isChange(operation) && bound.provider.standingParameters === undefined) bound.cache.clear();
    bound.cache.keep(operation, parameters, execution);
    return execution;
  };
}

async function ask<N extends DeepOperationName>(
  open: OpenState,
  bound: BoundProvider,
  call: { readonly operation: N; readonly params: OperationParams<N>; readonly context: OperationContext },
): Promise<Execution<OperationResult<N>>> {
  const client = await bound.client.get(call.context.signal, call.operation);
  try {
    return await executeDeep({ client, binding: bound.binding, subject: open.subject, ...call });
  } catch (error) {
    bound.client.failed(client, error);
    throw error;
  }
}

function fromCache<N extends DeepOperationName>(
  open: OpenState,
  { binding }: BoundProvider,
  { operation, cached }: { readonly operation: N; readonly cached: CachedAnswer },
): Execution<OperationResult<N>> {
  return {
    ...cached,
    result: parseOperationResult(operation, cached.result, binding.provider.id),
    provider: binding.provider,
    analysis_profile: binding.analysis_profile,
    subject: open.subject,
  };
}

function standingParameters({ resolved }: OpenState, { provider }: BoundProvider): JsonObject {
  const standing = provider.standingParameters?.(resolved.target) ?? {};
  return jsonObject.parse(JSON.parse(canonicalJson(standing)));
}

export function requireBound({ bound, selection }: OpenState, operation: string): BoundProvider {
  if (bound !== null) return bound;
  if (selection.outcome === "bound") throw new Error("A bound selection has a provider.");
  throw selectionError(selection, operation);
}

function requireOffered({ provider, binding }: BoundProvider, operation: DeepOperationName): void {
  const descriptor = provider.capabilities().find((capability) => capability.operation === operation);
  if (descriptor?.available === true) return;
  throw operationNotOffered(operation, { id: binding.provider.id, reason: descriptor?.reason ?? null });
}

/** `capability_unavailable`: the bound provider does not offer the operation, and no other steps in. */
export function operationNotOffered(
  operation: string,
  provider: { readonly id: string; readonly reason: string | null },
): ReaError<"capability_unavailable"> {
  return new ReaError("capability_unavailable", {
    message: `The provider ${provider.id} does not offer ${operation}. Open the target with another provider_id.`,
    details: { operation, provider_id: provider.id, reason: provider.reason },
    action: "Call binary_session for what the candidates offer, then open_binary with another provider_id.",
  });
}
