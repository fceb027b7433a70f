import { coverageOf, omission, type ApplicationGraph, type ComparedSource, type Omission, type SourceComparison, type SourceComparisonLimits, type SourceReference } from "@rea/core";
import { GraphSide } from "../graph-side.js";
import { ApplicationUnits, type ApplicationUnit } from "./application-units.js";
import { judgeSource, type JudgedWith } from "./judge-source.js";
import { scoreTargets, type ScoredTarget, type SourceFile } from "./score-targets.js";

export interface ComparedSources {
  readonly comparison: Omit<SourceComparison, "files" | "cited_records">;
  readonly files: readonly ComparedSource[];
  readonly omissions: readonly Omission[];
}

interface Compared {
  readonly reference: SourceReference;
  readonly application: { readonly graph: ApplicationGraph; readonly graphSha256: string; readonly rootSha256: string | null };
}

const contained = 600;
const code: ReadonlySet<string> = new Set(["html", "vue", "svelte"]);

/** Compares sources with what was shipped, file by file. Pure. */
export function compareSources({ reference, application }: Compared, limits: SourceComparisonLimits): ComparedSources {
  const units = new ApplicationUnits(new GraphSide(application.graph));
  const all = reference.entries.filter((entry): entry is SourceFile => entry.kind === "file" && (entry.unit !== null || code.has(entry.language ?? "")));
  const kept = all.slice(0, limits.max_source_files);
  const scored = kept.map((file) => ({ file, targets: scoreTargets(file, units) }));
  const by = judgedWith(scored, units);
  const files = scored.map(({ file, targets }): ComparedSource => {
    const { status, confidence, reason } = judgeSource(file, targets, by);
    return { path: file.path, sha256: file.sha256, status, confidence, targets: targets.slice(0, limits.max_targets).map(({ target }) => target), targets_total: targets.length, reason };
  });
  const omissions = omissionsOf({ reference, application: units.side, left: all.length - kept.length, limits });
  const summary = { unchanged: 0, modified: 0, removed: 0, split: 0, merged: 0, duplicated: 0, unknown: 0 };
  for (const { status } of files) summary[status] += 1;
  const isSame = summary.unchanged + summary.duplicated === files.length && omissions.length === 0 && files.length > 0;
  const differs = summary.modified + summary.removed > 0;
  return {
    comparison: {
      reference: { authority: "historical-reference", root_sha256: reference.root_sha256, inventory_state: reference.inventory_state, files: reference.entries.filter(({ kind }) => kind === "file").length, compared: files.length },
      application: { authority: "shipped-artifact", graph_id: application.graph.graph_id, graph_sha256: application.graphSha256, root_artifact_sha256: application.rootSha256 },
      status: differs ? "changed" : isSame ? "unchanged" : "unknown",
      summary,
      coverage: coverageOf(omissions),
      limitations: [
        "Sources say what they are now; that the application was built from them is not shown by it.",
        "Matches by words, exports and paths are conclusions.",
        "Styles, pictures and other files that are no code are not compared.",
      ],
    },
    files: files.sort(byTelling),
    omissions,
  };
}

function judgedWith(scored: readonly { readonly file: SourceFile; readonly targets: readonly ScoredTarget[] }[], units: ApplicationUnits): JudgedWith {
  const contents = new Map<string, number>();
  const holders = new Map<ApplicationUnit, number>();
  for (const { file, targets } of scored) {
    contents.set(file.sha256, (contents.get(file.sha256) ?? 0) + 1);
    for (const { unit, inUnit } of targets) if ((inUnit ?? 0) >= contained) holders.set(unit, (holders.get(unit) ?? 0) + 1);
  }
  return {
    units,
    sameContent: (sha256) => contents.get(sha256) ?? 0,
    inside: (unit) => holders.get(unit) ?? 0,
    isComplete: units.side.isComplete,
    isMapped: units.isMapped,
  };
}

interface Shortfalls {
  readonly reference: SourceReference;
  readonly application: GraphSide;
  readonly left: number;
  readonly limits: SourceComparisonLimits;
}

function omissionsOf({ reference, application, left, limits }: Shortfalls): readonly Omission[] {
  const found: Omission[] = [];
  if (!application.isComplete) found.push(omission("The application was not read whole.", "analysis_incomplete", { how_to_continue: "See the coverage of its analysis." }));
  if (reference.inventory_state === "partial") found.push(omission("The sources were not read whole.", "analysis_incomplete", { how_to_continue: "See the coverage of the source reference." }));
  if (reference.parse_failures.length > 0) found.push(omission("Sources that could not be read without problems.", "malformed", { count: reference.parse_failures.length }));
  if (left > 0) found.push(omission("Files beyond the bound.", "limit_items", { count: left, limit: limits.max_source_files, how_to_continue: "Raise limits.max_source_files, or give a part of the sources." }));
  return found;
}

const ranks: { readonly [S in ComparedSource["status"]]: number } = { modified: 0, removed: 1, split: 2, merged: 3, duplicated: 4, unknown: 5, unchanged: 6 };

function byTelling(a: ComparedSource, b: ComparedSource): number {
  return ranks[a.status] - ranks[b.status] || (a.path < b.path ? -1 : 1);
}
