import { architectures, escapeUntrusted, subjectFormats, type ProviderIdentity, type Subject } from "@rea/core";
import type { AnalysisProvider, AnalysisProviderBinding, Selection, Target } from "@rea/provider";
import { sameStamp, stampAt } from "../target/open-file.js";
import type { ResolvedTarget } from "../target/resolve-target.js";
import { targetUnavailable } from "../target/target-errors.js";
import { cacheScope, createAnswerCache, type AnswerCache } from "./answer-cache.js";
import { createClientSlot, type ClientSlot } from "./client-slot.js";

/** A deep provider in use: how it was chosen, its client and its answers. */
export interface BoundProvider {
  readonly binding: AnalysisProviderBinding;
  readonly provider: AnalysisProvider;
  readonly client: ClientSlot;
  readonly cache: AnswerCache;
}

/** Everything that belongs to one opened target; replaced as a whole by a transition. */
export interface OpenState {
  readonly resolved: ResolvedTarget;
  readonly subject: Subject | null;
  readonly selection: Selection;
  readonly runId: string;
  /** Null when no deep provider takes the target. */
  readonly bound: BoundProvider | null;
}

export function openState(given: {
  readonly resolved: ResolvedTarget;
  readonly selection: Selection;
  readonly provider: AnalysisProvider | undefined;
  readonly directory: string;
}): OpenState {
  const { resolved, selection, provider } = given;
  const runId = globalThis.crypto.randomUUID();
  const base = { resolved, subject: subjectOf(resolved.target), selection, runId };
  if (selection.outcome !== "bound" || provider === undefined) return { ...base, bound: null };
  const { binding } = selection;
  const client = createClientSlot(binding.provider, () => startClient(resolved, binding, { provider, runId }));
  const cache = createAnswerCache(cacheScope(resolved.target, binding), given.directory);
  return { ...base, bound: { binding, provider, client, cache } };
}

/** What Evidence says about a target; null for a directory, whose identity nobody has established yet. */
export function subjectOf(target: Target): Subject | null {
  if (target.sha256 === null) return null;
  return {
    name: escapeUntrusted(target.name),
    digest: { sha256: target.sha256 },
    format: subjectFormats.find((format) => format === target.format) ?? "unknown",
    architecture: architectures.find((architecture) => architecture === target.architecture) ?? null,
    local_path: escapeUntrusted(target.path),
  };
}

export function sameProvider(a: ProviderIdentity, b: ProviderIdentity): boolean {
  return a.id === b.id && a.version === b.version;
}

/** An engine would read the path again, so it must still hold the bytes that were opened. */
async function startClient(
  { target, stamp }: ResolvedTarget,
  binding: AnalysisProviderBinding,
  { provider, runId }: { readonly provider: AnalysisProvider; readonly runId: string },
) {
  if (!sameStamp(stamp, await stampAt(target.path))) throw targetUnavailable(target.path, "target_changed");
  return provider.createClient(target, binding.analysis_profile, { runId });
}
