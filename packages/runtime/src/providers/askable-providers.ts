import { canonicalSha256, escapeUntrusted, ReaError, type AnalysisProfile, type ComparedProvider } from "@rea/core";
import {
  inspectCandidates,
  rejectionOf,
  resolveProfiles,
  selectionError,
  selectProvider,
  type AnalysisProvider,
  type Candidate,
  type ProviderRegistry,
  type Rejection,
  type Target,
} from "@rea/provider";

/** One provider that was asked for by name, and whether it can be asked about the target. */
export type Askable = { readonly id: string; readonly provider: AnalysisProvider } & (
  | { readonly profile: AnalysisProfile }
  | { readonly rejection: Rejection }
);

/**
 * Judges each of the named providers, sorted by id. Starts nothing. Throws `capability_unavailable` (`unknown_provider`)
 * for an id that is not registered, `invalid_request` for one that is named twice, and `cancelled`.
 */
export async function askableProviders(registry: ProviderRegistry, target: Target, ids: readonly string[], signal: AbortSignal): Promise<readonly Askable[]> {
  if (new Set(ids).size < ids.length) throw namedTwice();
  const candidates = inspectCandidates(registry, target);
  const judged: Askable[] = [];
  for (const id of [...ids].sort()) {
    const provider = registry.find(id);
    if (provider === undefined) throw unknownProvider(candidates, id);
    const selector = { kind: "concrete", id } as const;
    const resolved = await resolveProfiles({ registry, candidates, target, selector, signal });
    judged.push({ id, provider, ...outcomeOf(resolved, id) });
  }
  return judged;
}

/** What the answers of these providers about this target depend on. */
export function askedDigest(target: Target, askable: readonly Askable[]): string {
  const asked = askable.map((each) => ("profile" in each ? { profile: each.profile.digest, standing: each.provider.standingParameters?.(target) ?? {} } : { ...each.rejection }));
  const { sha256, architecture, raw } = target;
  return canonicalSha256({ target: { sha256, architecture, raw }, asked });
}

/** How a provider that was not asked shows in the result. */
export function rejectedTarget({ provider }: Askable, { code, reason }: Pick<Rejection, "code" | "reason">): ComparedProvider {
  const { id, name, version } = provider.identity();
  const unsupported = targetCodes.test(code);
  return { ...nothing, provider: { id, name, version }, state: unsupported ? "unsupported" : "unavailable", code, reason: escapeUntrusted(reason) };
}

const nothing = { analysis_profile_digest: null, address_shift: null, functions: null, names: null, strings: null, call_edges: null };
const targetCodes = /^(?:target_\w+|architecture|managed_target)_unsupported$/;

function outcomeOf(candidates: readonly Candidate[], id: string): { readonly profile: AnalysisProfile } | { readonly rejection: Rejection } {
  const candidate = candidates.find(({ identity }) => identity.id === id);
  if (candidate?.profile.status === "resolved") return { profile: candidate.profile.profile };
  const rejection = candidate === undefined ? undefined : rejectionOf(candidate);
  return { rejection: rejection ?? { provider_id: id, code: "version_unresolved", reason: "The provider has no profile.", diagnostics: {} } };
}

function unknownProvider(candidates: readonly Candidate[], id: string): ReaError {
  const selection = selectProvider(candidates, { selector: { kind: "concrete", id }, source: "request" });
  if (selection.outcome === "bound") throw new Error("A provider that is not registered cannot be bound.");
  const error = selectionError(selection, "compare_providers");
  return new ReaError(error.code, {
    message: "No analysis provider has one of the ids in providers. Name two to four of those in details.candidate_ids.",
    details: error.details,
    action: `Call compare_providers again with providers out of ${selection.candidate_ids.map((each) => `"${each}"`).join(", ")}.`,
    cause: error,
  });
}

function namedTwice(): ReaError {
  return new ReaError("invalid_request", {
    message: "compare_providers needs different providers; one is named twice. Correct providers and call again.",
    details: { operation: "compare_providers", issues: [{ path: "providers", reason: "invalid_value", expected: "ids that differ" }] },
  });
}
