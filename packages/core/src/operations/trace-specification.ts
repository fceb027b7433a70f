import { z } from "../z.js";
import { journalCollections } from "./process-capture.js";

/** The grammar of trace specifications: which orders of events two captures may have and still be called equivalent. */

const name = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected letters, digits, _ . - (1 to 64)");
const count = z.number().int().min(0).max(100_000);

/** Collections of a capture whose entries can be events. */
const traceSources = journalCollections.filter((name) => name !== "frames");
export type TraceSource = (typeof traceSources)[number];

const event = z.strictObject({
  id: name,
  source: z.enum(traceSources).describe("Collection of the capture"),
  exact: z.record(z.string(), z.unknown()).describe("The entry's fields and values; at_ms only where it matters"),
  ignore_fields: z.array(z.string().min(1).max(128)).max(64).default([]).describe("Fields of the entry that may be anything"),
  cardinality: z.enum(["required", "optional", "exact", "range"]).default("required").describe("At least once, at most once, count, or minimum to maximum"),
  count: count.optional(),
  minimum: count.optional(),
  maximum: count.optional(),
});

const pair = z.strictObject({ before: name, after: name });

const shape = z.strictObject({
  version: z.number().int().min(1).max(1),
  language: z.enum(["partial_order", "finite_traces"]),
  events: z.array(event).min(1).max(256),
  happens_before: z.array(pair).max(4096).default([]).describe("Every before precedes every after"),
  unordered_groups: z.array(z.array(name).min(2).max(256)).max(256).default([]).describe("Any order among these"),
  not_before: z.array(z.strictObject({ event: name, other: name })).max(4096).default([]).describe("No event precedes the first other"),
  prefix: z.array(name).max(256).default([]).describe("What comes first, in this order"),
  suffix: z.array(name).max(256).default([]).describe("What comes last, in this order"),
  traces: z.array(z.array(name).max(1000)).max(256).default([]).describe("Of finite_traces: all that is allowed"),
});

export type TraceSpecification = z.output<typeof shape>;
export type TraceEvent = z.output<typeof event>;

type Report = (path: (string | number)[], message: string) => void;

/** Strict; refuses names that are no event's, orders that contradict themselves, and pairs that nothing relates. */
export const traceSpecificationSchema = shape.superRefine((spec, context) => {
  const report: Report = (path, message) => void context.addIssue({ code: "custom", path, message });
  const ids = new Set(spec.events.map(({ id }) => id));
  if (ids.size < spec.events.length) report(["events"], "expected unique ids");
  spec.events.forEach((one, index) => checkCardinality(one, (path, message) => report(["events", index, ...path], message)));
  for (const [path, named] of mentions(spec)) if (named.some((id) => !ids.has(id))) report(path, "expected ids of events");
  if (spec.language === "finite_traces") checkFinite(spec, report);
  else checkPartial(spec, report);
});

function checkCardinality({ cardinality, count: times, minimum, maximum }: TraceEvent, report: Report): void {
  if ((cardinality === "exact") !== (times !== undefined)) report(["count"], "expected with cardinality exact, and only there");
  for (const [field, value] of [["minimum", minimum], ["maximum", maximum]] as const) {
    if ((cardinality === "range") !== (value !== undefined)) report([field], "expected with cardinality range, and only there");
  }
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) report(["minimum"], "expected at most the maximum");
}

function mentions(spec: TraceSpecification): [path: string[], ids: readonly string[]][] {
  return [
    [["happens_before"], spec.happens_before.flatMap(({ before, after }) => [before, after])],
    [["unordered_groups"], spec.unordered_groups.flat()],
    [["not_before"], spec.not_before.flatMap(({ event: one, other }) => [one, other])],
    [["prefix"], spec.prefix],
    [["suffix"], spec.suffix],
    [["traces"], spec.traces.flat()],
  ];
}

function checkFinite(spec: TraceSpecification, report: Report): void {
  if (spec.traces.length === 0) report(["traces"], "expected at least one trace");
  for (const field of ["happens_before", "unordered_groups", "not_before", "prefix", "suffix"] as const) {
    if (spec[field].length > 0) report([field], "expected only with language partial_order");
  }
}

function checkPartial(spec: TraceSpecification, report: Report): void {
  if (spec.traces.length > 0) report(["traces"], "expected only with language finite_traces");
  const after = precedence(spec);
  if (spec.events.some(({ id }) => after.get(id)?.has(id) === true)) {
    report(["happens_before"], "expected no circle");
    return;
  }
  const related = new Set<string>();
  const relate = (a: string, b: string): void => void related.add(`${a} ${b}`).add(`${b} ${a}`);
  for (const [id, later] of after) for (const other of later) relate(id, other);
  for (const group of spec.unordered_groups) for (const one of group) for (const other of group) relate(one, other);
  for (const { event: one, other } of spec.not_before) relate(one, other);
  const edges = new Set([...spec.prefix, ...spec.suffix]);
  const ids = spec.events.map(({ id }) => id);
  const open = ids.some((one, index) => ids.slice(index + 1).some((other) => !edges.has(one) && !edges.has(other) && !related.has(`${one} ${other}`)));
  if (open) report(["events"], "expected every pair of events to be related: ordered, unordered, not before, first or last");
}

/** What comes after each event, by way of others too. */
function precedence(spec: TraceSpecification): ReadonlyMap<string, ReadonlySet<string>> {
  const after = new Map(spec.events.map(({ id }) => [id, new Set<string>()] as const));
  for (const { before, after: later } of spec.happens_before) after.get(before)?.add(later);
  for (const middle of after.keys()) {
    for (const [, later] of after) if (later.has(middle)) for (const last of after.get(middle) ?? []) later.add(last);
  }
  return after;
}
