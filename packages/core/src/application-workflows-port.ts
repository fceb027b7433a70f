import type { ApplicationGraphTexts } from "./application-graphs-port.js";
import type { Evidence } from "./evidence.js";
import type { Execution, OperationContext } from "./execution.js";
import type { ExportShapeComparison, ExportShapeLimits } from "./operations/application-export-shapes.js";
import type { RuntimeMapping, RuntimeReconciliation, StaticLayerRole } from "./operations/application-runtime-reconciliation.js";
import type { SourceComparison, SourceComparisonLimits } from "./operations/application-source-comparison.js";
import type { SourceReference } from "./operations/application-source-reference.js";
import type { ApplicationComparisonLimits, ApplicationVersionComparison } from "./operations/application-version-comparison.js";

/** An analysed application with its whole graphs. */
export interface WorkflowApplication {
  readonly record: Evidence;
  readonly graphSha256: string;
  readonly rootSha256: string | null;
  readonly graphs: ApplicationGraphTexts;
}

interface Paged {
  readonly offset: number;
  readonly limit: number;
}

export interface VersionComparisonRequest extends Paged {
  readonly left: WorkflowApplication;
  readonly right: WorkflowApplication;
  readonly limits: ApplicationComparisonLimits;
  readonly left_native_observations: readonly Evidence[];
  readonly right_native_observations: readonly Evidence[];
}

export interface SourceComparisonRequest extends Paged {
  /** Absolute path of a directory, or of a saved source reference. */
  readonly reference: string;
  readonly application: WorkflowApplication;
  readonly limits: SourceComparisonLimits;
}

export interface ExportSide {
  readonly application: WorkflowApplication;
  readonly module_path: string;
  readonly export_name: string;
}

export interface RuntimeLayer {
  readonly application: WorkflowApplication;
  readonly role: StaticLayerRole;
  readonly runtime_mappings: readonly RuntimeMapping[];
}

/** Work on applications that were analysed before; computed in a thread of its own. Each throws `cancelled`. */
export interface ApplicationWorkflowsPort {
  compareVersions(request: VersionComparisonRequest, context: OperationContext): Promise<Execution<Omit<ApplicationVersionComparison, "cited_records">>>;
  /** Throws `target_unavailable` for a reference that is not there, `evidence_integrity_mismatch` for a saved one that is damaged. */
  compareSource(
    request: SourceComparisonRequest,
    context: OperationContext,
  ): Promise<Execution<Omit<SourceComparison, "cited_records">> & { readonly reference_sha256: string }>;
  compareExportShapes(
    request: { readonly left: ExportSide; readonly right: ExportSide; readonly limits: ExportShapeLimits },
    context: OperationContext,
  ): Promise<Execution<Omit<ExportShapeComparison, "cited_records">>>;
  /** Throws `evidence_integrity_mismatch` (`missing`) when the capture behind an observation is not retained. */
  reconcile(
    request: { readonly layers: readonly RuntimeLayer[]; readonly observations: readonly Evidence[] } & Paged,
    context: OperationContext,
  ): Promise<Execution<Omit<RuntimeReconciliation, "cited_records">>>;
  /**
   * Reads sources below a directory without running anything and without following links out of it. Throws `target_unavailable`
   * and `configuration_invalid` for unusable secret patterns.
   */
  importReference(path: string, context: OperationContext): Promise<SourceReference>;
}
