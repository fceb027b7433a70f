import type { ApplicationGraphsPort } from "./application-graphs-port.js";
import type { ApplicationSearch, RecoveredSources } from "./application-reading.js";
import type { ArtifactsPort } from "./artifacts-port.js";
import type { ApplicationTracesPort } from "./application-traces-port.js";
import type { ApplicationWorkflowsPort } from "./application-workflows-port.js";
import type { BundleWhole } from "./bundle-schema.js";
import type { BinariesPort, BundlesPort, ProvidersPort, UnknownsPort } from "./comparison-ports.js";
import type { Execution, OperationContext } from "./execution.js";
import type { CitedRecord } from "./cited-record.js";
import type { Evidence, EvidenceInput } from "./evidence.js";
import type { JsonObject } from "./json.js";
import type { OperationName, OperationParams, OperationResult } from "./operations/index.js";
import type { ProcessScenario } from "./operations/process-capture-scenario.js";
import type { ProcessCaptureSummary } from "./operations/process-capture-summary.js";
import type { CaptureDifferences } from "./operations/process-comparison.js";
import type { ReplayMachineEvent, ReplayMachineRun } from "./operations/replay-machine-run.js";
import type { ReplayMachineDefinition } from "./operations/replay-machine-shape.js";
import type { TraceSpecification } from "./operations/trace-specification.js";
import type { WebComparisonsPort } from "./web-comparison-port.js";
import type { WebPort } from "./web-port.js";
import type { WebScenariosPort } from "./web-scenario-port.js";

export type OperationPort<N extends OperationName> = (
  params: OperationParams<N>,
  context: OperationContext,
) => Promise<Execution<OperationResult<N>>>;

/** One function for each operation; calling one that the bound provider lacks throws `capability_unavailable`. */
export type OperationPorts = { readonly [N in OperationName]: OperationPort<N> };

export interface OpenTargetInput {
  readonly path: string;
  readonly provider_id?: string | undefined;
  readonly architecture?: string | undefined;
  readonly snapshot_path?: string | undefined;
  readonly raw_architecture?: string | undefined;
  readonly raw_base?: string | undefined;
  readonly raw_endian?: "little" | "big" | undefined;
}

export interface CloseTargetInput {
  readonly snapshot_path?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

export interface SessionExpectations {
  readonly expected_package_version?: string | undefined;
  readonly expected_catalog_digest?: string | undefined;
  readonly expected_server_path?: string | undefined;
}

/** Lifecycle of the one target of a session. */
export interface SessionPort {
  /** The `binary_session` result; starts nothing, never fails. */
  describe(expectations: SessionExpectations): JsonObject;
  /** The `open_binary` result. */
  open(input: OpenTargetInput, context: OperationContext): Promise<JsonObject>;
  /** The `close_binary` result: null, or what the saved snapshot holds. */
  close(input: CloseTargetInput, context: OperationContext): Promise<JsonObject | null>;
}

/** The session's Evidence ledger as the transfer tools see it. */
export interface LedgerPort {
  /** The bundle without wholes; throws `truncated` beyond 1 MiB. */
  bundle(context: OperationContext): Promise<JsonObject>;
  exportBundle(
    input: { readonly path: string; readonly overwrite: boolean; readonly include_wholes: boolean },
    context: OperationContext,
  ): Promise<JsonObject>;
  /** A whole that is retained, by its digest. */
  whole(sha256: string): BundleWhole | undefined;
  importBundle(input: { readonly path: string }, context: OperationContext): Promise<JsonObject>;
}

/** A program of the host that a tool cannot do without. */
export type HostFeature = "swift_demangle";

/** Where an answer of a program of the host comes from. Paths are left out: equal programs give equal records. */
export interface HostProgramProvenance {
  readonly tool: string;
  /** First line of what the program says of itself; null when it was not asked, or says nothing. */
  readonly tool_version: string | null;
  readonly executable_sha256: string;
  readonly exit: { readonly code: number | null; readonly signal: string | null };
  readonly stdout_bytes: number;
  readonly stderr_bytes: number;
  /** The program was ended because it wrote more than was kept. */
  readonly truncated: boolean;
}

/** What a Swift demangler of the host made of a list of symbols. */
export interface SwiftDemangling {
  /**
   * By position: the readable name, or null for a symbol that the program does not know or that cannot be a symbol. Fewer
   * than the symbols when the program's output was cut.
   */
  readonly names: readonly (string | null)[];
  readonly program: HostProgramProvenance;
}

/** Programs of the host; each call throws `unsupported_host` when the program is not there. */
export interface HostProgramsPort {
  demangleSwift(symbols: readonly string[], context: OperationContext): Promise<Execution<SwiftDemangling>>;
}

/** Records that tools are given as input. */
export interface EvidencePort {
  /**
   * The record that an input stands for: a reference to a retained one, or a full one, which is checked. Throws
   * `evidence_integrity_mismatch` with reason `missing`, `wrong_operation`, `wrong_predicate`, or what is wrong with the
   * record.
   */
  resolve(input: EvidenceInput, accepted: { readonly operation: string | readonly string[]; readonly predicate?: string }): Evidence;
  /**
   * The record that an input stands for, of any operation; undefined for a reference to one that is not retained. Throws
   * `evidence_integrity_mismatch` for a full record that is not valid.
   */
  find(input: EvidenceInput): Evidence | undefined;
  /** The record as results cite it: whether this session produced it. */
  cite(record: Evidence): CitedRecord;
}

/** Programs that are run to be observed. */
export interface ProcessesPort {
  /** Runs a scenario and answers with a page about its capture; the whole is retained. */
  capture(scenario: ProcessScenario, context: OperationContext): Promise<Execution<ProcessCaptureSummary>>;
}

/** Runs of replay machines without a program. */
export interface ReplayPort {
  /** What the machine decides on the events, in order; opens no socket. Throws `cancelled`. */
  run(
    input: { readonly machine: ReplayMachineDefinition; readonly events: readonly ReplayMachineEvent[] },
    context: OperationContext,
  ): Promise<ReplayMachineRun>;
}

/** Work on process captures that were taken before. */
export interface CapturesPort {
  /**
   * A record for a whole capture that was kept outside a bundle. The capture is checked and retained, the record is not
   * added to the ledger. Throws `evidence_integrity_mismatch`.
   */
  adopt(capture: JsonObject): Promise<Evidence>;
  /** Compares the captures that two `capture_process_scenario` records commit to; their wholes must be retained. */
  compare(
    input: {
      readonly left: Evidence;
      readonly right: Evidence;
      readonly trace_spec?: TraceSpecification | undefined;
      readonly max_capture_age_ms?: number | undefined;
    },
    context: OperationContext,
  ): Promise<Execution<CaptureDifferences>>;
}

/** A call of a tool that goes on after the reply that started it. */
export interface JobView {
  readonly state: "running" | "completed" | "failed" | "cancelled";
  /** The last word of its progress; null before the first. */
  readonly progress: { readonly phase: string; readonly completed: number; readonly total?: number; readonly message: string } | null;
  /** The reply of the tool itself, or `{error}`; null until there is one. */
  readonly outcome: JsonObject | null;
}

/** Jobs of this connection, bounded in number and in what is kept of those that are over. */
export interface JobsPort {
  /**
   * Throws `invalid_request` (no such tool, a tool that is about jobs, arguments it cannot use) and `provider_unavailable`
   * with reason `queue_full`.
   */
  start(input: { readonly tool: string; readonly arguments: JsonObject }): { readonly job_id: string };
  /** Waits for the end for at most `wait_ms`. Throws `invalid_request` for an id that is not known (any more). */
  get(input: { readonly job_id: string; readonly wait_ms: number }, context: OperationContext): Promise<JobView>;
  /** Ends a job and waits until it has cleaned up; of one that is over it tells the state. */
  cancel(input: { readonly job_id: string }, context: OperationContext): Promise<{ readonly state: JobView["state"] }>;
}

/** Texts of JavaScript applications; each call reads the application again. */
export interface ApplicationsPort {
  /** Places of a text in scripts, pages and the originals of source maps, with where each lies on the other side of a map. */
  search(
    input: { readonly path: string; readonly inner_path?: string | undefined; readonly text: string; readonly case_sensitive: boolean; readonly offset: number; readonly limit: number },
    context: OperationContext,
  ): Promise<ApplicationSearch>;
  /** Writes the originals that source maps hold into a directory that does not exist yet. Throws `artifact_operation_failed`. */
  recoverSources(input: { readonly path: string; readonly inner_path?: string | undefined; readonly output: string }, context: OperationContext): Promise<RecoveredSources>;
}

/** Everything a tool may ask for; a tool names the members it needs and sees no other. */
export interface CapabilityPorts extends OperationPorts {
  readonly session: SessionPort;
  readonly ledger: LedgerPort;
  readonly evidence: EvidencePort;
  readonly unknowns: UnknownsPort;
  readonly bundles: BundlesPort;
  readonly binaries: BinariesPort;
  readonly providers: ProvidersPort;
  readonly artifacts: ArtifactsPort;
  readonly processes: ProcessesPort;
  readonly replay: ReplayPort;
  readonly captures: CapturesPort;
  readonly jobs: JobsPort;
  readonly hostPrograms: HostProgramsPort;
  readonly applications: ApplicationsPort;
  readonly applicationTraces: ApplicationTracesPort;
  readonly applicationWorkflows: ApplicationWorkflowsPort;
  readonly applicationGraphs: ApplicationGraphsPort;
  readonly webComparisons: WebComparisonsPort;
  readonly webScenarios: WebScenariosPort;
  readonly web: WebPort;
}

export type CapabilityName = keyof CapabilityPorts;
