import { statSync } from "node:fs";
import {
  ReaError,
  throwIfAborted,
  type ApplicationWorkflowsPort,
  type Confidence,
  type Evidence,
  type Execution,
  type OperationContext,
  type ProviderIdentity,
  type RetainedWhole,
  type WorkflowApplication,
} from "@rea/core";
import type { GivenApplication, ProducedGraph } from "@rea/javascript";
import { observedScripts } from "./javascript-workflows-observations.js";
import type { LedgerStore } from "./ledger/ledger-store.js";
import { requireLocalPath } from "./target/local-path.js";
import { fileError } from "./target/target-errors.js";

const workflows: ProviderIdentity = { id: "rea-javascript-workflows", name: "REA JavaScript workflows", version: "1" };
const reconciliation: ProviderIdentity = { id: "rea-javascript-runtime-reconciliation", name: "REA JavaScript runtime reconciliation", version: "1" };

const secretSetting = "REA_REFERENCE_SECRET_PATTERNS_JSON";

interface Sources {
  readonly ledger: LedgerStore;
  readonly env: { readonly [name: string]: string | undefined };
}

/** Workflows over analysed applications; the reader of applications is loaded with the first call and works in a thread. */
export function createApplicationWorkflowsPort({ ledger, env }: Sources): ApplicationWorkflowsPort {
  const reference = async (path: string) => ({ path, secretPatterns: await secretPatterns(env), limits: {}, threads: null });
  return {
    compareVersions: async ({ left, right, left_native_observations: leftNative, right_native_observations: rightNative, limits, offset, limit }, context) => {
      const request = { left: given(left), right: given(right), leftNative: leftNative.map(nativeOf), rightNative: rightNative.map(nativeOf), limits, offset, limit };
      const { result, changedFrom, isDerived } = await (await import("@rea/javascript")).workInThread({ workflow: "versions", request }, context);
      await turn(context, "compare_application_versions");
      const produced = changedFrom === null ? null : graphPart(changedFrom);
      return { ...executed({ ...result, changed_from: produced?.part ?? null }, { provider: workflows, confidence: isDerived ? "derived" : "inferred" }), wholes: produced?.wholes ?? [] };
    },
    compareSource: async ({ reference: path, application, limits, offset, limit }, context) => {
      const from = isDirectory(path) ? ({ kind: "directory", request: await reference(path) } as const) : ({ kind: "saved", path } as const);
      const { result } = await (await import("@rea/javascript")).workInThread({ workflow: "sources", request: { reference: from, application: given(application), limits, offset, limit } }, context);
      await turn(context, "compare_source_to_bundle");
      return { ...executed(result, { provider: workflows, confidence: "inferred" }), reference_sha256: result.reference.root_sha256 };
    },
    compareExportShapes: async ({ left, right, limits }, context) => {
      const side = ({ application, module_path: modulePath, export_name: exportName }: typeof left) => ({ ...given(application), modulePath, exportName });
      const { result } = await (await import("@rea/javascript")).workInThread({ workflow: "exports", request: { left: side(left), right: side(right), limits } }, context);
      await turn(context, "compare_javascript_export_shapes");
      return executed(result, { provider: workflows, confidence: "derived" });
    },
    reconcile: async ({ layers, observations, offset, limit }, context) => {
      const staticLayers = layers.map(({ application, role, runtime_mappings: mappings }) => ({ ...given(application), role, mappings }));
      const seen = observations.map((record) => observedScripts(record, ledger));
      const { result, combined } = await (await import("@rea/javascript")).workInThread({ workflow: "runtime", request: { layers: staticLayers, observations: seen, offset, limit } }, context);
      await turn(context, "reconcile_javascript_runtime");
      const produced = graphPart(combined);
      return { ...executed({ ...result, combined: produced.part }, { provider: reconciliation, confidence: "inferred" }), wholes: produced.wholes };
    },
    importReference: async (path, context) => {
      requireLocalPath(path, "path", "import_reference_source");
      const { reference: found } = await (await import("@rea/javascript")).workInThread({ workflow: "reference", request: await reference(path) }, context);
      return found;
    },
  };
}

function given({ record, graphSha256, rootSha256, graphs }: WorkflowApplication): GivenApplication {
  return { graph: graphs.graph, graphSha256, rootSha256, evidenceId: record.evidence_id, name: record.subject?.name ?? null };
}

function nativeOf({ evidence_id: evidenceId, subject }: Evidence): { readonly evidenceId: string; readonly sha256: string | null } {
  return { evidenceId, sha256: subject?.digest.sha256 ?? null };
}

/** A graph up to this size stands in the reply itself. */
const inlineBytes = 16 * 1024;

function graphPart({ graph, sha256, bytes }: ProducedGraph) {
  const whole: RetainedWhole = { kind: "application-graph", sha256, bytes, content: graph };
  if (bytes <= inlineBytes) return { part: { state: "inline", graph_sha256: sha256, graph } as const, wholes: [] };
  const { graph_id, nodes, edges } = graph;
  return { part: { state: "retained", graph_sha256: sha256, graph_id, bytes, nodes: nodes.length, edges: edges.length } as const, wholes: [whole] };
}

function executed<R extends { readonly limitations: readonly string[] }>(result: R, { provider, confidence }: { readonly provider: ProviderIdentity; readonly confidence: Confidence }): Execution<R> {
  return { result, raw_result: null, provider, analysis_profile: null, subject: null, confidence, limitations: result.limitations, locations: [], resolved_parameters: {} };
}

/** Throws `target_unavailable` for a path where nothing is. */
function isDirectory(path: string): boolean {
  requireLocalPath(path, "reference", "compare_source_to_bundle");
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw fileError(path, error);
  }
}

async function secretPatterns(env: Sources["env"]): Promise<readonly string[]> {
  const text = env[secretSetting];
  if (text === undefined || text === "") return [];
  const patterns = (await import("@rea/javascript")).parseSecretPatterns(text);
  if (patterns !== undefined) return patterns;
  const constraint = "a JSON array of at most 200 patterns of at most 256 characters";
  throw new ReaError("configuration_invalid", {
    message: `The environment variable ${secretSetting} is invalid: it must be ${constraint}. Correct it and restart.`,
    details: { setting: secretSetting, constraint },
  });
}

/** Lets a cancel be heard before anything is published. */
async function turn({ signal }: OperationContext, operation: string): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, operation);
}
