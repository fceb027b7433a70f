import { ReaError, type DeepOperationName, type Execution, type OperationContext, type OperationParams, type OperationResult } from "@rea/core";
import { executeDeep, type AnalysisProvider, type AnalysisProviderBinding } from "@rea/provider";
import { subjectOf } from "./session/open-state.js";
import { sameStamp, stampAt } from "./target/open-file.js";
import type { ResolvedTarget } from "./target/resolve-target.js";
import { targetUnavailable } from "./target/target-errors.js";

/** A client of one target outside the session's binding. */
export interface PrivateClient {
  ask<N extends DeepOperationName>(operation: N, params: OperationParams<N>, context: OperationContext): Promise<Execution<OperationResult<N>>>;
  close(): Promise<void>;
}

/**
 * Starts a client of a provider for a target. Throws `capability_unavailable` when the provider does not take the target, and
 * what the provider throws.
 */
export async function openPrivateClient(provider: AnalysisProvider, { target, stamp }: ResolvedTarget, { signal }: OperationContext): Promise<PrivateClient> {
  const support = provider.inspectTargetSupport(target);
  if (support.status === "unsupported") {
    throw new ReaError("capability_unavailable", {
      message: `${provider.identity().id} does not analyse this target: ${support.reason}`,
      details: { selection_reason: "target_unsupported", provider_id: provider.identity().id, code: support.code },
    });
  }
  const profile = await provider.resolveAnalysisProfile(target, { signal });
  const binding: AnalysisProviderBinding = { provider: profile.provider, selection_source: "request", analysis_profile: profile };
  // An engine would read the path again, so it must still hold the bytes that were resolved.
  if (!sameStamp(stamp, await stampAt(target.path))) throw targetUnavailable(target.path, "target_changed");
  const client = await provider.createClient(target, profile, { runId: globalThis.crypto.randomUUID() });
  const subject = subjectOf(target);
  return {
    ask: (operation, params, context) => executeDeep({ client, binding, subject, operation, params, context }),
    close: async () => {
      const { remaining } = await client.close();
      if (remaining.length === 0) return;
      throw new ReaError("cleanup_incomplete", { message: `A private client of ${profile.provider.id} could not be closed.`, details: { remaining: [...remaining] } });
    },
  };
}
