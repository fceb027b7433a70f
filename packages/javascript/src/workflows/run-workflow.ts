import { readFileSync } from "node:fs";
import {
  applicationGraphIn,
  evidenceRefusal,
  fittingPageOf,
  sourceReferenceSchema,
  toReaError,
  type ApplicationComparisonLimits,
  type ApplicationGraph,
  type ApplicationVersionComparison,
  type ExportShapeComparison,
  type ExportShapeLimits,
  type OperationContext,
  type RuntimeMapping,
  type RuntimeReconciliation,
  type SourceComparison,
  type SourceComparisonLimits,
  type SourceReference,
  type StaticLayerRole,
} from "@rea/core";
import { importReference, type ReferenceRequest } from "../reference/import-reference.js";
import type { RuntimeObservation } from "./runtime/match-scripts.js";

/** An analysed application as a thread is given it. */
export interface GivenApplication {
  /** Text of its graph, as `applicationGraphIn` reads it. */
  readonly graph: string;
  readonly graphSha256: string;
  readonly rootSha256: string | null;
  readonly evidenceId: string;
  /** What the input was called where it lay; null when the record has no subject. */
  readonly name: string | null;
}

interface Paging {
  readonly offset: number;
  readonly limit: number;
}

export interface VersionsRequest extends Paging {
  readonly left: GivenApplication;
  readonly right: GivenApplication;
  readonly leftNative: readonly { readonly evidenceId: string; readonly sha256: string | null }[];
  readonly rightNative: readonly { readonly evidenceId: string; readonly sha256: string | null }[];
  readonly limits: ApplicationComparisonLimits;
}

export interface ExportsRequest {
  readonly left: GivenApplication & { readonly modulePath: string; readonly exportName: string };
  readonly right: GivenApplication & { readonly modulePath: string; readonly exportName: string };
  readonly limits: ExportShapeLimits;
}

export interface SourcesRequest extends Paging {
  readonly reference: { readonly kind: "directory"; readonly request: ReferenceRequest } | { readonly kind: "saved"; readonly path: string };
  readonly application: GivenApplication;
  readonly limits: SourceComparisonLimits;
}

export interface RuntimeRequest extends Paging {
  readonly layers: readonly (GivenApplication & { readonly role: StaticLayerRole; readonly mappings: readonly RuntimeMapping[] })[];
  readonly observations: readonly RuntimeObservation[];
}

export type WorkflowTask =
  | { readonly workflow: "versions"; readonly request: VersionsRequest }
  | { readonly workflow: "exports"; readonly request: ExportsRequest }
  | { readonly workflow: "sources"; readonly request: SourcesRequest }
  | { readonly workflow: "runtime"; readonly request: RuntimeRequest }
  | { readonly workflow: "reference"; readonly request: ReferenceRequest };

/** A graph that a result commits to. */
export interface ProducedGraph {
  readonly graph: ApplicationGraph;
  readonly sha256: string;
  readonly bytes: number;
}

export interface VersionsOutcome {
  readonly workflow: "versions";
  readonly result: Omit<ApplicationVersionComparison, "cited_records" | "changed_from">;
  readonly changedFrom: ProducedGraph | null;
  readonly isDerived: boolean;
}

export interface RuntimeOutcome {
  readonly workflow: "runtime";
  readonly result: Omit<RuntimeReconciliation, "cited_records" | "combined">;
  readonly combined: ProducedGraph;
}

export type WorkflowOutcome =
  | VersionsOutcome
  | RuntimeOutcome
  | { readonly workflow: "exports"; readonly result: Omit<ExportShapeComparison, "cited_records"> }
  | { readonly workflow: "sources"; readonly result: Omit<SourceComparison, "cited_records"> }
  | { readonly workflow: "reference"; readonly reference: SourceReference };

/** Does the work of one workflow tool in the calling thread. */
export async function runWorkflow(task: WorkflowTask, context: OperationContext): Promise<WorkflowOutcome> {
  switch (task.workflow) {
    case "versions":
      return versions(task.request);
    case "exports":
      return exports(task.request);
    case "sources":
      return sources(task.request, context);
    case "runtime":
      return runtime(task.request);
    case "reference":
      return { workflow: "reference", reference: await importReference(task.request, context) };
  }
}

async function versions({ left, right, leftNative, rightNative, limits, ...paging }: VersionsRequest): Promise<VersionsOutcome> {
  const { compareVersions } = await import("./versions/compare-versions.js");
  const sides = { left: { ...left, graph: applicationGraphIn(left.graph), native: leftNative }, right: { ...right, graph: applicationGraphIn(right.graph), native: rightNative } };
  const { comparison, items, omissions, changedFrom, isDerived } = compareVersions(sides, limits);
  return { workflow: "versions", result: { ...comparison, items: fittingPageOf(items, paging, same, omissions) }, changedFrom: changedFrom ?? null, isDerived };
}

async function exports({ left, right, limits }: ExportsRequest): Promise<WorkflowOutcome> {
  const { compareExports } = await import("./exports/compare-exports.js");
  const sides = { left: { ...left, graph: applicationGraphIn(left.graph) }, right: { ...right, graph: applicationGraphIn(right.graph) } };
  return { workflow: "exports", result: compareExports(sides, limits) };
}

async function sources({ reference, application, limits, ...paging }: SourcesRequest, context: OperationContext): Promise<WorkflowOutcome> {
  const known = reference.kind === "saved" ? savedReference(reference.path) : await importReference(reference.request, context);
  const { compareSources } = await import("./sources/compare-sources.js");
  context.progress.report({ phase: "compare", completed: known.entries.length, message: "Comparing sources" });
  const { comparison, files, omissions } = compareSources({ reference: known, application: { ...application, graph: applicationGraphIn(application.graph) } }, limits);
  return { workflow: "sources", result: { ...comparison, files: fittingPageOf(files, paging, same, omissions) } };
}

async function runtime({ layers, observations, ...paging }: RuntimeRequest): Promise<RuntimeOutcome> {
  const { reconcile } = await import("./runtime/reconcile.js");
  const found = reconcile(layers.map((layer) => ({ ...layer, graph: applicationGraphIn(layer.graph) })), observations);
  const page = { matches: fittingPageOf(found.matches, paging, same, found.omissions), static_items: fittingPageOf(found.items, paging, same, found.omissions) };
  return { workflow: "runtime", result: { ...found.reconciliation, ...page }, combined: found.combined };
}

function savedReference(path: string): SourceReference {
  const parsed = sourceReferenceSchema.safeParse(jsonAt(path));
  if (parsed.success) return parsed.data;
  throw evidenceRefusal("schema", "The file is no saved source reference of this version. Write it again with rea import-reference-source.");
}

function jsonAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw evidenceRefusal("schema", "The file is no JSON. Give a directory, or a file of rea import-reference-source.");
    throw toReaError(error, "compare_source_to_bundle");
  }
}

function same<T>(item: T): T {
  return item;
}
