import { isAbort, parseAnalysisProfile, throwIfAborted, toReaError, type AnalysisProfile, type ProviderIdentity } from "@rea/core";
import type {
  AnalysisProvider,
  AvailabilityCode,
  Diagnostics,
  ProviderAvailability,
  Target,
  TargetCode,
  TargetSupport,
} from "./provider.js";
import type { ProviderRegistry } from "./registry.js";
import type { ProviderSelector } from "./selector.js";

export type RejectionCode = AvailabilityCode | TargetCode;

/** Why a provider was not taken. */
export interface Rejection {
  readonly provider_id: string;
  readonly code: RejectionCode;
  readonly reason: string;
  readonly diagnostics: Diagnostics;
}

export type ProfileOutcome =
  | { readonly status: "not_resolved" }
  | { readonly status: "resolved"; readonly profile: AnalysisProfile }
  | { readonly status: "failed"; readonly reason: string; readonly diagnostics: Diagnostics };

/** What is known of one provider for one target; plain data, so that the choice is a function of it. */
export interface Candidate {
  readonly identity: ProviderIdentity;
  readonly embedded: boolean;
  readonly availability: ProviderAvailability;
  /** Null while no target is given. */
  readonly support: TargetSupport | null;
  readonly profile: ProfileOutcome;
}

/** Asks every provider, sorted by id. Starts nothing; a provider that throws is unavailable or unsupported. */
export function inspectCandidates(registry: ProviderRegistry, target: Target | null): Candidate[] {
  return registry.providers.map((provider) => ({
    identity: provider.identity(),
    embedded: provider.embedded,
    availability: availabilityOf(provider),
    support: target === null ? null : supportOf(provider, target),
    profile: { status: "not_resolved" },
  }));
}

/**
 * Resolves version and profile of the providers that the selector may bind: the concrete one, or for `auto` every one
 * that is available and supports the target. Throws only `cancelled`.
 */
export async function resolveProfiles(request: {
  readonly registry: ProviderRegistry;
  readonly candidates: readonly Candidate[];
  readonly target: Target;
  readonly selector: ProviderSelector;
  readonly signal: AbortSignal;
}): Promise<Candidate[]> {
  const resolved: Candidate[] = [];
  for (const candidate of request.candidates) {
    const provider = request.registry.find(candidate.identity.id);
    const wanted = request.selector.kind === "auto" || request.selector.id === candidate.identity.id;
    if (provider === undefined || !wanted || rejectionOf(candidate) !== undefined) resolved.push(candidate);
    else resolved.push({ ...candidate, profile: await profileOf(provider, request.target, request.signal) });
  }
  return resolved;
}

/** The first reason against a candidate: target, then availability, then version and profile; undefined when none. */
export function rejectionOf(candidate: Candidate): Rejection | undefined {
  const provider_id = candidate.identity.id;
  const { availability, support, profile } = candidate;
  if (support?.status === "unsupported") {
    return { provider_id, code: support.code, reason: support.reason, diagnostics: support.diagnostics };
  }
  if (availability.status === "unavailable") {
    return { provider_id, code: availability.code, reason: availability.reason, diagnostics: availability.diagnostics };
  }
  if (profile.status !== "failed") return undefined;
  return { provider_id, code: "version_unresolved", reason: profile.reason, diagnostics: profile.diagnostics };
}

export function candidateIds(candidates: readonly Candidate[]): string[] {
  return candidates.map((candidate) => candidate.identity.id);
}

function availabilityOf(provider: AnalysisProvider): ProviderAvailability {
  try {
    return provider.inspectAvailability();
  } catch (error) {
    const reason = "The availability check of the provider failed.";
    return { status: "unavailable", code: "version_unresolved", reason, diagnostics: failureCode(error, "inspect_availability") };
  }
}

function supportOf(provider: AnalysisProvider, target: Target): TargetSupport {
  try {
    return provider.inspectTargetSupport(target);
  } catch (error) {
    const reason = "The provider could not judge the target.";
    return {
      status: "unsupported",
      code: "target_format_unsupported",
      reason,
      diagnostics: failureCode(error, "inspect_target_support"),
    };
  }
}

async function profileOf(provider: AnalysisProvider, target: Target, signal: AbortSignal): Promise<ProfileOutcome> {
  const { id } = provider.identity();
  try {
    const profile = parseAnalysisProfile(await provider.resolveAnalysisProfile(target, { signal }));
    if (profile.provider.id === id && profile.provider.version !== null) return { status: "resolved", profile };
    return { status: "failed", reason: "The profile names no version of this provider.", diagnostics: {} };
  } catch (error) {
    throwIfAborted(signal, "open_binary");
    if (isAbort(error)) throw toReaError(error, "open_binary");
    const reason = "The provider could not resolve its version and profile.";
    return { status: "failed", reason, diagnostics: failureCode(error, "resolve_analysis_profile") };
  }
}

/** The code only: the text of a foreign exception may hold anything. */
function failureCode(error: unknown, operation: string): Diagnostics {
  return { operation, error_code: toReaError(error, operation).code };
}
