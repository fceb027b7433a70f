import {
  coverageOf,
  evidenceRefusal,
  omission,
  ReaError,
  type CitedRecord,
  type Correlation,
  type CorrelationMapping,
  type Evidence,
} from "@rea/core";
import { readComparison, type ComparedState, type ComparisonReading } from "../readings/comparison-reading.js";

export interface CorrelationInput {
  readonly mappings: readonly CorrelationMapping[];
  readonly statics: readonly Evidence[];
  readonly runtimes: readonly Evidence[];
}

type Verdict = Correlation["correlations"][number];

/**
 * Tests the caller's hypotheses on which static and which runtime differences go together. Nothing is matched by itself.
 * Throws `invalid_request` for a mapping that names a comparison which was not given, `evidence_integrity_mismatch`.
 */
export function correlate({ mappings, statics, runtimes }: CorrelationInput, cite: (record: Evidence) => CitedRecord): Correlation {
  const [ofCode, ofRuns] = [byId(statics, "static"), byId(runtimes, "dynamic")];
  const correlations = mappings.map((mapping, index) =>
    correlation(mapping, {
      code: named(ofCode, mapping.static.comparison, `mappings.${String(index)}.static.comparison`),
      run: named(ofRuns, mapping.runtime.comparison, `mappings.${String(index)}.runtime.comparison`),
    }),
  );
  const count = (status: Verdict["status"]): number => correlations.filter((one) => one.status === status).length;
  const summary = { correlated: count("correlated"), contradicted: count("contradicted"), unknown: count("unknown") };
  return {
    status: summary.contradicted > 0 ? "contradicted" : summary.unknown > 0 ? "unknown" : "correlated",
    correlations,
    summary,
    cited_records: [...statics, ...runtimes].map(cite),
    coverage: coverageOf(summary.unknown === 0 ? [] : [omission("mappings", "not_examined", { count: summary.unknown })]),
    limitations: ["Changing together is reported as changing together, not as cause and effect."],
  };
}

function byId(records: readonly Evidence[], nature: ComparisonReading["nature"]): ReadonlyMap<string, ComparisonReading> {
  return new Map(
    records.map((record) => {
      const reading = readComparison(record);
      if (reading.nature === nature) return [record.evidence_id, reading];
      throw evidenceRefusal("wrong_operation", `The record is no ${nature === "static" ? "static" : "runtime"} comparison.`, {
        evidence_id: record.evidence_id,
        expected: nature === "static" ? "a comparison of code or files" : "a comparison of runs",
        actual: record.operation,
      });
    }),
  );
}

function named(readings: ReadonlyMap<string, ComparisonReading>, id: string, path: string): ComparisonReading {
  const reading = readings.get(id);
  if (reading !== undefined) return reading;
  throw new ReaError("invalid_request", {
    message: `${path} names a comparison that was not given. Give its record, too.`,
    details: { operation: "correlate_static_and_runtime", issues: [{ path, reason: "invalid_value", expected: "the evidence_id of a comparison given" }] },
  });
}

function correlation(mapping: CorrelationMapping, { code, run }: { readonly code: ComparisonReading; readonly run: ComparisonReading }): Verdict {
  const states = { static: code.stateOf(mapping.static.selector), runtime: run.stateOf(mapping.runtime.dimension) };
  const wanted = patterns[mapping.hypothesis.expected_pattern];
  const { status, reason } = verdictOf(states, wanted);
  return {
    status,
    statement: mapping.hypothesis.statement,
    expected_pattern: mapping.hypothesis.expected_pattern,
    static_state: states.static,
    runtime_state: states.runtime,
    side_alignment: mapping.side_alignment,
    reason,
    evidence_links: [code.record.evidence_id, run.record.evidence_id],
  };
}

type Settled = "changed" | "unchanged";

const patterns = {
  cochanged: { static: "changed", runtime: "changed" },
  static_only: { static: "changed", runtime: "unchanged" },
  runtime_only: { static: "unchanged", runtime: "changed" },
  both_unchanged: { static: "unchanged", runtime: "unchanged" },
} as const satisfies { readonly [pattern in Verdict["expected_pattern"]]: { readonly static: Settled; readonly runtime: Settled } };

/** One side that is certainly otherwise settles it, whatever the other side is. */
function verdictOf(
  states: { readonly static: ComparedState; readonly runtime: ComparedState },
  wanted: { readonly static: Settled; readonly runtime: Settled },
): Pick<Verdict, "status" | "reason"> {
  for (const side of ["static", "runtime"] as const) {
    const state = states[side];
    const settled = state === "changed" || state === "unchanged";
    if (settled && state !== wanted[side]) return { status: "contradicted", reason: `The ${side} side is ${state}; ${wanted[side]} was expected.` };
  }
  for (const side of ["static", "runtime"] as const) {
    if (states[side] === "contradiction") return { status: "unknown", reason: `The ${side} side rests on inputs that contradict each other.` };
    if (states[side] === "unknown") return { status: "unknown", reason: `The ${side} comparison does not settle its part.` };
  }
  return { status: "correlated", reason: "Both sides show what was expected." };
}
