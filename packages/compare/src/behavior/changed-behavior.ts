import { coverageOf, omission, type BehaviorFinding, type ChangedBehavior, type CitedRecord, type Evidence } from "@rea/core";
import { readComparison, type ComparedState, type ComparisonReading } from "../readings/comparison-reading.js";

/**
 * What comparisons say about behaviour. What differs in code or files is only a candidate; unchanged behaviour needs a
 * complete comparison of runs and nothing that speaks against it. Pure. Throws `evidence_integrity_mismatch`.
 */
export function findChangedBehavior(records: readonly Evidence[], cite: (record: Evidence) => CitedRecord): ChangedBehavior {
  const readings = records.map(readComparison);
  const findings = readings.flatMap(findingsOf);
  const count = (kind: BehaviorFinding["kind"]): number => findings.filter((finding) => finding.kind === kind).length;
  const summary = {
    observed_changes: count("observed_change"),
    static_candidates: count("static_candidate"),
    contradictions: count("contradiction"),
    unresolved: count("unresolved"),
  };
  const unresolved = summary.unresolved + summary.contradictions;
  return {
    behavior_status: statusOf(readings, summary),
    findings,
    summary,
    cited_records: records.map(cite),
    coverage: coverageOf(
      unresolved === 0 ? [] : [omission("comparisons", "not_examined", { count: unresolved, how_to_continue: "Compare complete captures of both sides." })],
    ),
    limitations: [
      "A difference in code or files alone is a candidate for changed behaviour, not an observation of it.",
      ...(readings.some(({ nature }) => nature === "dynamic") ? ["Runs show what they did in the compared scenarios, not what others would do."] : []),
    ],
  };
}

function statusOf(readings: readonly ComparisonReading[], summary: ChangedBehavior["summary"]): ChangedBehavior["behavior_status"] {
  if (summary.observed_changes > 0) return "observed_changed";
  const open = summary.static_candidates + summary.contradictions + summary.unresolved;
  const complete = readings.some(({ nature, overall }) => nature === "dynamic" && overall === "unchanged");
  return complete && open === 0 ? "observed_unchanged" : "unknown";
}

function findingsOf(reading: ComparisonReading): BehaviorFinding[] {
  const telling = reading.parts.filter(({ state }) => state !== "unchanged");
  if (telling.length === 0) return [finding(reading, null, reading.overall)];
  return telling.map(({ name, state }) => finding(reading, name, state));
}

function finding(reading: ComparisonReading, dimension: string | null, state: ComparedState): BehaviorFinding {
  const { evidence_id, operation } = reading.record;
  return { evidence_id, operation, kind: kindOf(reading, state), dimension, statement: statement(reading, dimension, state) };
}

function kindOf({ nature }: ComparisonReading, state: ComparedState): BehaviorFinding["kind"] {
  switch (state) {
    case "changed":
      return nature === "dynamic" ? "observed_change" : "static_candidate";
    case "unchanged":
      return nature === "dynamic" ? "observed_unchanged" : "static_unchanged";
    case "contradiction":
      return "contradiction";
    case "unknown":
      return "unresolved";
  }
}

function statement({ nature }: ComparisonReading, dimension: string | null, state: ComparedState): string {
  const what = dimension === null ? "The comparison" : dimension.replaceAll("_", " ");
  switch (state) {
    case "changed":
      return nature === "dynamic" ? `${what}: the runs differ.` : `${what}: the sides differ; no run shows what that does.`;
    case "unchanged":
      return nature === "dynamic" ? `${what}: the runs do the same.` : `${what}: the sides are equal.`;
    case "contradiction":
      return `${what}: the inputs contradict each other.`;
    case "unknown":
      return `${what}: not settled by what was compared.`;
  }
}
