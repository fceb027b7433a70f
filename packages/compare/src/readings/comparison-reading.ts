import {
  applicationVersionComparisonSchema,
  artifactComparisonSchema,
  evidenceRefusal,
  functionComparisonSchema,
  processComparisonSchema,
  z,
  type Evidence,
} from "@rea/core";

/** What a comparison says of one part: a contradiction never counts as either of the others. */
export type ComparedState = "changed" | "unchanged" | "unknown" | "contradiction";

/** A comparison of any kind, as conclusions use it. */
export interface ComparisonReading {
  readonly record: Evidence;
  /** `dynamic` when runs were compared, `static` when code or files were. */
  readonly nature: "static" | "dynamic";
  readonly overall: ComparedState;
  readonly parts: readonly { readonly name: string; readonly state: ComparedState }[];
  /** State of a part by name, or of a place such as a logical path; `unknown` for what the record does not show. */
  stateOf(name: string): ComparedState;
  /** Where the record shows that a part changed. */
  placeOf(name: string): string;
  /** The first thing of a part that differs, where the record shows it; null stands for nothing on that side. */
  differenceOf(name: string): ShownDifference | undefined;
}

export interface ShownDifference {
  /** JSON pointer into the result. */
  readonly place: string;
  readonly left: string | null;
  readonly right: string | null;
}

type Read = (record: Evidence) => ComparisonReading;

const readers = {
  compare_functions: readFunctions,
  compare_artifacts: readArtifacts,
  compare_application_versions: readApplications,
  compare_process_captures: readProcesses,
  compare_web_captures: readWeb,
} as const satisfies { readonly [operation: string]: Read };

export const staticComparisons = ["compare_functions", "compare_artifacts", "compare_application_versions"] as const;
export const runtimeComparisons = ["compare_process_captures", "compare_web_captures"] as const;

/** Reads a comparison record. Throws `evidence_integrity_mismatch` (`wrong_operation`, `schema`). */
export function readComparison(record: Evidence): ComparisonReading {
  const reader: Read | undefined = Object.entries(readers).find(([operation]) => operation === record.operation)?.[1];
  if (reader !== undefined) return reader(record);
  throw evidenceRefusal("wrong_operation", "The record is no comparison.", {
    evidence_id: record.evidence_id,
    expected: Object.keys(readers).join(", "),
    actual: record.operation,
  });
}

function readFunctions(record: Evidence): ComparisonReading {
  const result = parsed(functionComparisonSchema, record);
  const parts = result.dimensions.map(({ dimension, status, conclusion_kind: kind }) => ({
    name: dimension,
    state: kind === "contradiction" ? ("contradiction" as const) : status,
  }));
  const contradicted = parts.some(({ state }) => state === "contradiction");
  return {
    ...reading({ record, nature: "static", overall: contradicted ? "contradiction" : result.status, parts }),
    differenceOf: (name) => {
      const index = result.changes.findIndex(({ dimension }) => dimension === name);
      if (index === -1) return undefined;
      // A line that became another one is a removal and an addition.
      const own = result.changes.filter(({ dimension }) => dimension === name);
      const first = (side: "left" | "right"): string | null => own.map((change) => change[side]).find((text) => text !== null) ?? null;
      return { place: `/changes/${String(index)}`, left: first("left"), right: first("right") };
    },
  };
}

function readProcesses(record: Evidence): ComparisonReading {
  const result = parsed(processComparisonSchema, record);
  const parts = result.dimensions.map(({ dimension, status }) => ({ name: dimension, state: simple(status) }));
  return {
    ...reading({ record, nature: "dynamic", overall: simple(result.status), parts }),
    differenceOf: (name) => {
      const index = result.dimensions.findIndex(({ dimension }) => dimension === name);
      const first = result.dimensions[index]?.first_difference ?? undefined;
      return first === undefined ? undefined : { place: `/dimensions/${String(index)}/first_difference`, left: first.left, right: first.right };
    },
  };
}

const dimensioned = z.looseObject({
  status: z.string(),
  dimensions: z.array(z.looseObject({ dimension: z.string(), status: z.string() })),
});

function readWeb(record: Evidence): ComparisonReading {
  const result = parsed(dimensioned, record);
  const parts = result.dimensions.map(({ dimension, status }) => ({ name: dimension, state: simple(status) }));
  return reading({ record, nature: "dynamic", overall: simple(result.status), parts });
}

/** Parts are the states; a kind of node, and the name of a node, have a state, too. */
function readApplications(record: Evidence): ComparisonReading {
  const { status, summary, by_kind: kinds, items, coverage } = parsed(applicationVersionComparisonSchema, record);
  const parts = (["added", "removed", "changed", "unknown"] as const).map((name) => ({ name, state: summary[name] === 0 ? ("unchanged" as const) : simple(name) }));
  const isWhole = items.items.length === items.total && coverage.state === "complete";
  return {
    ...reading({ record, nature: "static", overall: status, parts }),
    stateOf: (name) => {
      if (name === "status") return status;
      const part = parts.find((one) => one.name === name);
      if (part !== undefined) return part.state;
      const kind = kinds.find((one) => one.kind === name);
      if (kind !== undefined) return kind.changed + kind.added + kind.removed > 0 ? "changed" : kind.unknown > 0 ? "unknown" : "unchanged";
      const named = items.items.filter(({ left, right }) => left?.name === name || right?.name === name).map((item) => simple(item.status));
      if (named.length === 0) return "unknown";
      if (named.includes("changed")) return "changed";
      return named.includes("unknown") || !isWhole ? "unknown" : "unchanged";
    },
    placeOf: (name) => {
      const kind = kinds.findIndex((one) => one.kind === name);
      if (kind !== -1) return `/by_kind/${String(kind)}`;
      const index = items.items.findIndex(({ status: state, left, right }) => state === name || left?.name === name || right?.name === name);
      return index === -1 ? "/summary" : `/items/items/${String(index)}`;
    },
  };
}

const artifactDimensions = ["content", "kind", "format", "bytes", "executable", "relations", "metadata"] as const;

/** Parts are dimensions; a logical path has a state, too. */
function readArtifacts(record: Evidence): ComparisonReading {
  const { status, changes, changes_total, summary } = parsed(artifactComparisonSchema, record);
  const rest: ComparedState = changes.length < changes_total || summary.unknown > 0 ? "unknown" : "unchanged";
  const worst = (states: readonly ComparedState[], otherwise: ComparedState): ComparedState => {
    if (states.includes("contradiction")) return "contradiction";
    if (states.includes("changed")) return "changed";
    return states.includes("unknown") ? "unknown" : otherwise;
  };
  const whole = summary.contradiction > 0 ? "contradiction" : rest;
  const partOf = (name: (typeof artifactDimensions)[number]): ComparedState => {
    const concerned = changes.filter(({ state, dimensions }) => state !== "changed" || dimensions.includes(name));
    return worst(concerned.map(({ state }) => simple(state)), whole);
  };
  const parts = artifactDimensions.map((name) => ({ name, state: partOf(name) }));
  const paths = new Map<string, ComparedState[]>();
  for (const { logical_path: path, state } of changes) paths.set(path, [...(paths.get(path) ?? []), simple(state)]);
  return {
    ...reading({ record, nature: "static", overall: simple(status), parts }),
    stateOf: (name) => {
      if (name === "status") return simple(status);
      const part = parts.find((one) => one.name === name);
      return part?.state ?? worst(paths.get(name) ?? [], whole);
    },
    placeOf: (name) => {
      const index = changes.findIndex(({ logical_path: path, state, dimensions }) => path === name || state !== "changed" || dimensions.some((one) => one === name));
      return index === -1 ? "/summary" : `/changes/${String(index)}`;
    },
  };
}

type Parts = Pick<ComparisonReading, "record" | "nature" | "overall" | "parts">;

function reading(found: Parts): ComparisonReading {
  return {
    ...found,
    stateOf: (name) => (name === "status" ? found.overall : (found.parts.find((part) => part.name === name)?.state ?? "unknown")),
    placeOf: (name) => {
      const index = found.parts.findIndex((part) => part.name === name);
      return index === -1 ? "/status" : `/dimensions/${String(index)}`;
    },
    differenceOf: () => undefined,
  };
}

function simple(state: string): ComparedState {
  switch (state) {
    case "changed":
    case "added":
    case "removed":
      return "changed";
    case "unchanged":
      return "unchanged";
    case "contradiction":
      return "contradiction";
    default:
      return "unknown";
  }
}

function parsed<S extends z.ZodType>(schema: S, record: Evidence): z.output<S> {
  const result = schema.safeParse(record.normalized_result);
  if (result.success) return result.data;
  throw evidenceRefusal("schema", `The record does not hold the result of ${record.operation}.`, { evidence_id: record.evidence_id });
}
