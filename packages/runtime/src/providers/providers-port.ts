import { coverageOf, omission, pageOf, throwIfAborted, type ComparedProvider, type Omission, type OperationContext, type ProviderComparison, type ProvidersPort } from "@rea/core";
import type { ComparedProviders, ProviderFacts } from "@rea/compare";
import type { ProviderRegistry } from "@rea/provider";
import { continuousProgress } from "../continuous-progress.js";
import type { OpenState } from "../session/open-state.js";
import { subjectOf } from "../session/open-state.js";
import { sessionTargetError } from "../session/session-errors.js";
import { sameStamp, stampAt } from "../target/open-file.js";
import { resolveTarget, type DetectFile, type ResolvedTarget } from "../target/resolve-target.js";
import { targetUnavailable } from "../target/target-errors.js";
import { askableProviders, askedDigest, rejectedTarget, type Askable } from "./askable-providers.js";
import { collectFacts, type AskedProvider, type CollectedFacts } from "./collect-facts.js";

const operation = "compare_providers";
const identity = { id: "rea-comparison", name: "REA comparison", version: "1" };

export interface ProvidersPortParts {
  readonly registry: ProviderRegistry;
  readonly detect: DetectFile;
  readonly state: () => OpenState | null;
}

/** A comparison whole, from which pages are cut. */
interface Finished {
  readonly digest: string;
  readonly collected: CollectedFacts;
  readonly compared: ComparedProviders | null;
}

/** Comparison of deep providers through private clients. The last one is kept, so that its pages need no second analysis. */
export function createProvidersPort({ registry, detect, state }: ProvidersPortParts): ProvidersPort {
  let last: Finished | null = null;
  return {
    async compare({ path, providers, offset, limit }, { signal, progress }) {
      const context: OperationContext = { signal, progress: continuousProgress(progress) };
      const resolved = path === undefined ? await openTarget(state()) : await resolveTarget({ path, operation }, detect, context);
      const { target } = resolved;
      const askable = await askableProviders(registry, target, providers, signal);
      const digest = askedDigest(target, askable);
      const finished = last?.digest === digest ? last : { digest, ...(await comparisonOf(askable, resolved, context)) };
      // What failed once may succeed the next time.
      last = finished.collected.failures.size === 0 ? finished : null;
      const result = resultOf(askable, finished, { offset, limit });
      return {
        result,
        raw_result: null,
        provider: identity,
        analysis_profile: null,
        subject: subjectOf(target),
        confidence: "derived",
        limitations: result.limitations,
        locations: [],
        resolved_parameters: {},
      };
    },
  };
}

async function openTarget(open: OpenState | null): Promise<ResolvedTarget> {
  if (open === null) throw sessionTargetError();
  const { target, stamp } = open.resolved;
  if (!sameStamp(stamp, await stampAt(target.path))) throw targetUnavailable(target.path, "target_changed");
  return open.resolved;
}

async function comparisonOf(askable: readonly Askable[], resolved: ResolvedTarget, context: OperationContext): Promise<Omit<Finished, "digest">> {
  const asked = askable.flatMap((each): AskedProvider[] => ("profile" in each ? [each] : []));
  if (asked.length < 2) return { collected: { facts: [], reference: "", failures: new Map() }, compared: null };
  const collected = await collectFacts(asked, resolved, context);
  const compared = collected.facts.length < 2 ? null : await inTurns(collected, context.signal);
  return { collected, compared };
}

/** Lets everything else that waits for this thread go between two steps. */
async function inTurns({ facts, reference }: CollectedFacts, signal: AbortSignal): Promise<ComparedProviders> {
  const { compareProviders } = await import("@rea/compare");
  const steps = compareProviders(facts, reference);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
    throwIfAborted(signal, operation);
  }
}

function resultOf(askable: readonly Askable[], { collected, compared }: Finished, page: { readonly offset: number; readonly limit: number }): ProviderComparison {
  const targets = askable.map((each) => targetOf(each, collected, compared));
  const omissions: Omission[] = [
    ...targets.filter(({ reason }) => reason !== null).map(({ provider, reason }) => omission(provider.id, "engine_unavailable", reason === null ? {} : { how_to_continue: reason })),
    ...collected.facts.flatMap((facts) => facts.omissions),
  ];
  const none = { state: "not_compared", providers: [], agreed: 0, single_source: 0, shared: 0, contradicted: 0 } as const;
  const empty = { functions: { ...none, providers: [] }, names: { ...none, providers: [] }, strings: { ...none, providers: [] }, call_edges: { ...none, providers: [] } };
  const differs = compared !== null && compared.singleSource.length + compared.contradictions.length > 0;
  const limitations = compared?.limitations ?? [`Fewer than two of the providers could be asked about this target${onlyOne(targets)}; nothing was compared.`];
  return {
    status: compared === null ? "not_compared" : differs ? "differences" : "agreement",
    targets,
    agreement: compared?.agreement ?? empty,
    single_source: pageOf(compared?.singleSource ?? [], page, (fact) => fact, omissions),
    contradictions: pageOf(compared?.contradictions ?? [], page, (fact) => fact, omissions),
    coverage: compared === null ? { state: "unavailable", omissions } : coverageOf(omissions),
    limitations: [...limitations],
  };
}

function onlyOne(targets: readonly ComparedProvider[]): string {
  const [usable] = targets.filter(({ state }) => state === "usable");
  return usable === undefined ? "" : `, only ${usable.provider.id}`;
}

function targetOf(each: Askable, { facts, failures }: CollectedFacts, compared: ComparedProviders | null): ComparedProvider {
  if ("rejection" in each) return rejectedTarget(each, each.rejection);
  const { id, profile } = each;
  const failure = failures.get(id);
  const given = facts.find((found) => found.id === id);
  const shift = compared?.shifts.get(id);
  return {
    provider: { id: profile.provider.id, name: profile.provider.name, version: profile.provider.version },
    state: failure !== undefined ? "failed" : compared === null ? "usable" : "compared",
    code: failure?.code ?? null,
    reason: failure?.reason ?? null,
    analysis_profile_digest: profile.digest,
    address_shift: shift === undefined ? null : hexOf(shift),
    ...countsOf(given),
  };
}

function countsOf(given: ProviderFacts | undefined): Pick<ComparedProvider, "functions" | "names" | "strings" | "call_edges"> {
  const count = (facts: readonly unknown[] | null | undefined): number | null => facts?.length ?? null;
  return { functions: count(given?.functions), names: count(given?.names), strings: count(given?.strings), call_edges: count(given?.calls) };
}

function hexOf(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
