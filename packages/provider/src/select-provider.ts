import { ReaError, type AnalysisProfile, type ErrorDetailValue, type ProviderIdentity } from "@rea/core";
import { candidateIds, rejectionOf, type Candidate, type Rejection } from "./candidates.js";
import type { ChosenSelector } from "./selector.js";

export type SelectionSource = "request" | "environment" | "auto-single-candidate" | "embedded-default";

export type SelectionReason =
  | "unknown_provider"
  | "provider_unavailable"
  | "target_unsupported"
  | "ambiguous"
  | "invalid_options";

/** The one deep provider of a target: concrete version, how it was chosen, and everything that shapes its answers. */
export interface AnalysisProviderBinding {
  /** The version is never null here. */
  readonly provider: ProviderIdentity;
  readonly selection_source: SelectionSource;
  readonly analysis_profile: AnalysisProfile;
}

interface Considered {
  /** Null for `auto`. */
  readonly requested_provider_id: string | null;
  /** What the caller can choose from, sorted: the usable ones when the choice is ambiguous, else all registered ones. */
  readonly candidate_ids: readonly string[];
  /** Sorted by provider id. */
  readonly rejections: readonly Rejection[];
}

export type Selection = Considered &
  (
    | { readonly outcome: "bound"; readonly binding: AnalysisProviderBinding }
    | { readonly outcome: "unbound" }
    | { readonly outcome: "refused"; readonly reason: SelectionReason }
  );

/**
 * Chooses the deep provider of a target (a pure function of its arguments; the order of `candidates` does not matter
 * because they come sorted by id).
 *
 * A concrete id is taken or refused, never replaced. `auto` takes the single usable external provider; without one the
 * embedded provider; with several it refuses. A concrete id of the environment leaves the target unbound when no
 * provider at all supports it, so that a setting never closes the way to tools that need no provider.
 */
export function selectProvider(candidates: readonly Candidate[], chosen: ChosenSelector): Selection {
  if (chosen.selector.kind === "auto") return selectAutomatically(candidates);
  const considered: Considered = {
    requested_provider_id: chosen.selector.id,
    candidate_ids: candidateIds(candidates),
    rejections: [],
  };
  const supported = candidates.some((candidate) => candidate.support?.status === "supported");
  if (chosen.source === "environment" && !supported) {
    return { ...considered, outcome: "unbound", rejections: rejectionsOf(candidates) };
  }
  return selectConcrete(candidates, chosen.selector.id, { considered, source: sourceOf(chosen) });
}

function selectConcrete(
  candidates: readonly Candidate[],
  id: string,
  { considered, source }: { readonly considered: Considered; readonly source: SelectionSource },
): Selection {
  const candidate = candidates.find(({ identity }) => identity.id === id);
  if (candidate === undefined) return { ...considered, outcome: "refused", reason: "unknown_provider" };
  const binding = bindingOf(candidate, source);
  if (binding !== undefined) return { ...considered, outcome: "bound", binding };
  const rejections = rejectionsOf([candidate]);
  return { ...considered, outcome: "refused", reason: reasonOf(candidate), rejections };
}

function selectAutomatically(candidates: readonly Candidate[]): Selection {
  const external = candidates.filter(({ embedded }) => !embedded);
  const usable = external.filter((candidate) => bindingOf(candidate, "auto-single-candidate") !== undefined);
  const considered: Considered = {
    requested_provider_id: null,
    candidate_ids: candidateIds(usable.length > 1 ? usable : candidates),
    rejections: rejectionsOf(external),
  };
  if (usable.length > 1) return { ...considered, outcome: "refused", reason: "ambiguous" };
  const [single] = usable;
  const taken = single ?? candidates.find(({ embedded }) => embedded);
  const binding = taken && bindingOf(taken, single === undefined ? "embedded-default" : "auto-single-candidate");
  if (binding !== undefined) return { ...considered, outcome: "bound", binding };
  return { ...considered, outcome: "unbound", rejections: rejectionsOf(candidates) };
}

/** The error of a selection that bound nothing; an unbound one when a deep operation needs a provider after all. */
export function selectionError(
  selection: Exclude<Selection, { readonly outcome: "bound" }>,
  operation: string,
): ReaError<"provider_unavailable" | "capability_unavailable"> {
  const reason = selection.outcome === "refused" ? selection.reason : unboundReason(selection);
  const requested = selection.requested_provider_id;
  return new ReaError(reason === "provider_unavailable" ? "provider_unavailable" : "capability_unavailable", {
    message: selectionMessages[reason],
    action: selectionAction(reason, selection),
    details: {
      operation,
      selection_reason: reason,
      requested_provider_id: requested,
      candidate_ids: selection.candidate_ids,
      rejections: selection.rejections.map(rejectionDetail),
    },
  });
}

const selectionMessages: Readonly<Record<SelectionReason, string>> = {
  unknown_provider: "No analysis provider has the requested id. Choose one of details.candidate_ids, or auto.",
  provider_unavailable: "The analysis provider is unavailable. See details.rejections for the cause.",
  target_unsupported: "The target is unsupported by the analysis provider. See details.rejections for the cause.",
  ambiguous: "Several analysis providers could open this target, so the choice is ambiguous. Name one in provider_id.",
  invalid_options: "The options for the analysis provider are invalid. See details.rejections for the cause.",
};

/** The next call, with values that can be taken over as they are. */
function selectionAction(reason: SelectionReason, { candidate_ids: ids, rejections }: Considered): string {
  // The cause that can be mended comes before those that the target brings with it.
  const cause = rejections.find(({ code }) => !targetCodes.has(code)) ?? rejections[0];
  switch (reason) {
    case "unknown_provider":
      return again([...ids, "auto"]);
    case "ambiguous":
      return `${again(ids)} Or set REA_ANALYSIS_PROVIDER=${ids[0] ?? "auto"} before REA starts.`;
    case "provider_unavailable":
    case "invalid_options":
      return `${cause?.reason ?? "Correct the cause named in details.rejections."} Or call open_binary again with provider_id "auto".`;
    case "target_unsupported":
      return "Use artifact and binary-format tools, or open a target that a provider supports.";
  }
}

function again(ids: readonly string[]): string {
  const [first, ...more] = ids.map((id) => `"${id}"`);
  return `Call open_binary again with provider_id ${[first, ...more].join(", or ")}.`;
}

function rejectionDetail(rejection: Rejection): ErrorDetailValue {
  const { provider_id, code, reason, diagnostics } = rejection;
  return { provider_id, code, reason, diagnostics };
}

function rejectionsOf(candidates: readonly Candidate[]): Rejection[] {
  return candidates.flatMap((candidate) => rejectionOf(candidate) ?? []);
}

function bindingOf(candidate: Candidate, selection_source: SelectionSource): AnalysisProviderBinding | undefined {
  if (rejectionOf(candidate) !== undefined || candidate.profile.status !== "resolved") return undefined;
  const { profile } = candidate.profile;
  return { provider: profile.provider, selection_source, analysis_profile: profile };
}

function reasonOf(candidate: Candidate): SelectionReason {
  if (candidate.support?.status === "unsupported") return "target_unsupported";
  const { availability } = candidate;
  const optionsRefused = availability.status === "unavailable" && availability.code === "open_options_invalid";
  return optionsRefused ? "invalid_options" : "provider_unavailable";
}

/** An unbound target is unsupported unless some provider would take it if it could run. */
function unboundReason(selection: Selection): SelectionReason {
  return selection.rejections.some(({ code }) => !targetCodes.has(code)) ? "provider_unavailable" : "target_unsupported";
}

const targetCodes: ReadonlySet<string> = new Set([
  "target_kind_unsupported",
  "target_format_unsupported",
  "architecture_unsupported",
  "target_role_unsupported",
  "managed_target_unsupported",
]);

function sourceOf(chosen: ChosenSelector): SelectionSource {
  return chosen.source === "environment" ? "environment" : "request";
}
