import type { AnalysisProfile } from "./analysis-profile.js";
import type { Confidence, EvidenceLocation, ProviderIdentity, Subject } from "./evidence.js";
import type { JsonObject, JsonValue } from "./json.js";
import type { OperationName, OperationParams, OperationResult } from "./operations/index.js";
import type { ProgressReporter } from "./progress.js";

/** What every admitted call carries; both are passed all the way down. */
export interface OperationContext {
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
}

/** An answer together with everything Evidence needs to say about where it came from. */
export interface Execution<R> {
  readonly result: R;
  readonly raw_result: JsonValue | null;
  readonly provider: ProviderIdentity;
  readonly analysis_profile: AnalysisProfile | null;
  readonly subject: Subject | null;
  readonly confidence: Confidence;
  /** Order is meaningful; no duplicates. */
  readonly limitations: readonly string[];
  readonly locations: readonly EvidenceLocation[];
  /**
   * Defaults that only the session knows (document, cursor address, `annotations_sha256`), merged over the parsed
   * input before it enters Evidence.
   */
  readonly resolved_parameters: JsonObject;
}

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
  importBundle(input: { readonly path: string }, context: OperationContext): Promise<JsonObject>;
}

/** Everything a tool may ask for; a tool names the members it needs and sees no other. */
export interface CapabilityPorts extends OperationPorts {
  readonly session: SessionPort;
  readonly ledger: LedgerPort;
}

export type CapabilityName = keyof CapabilityPorts;
