import { canonicalJson, canonicalSha256, isJsonObject, jsonObject, type JsonObject, type ProcessComparison, type TraceEvent, type TraceSide, type TraceSpecification, type TraceViolation } from "@rea/core";
import { normalizedFields, type CaptureView } from "./capture-view.js";
import { entryOf } from "./journal-entry.js";

interface Occurrence {
  /** Null for an entry that no event describes. */
  readonly id: string | null;
  readonly order: number;
}

interface Judged {
  readonly side: TraceSide;
  /** Equal for traces that the specification does not tell apart. */
  readonly meaning: string;
}

export interface TraceJudgement {
  readonly trace: NonNullable<ProcessComparison["trace"]>;
  readonly verdict: "equivalent" | "different" | "nonconforming" | "unknown";
}

/** Judges both captures by a specification: each must conform, and both must mean the same. */
export function judgeTraces(spec: TraceSpecification, left: CaptureView, right: CaptureView): TraceJudgement {
  const [a, b] = [judge(spec, left), judge(spec, right)];
  const conformances = new Set([a.side.conformance, b.side.conformance]);
  const trace = { specification_sha256: canonicalSha256(spec), language: spec.language, left: a.side, right: b.side };
  if (conformances.has("nonconforming")) return { trace, verdict: "nonconforming" };
  if (conformances.has("unknown")) return { trace, verdict: "unknown" };
  return { trace, verdict: a.meaning === b.meaning ? "equivalent" : "different" };
}

const shownViolations = 100;

function judge(spec: TraceSpecification, view: CaptureView): Judged {
  const occurrences = occurrencesOf(spec, view);
  const cut = isCut(spec, view);
  const counts = countsOf(occurrences);
  const violations = [...unmatched(occurrences), ...cardinalities(spec, counts, cut), ...(spec.language === "finite_traces" ? finite(spec, occurrences, cut) : partial(spec, occurrences, cut))];
  const conformance = violations.length > 0 ? "nonconforming" : cut ? "unknown" : "conforming";
  const side: TraceSide = {
    conformance,
    events: occurrences.filter(({ id }) => id !== null).length,
    counts: spec.events.map(({ id }) => ({ event: id, count: counts.get(id) ?? 0 })),
    violations: violations.slice(0, shownViolations),
    violations_total: violations.length,
  };
  const sequence = occurrences.map(({ id }) => id ?? "");
  return { side, meaning: canonicalJson(spec.language === "finite_traces" ? sequence : side.counts) };
}

/** Entries of the sources that the specification names, in the order of the journal. */
function occurrencesOf(spec: TraceSpecification, view: CaptureView): Occurrence[] {
  const bySource = new Map<string, TraceEvent[]>();
  for (const event of spec.events) bySource.set(event.source, [...(bySource.get(event.source) ?? []), event]);
  return view.capture.event_journal.flatMap((place) => {
    const events = bySource.get(place.collection);
    const entry = events === undefined ? undefined : entryOf(view.capture, place);
    if (events === undefined || entry === undefined || !isJsonObject(entry)) return [];
    const found = events.find((event) => describes(event, entry, view));
    return [{ id: found?.id ?? null, order: place.capture_order }];
  });
}

/** Every field counts but the ignored ones; the time only when the specification gives one. */
function describes({ exact, ignore_fields }: TraceEvent, entry: JsonObject, view: CaptureView): boolean {
  const bucket = view.capture.manifest.comparison_contract.normalization.time_bucket_ms;
  const shown = (fields: { readonly [key: string]: unknown }): string => {
    const kept = Object.entries(fields).filter(([key]) => !ignore_fields.includes(key) && (key !== "at_ms" || "at_ms" in exact));
    const timed = kept.map(([key, value]) => [key, key === "at_ms" && typeof value === "number" ? Math.floor(value / bucket) : value]);
    return canonicalJson(normalizedFields(jsonObject.parse(Object.fromEntries(timed)), (text) => view.normalized(text)));
  };
  return shown(entry) === shown(exact);
}

function isCut(spec: TraceSpecification, view: CaptureView): boolean {
  const sources = [...new Set(spec.events.map(({ source }) => source))];
  return view.omissionsOf(sources.flatMap((source) => [source, source.replaceAll("_", " ")])).length > 0;
}

function countsOf(occurrences: readonly Occurrence[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { id } of occurrences) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function violation(rule: TraceViolation["rule"], event: string | null, more: Partial<TraceViolation> = {}): TraceViolation {
  return { rule, event, other: null, capture_order: null, ...more };
}

function unmatched(occurrences: readonly Occurrence[]): TraceViolation[] {
  return occurrences.flatMap(({ id, order }) => (id === null ? [violation("unmatched", null, { capture_order: order })] : []));
}

/** Of what was cut only too many are certain, never too few. */
function cardinalities(spec: TraceSpecification, counts: ReadonlyMap<string, number>, cut: boolean): TraceViolation[] {
  return spec.events.flatMap((event) => {
    const { least, most } = boundsOf(event);
    const seen = counts.get(event.id) ?? 0;
    return seen > most || (seen < least && !cut) ? [violation("cardinality", event.id)] : [];
  });
}

function boundsOf({ cardinality, count = 0, minimum = 0, maximum = 0 }: TraceEvent): { readonly least: number; readonly most: number } {
  switch (cardinality) {
    case "required":
      return { least: 1, most: Number.POSITIVE_INFINITY };
    case "optional":
      return { least: 0, most: 1 };
    case "exact":
      return { least: count, most: count };
    case "range":
      return { least: minimum, most: maximum };
  }
}

function partial(spec: TraceSpecification, occurrences: readonly Occurrence[], cut: boolean): TraceViolation[] {
  const first = new Map<string, Occurrence>();
  const last = new Map<string, Occurrence>();
  for (const one of occurrences) {
    if (one.id === null) continue;
    if (!first.has(one.id)) first.set(one.id, one);
    last.set(one.id, one);
  }
  const ordered = spec.happens_before.flatMap(({ before, after }) => {
    const [late, early] = [last.get(before), first.get(after)];
    return late !== undefined && early !== undefined && late.order > early.order ? [violation("happens_before", before, { other: after, capture_order: early.order })] : [];
  });
  const held = spec.not_before.flatMap(({ event, other }) => {
    const [early, since] = [first.get(event), first.get(other)];
    // Without the other, whether it came later is open in a trace that was cut.
    const broken = early !== undefined && (since === undefined ? !cut : early.order < since.order);
    return broken ? [violation("not_before", event, { other, capture_order: early.order })] : [];
  });
  const matched = occurrences.filter(({ id }) => id !== null);
  const edges = [...edge("prefix", spec.prefix, matched), ...(cut ? [] : edge("suffix", spec.suffix, matched.slice(Math.max(0, matched.length - spec.suffix.length))))];
  return [...ordered, ...held, ...edges];
}

function edge(rule: "prefix" | "suffix", expected: readonly string[], seen: readonly Occurrence[]): TraceViolation[] {
  const at = expected.findIndex((id, index) => seen[index]?.id !== id);
  return at < 0 ? [] : [violation(rule, expected[at] ?? null, { other: seen[at]?.id ?? null, capture_order: seen[at]?.order ?? null })];
}

/** One of the traces must be met, or, in what was cut, begun. */
function finite(spec: TraceSpecification, occurrences: readonly Occurrence[], cut: boolean): TraceViolation[] {
  const seen = occurrences.map(({ id }) => id ?? "");
  const met = spec.traces.some((trace) => (cut ? seen.length <= trace.length : seen.length === trace.length) && seen.every((id, index) => trace[index] === id));
  return met ? [] : [violation("trace", null, { capture_order: occurrences.at(-1)?.order ?? null })];
}
