import type {
  AnalysisProfile,
  DeepOperationName,
  Execution,
  JsonObject,
  OperationContext,
  OperationParams,
  OperationResult,
  ProviderIdentity,
} from "@rea/core";

export type AvailabilityCode =
  | "not_configured"
  | "executable_missing"
  | "runtime_missing"
  | "unsupported_host"
  | "unsupported_version"
  | "version_unresolved"
  | "open_options_invalid";

export type TargetCode =
  | "target_kind_unsupported"
  | "target_format_unsupported"
  | "architecture_unsupported"
  | "target_role_unsupported"
  | "managed_target_unsupported";

export type Diagnostics = { readonly [key: string]: string | number | boolean | null };

/** Whether a provider could run on this host; found without starting anything. */
export type ProviderAvailability =
  | { readonly status: "available"; readonly diagnostics: Diagnostics }
  | {
      readonly status: "unavailable";
      readonly code: AvailabilityCode;
      readonly reason: string;
      readonly diagnostics: Diagnostics;
    };

export type TargetSupport =
  | { readonly status: "supported"; readonly diagnostics: Diagnostics }
  | { readonly status: "unsupported"; readonly code: TargetCode; readonly reason: string; readonly diagnostics: Diagnostics };

/** Contract 03 §7: what the session opened. Paths are absolute real paths. */
export interface Target {
  readonly path: string;
  readonly name: string;
  /** Null for a directory until it is inspected. */
  readonly sha256: string | null;
  readonly bytes: number;
  readonly kind: "executable" | "database" | "archive" | "artifact" | "directory";
  /** Subject format of contract 01 §1. */
  readonly format: string;
  readonly architecture: string | null;
  readonly available_architectures: readonly string[];
  readonly role: string | null;
  readonly managed: boolean;
  /** Given by the caller for files without a known header. */
  readonly raw: { readonly architecture: string; readonly base: string; readonly endian: "little" | "big" } | null;
  /** Why a file with an executable's magic opened as an artifact, or null. */
  readonly note: string | null;
  /** Root directory of an application bundle, or null. */
  readonly bundle_root: string | null;
}

export interface CapabilityEffects {
  readonly mutates_artifact: boolean;
  readonly launches_process: boolean;
  readonly may_show_ui: boolean;
  readonly may_access_network: boolean;
  readonly may_write_filesystem: boolean;
}

/** What a provider says of one operation it declares. */
export interface CapabilityDescriptor {
  readonly operation: DeepOperationName;
  readonly input_contract_version: number;
  readonly output_contract_version: number;
  readonly pagination: "none" | "offset" | "cursor";
  readonly exhaustive: boolean;
  readonly effects: CapabilityEffects;
  readonly limits: {
    readonly max_results: number | null;
    readonly max_payload_bytes: number | null;
    readonly timeout_ms: number | null;
  };
  readonly limitations: readonly string[];
  readonly available: boolean;
  readonly reason: string | null;
  readonly availability_code: string | null;
}

/** What a client answers with; the host adds subject and provenance. */
export interface ClientAnswer {
  readonly result: unknown;
  readonly confidence: Execution<unknown>["confidence"];
  readonly limitations: readonly string[];
  readonly locations: Execution<unknown>["locations"];
  readonly raw_result: Execution<unknown>["raw_result"];
  readonly resolved_parameters: JsonObject;
  readonly wholes?: Execution<unknown>["wholes"];
  /** Digest of a directory's content, found while it was read. */
  readonly subject_sha256?: string | null;
}

export interface ClientActivity {
  readonly active: {
    readonly request_id: string;
    readonly operation: string;
    readonly elapsed_ms: number;
    readonly timeout_ms: number | null;
    readonly caller_state: "waiting" | "timed_out" | "cancelled";
  } | null;
  readonly queued_requests: number;
}

/** Resources a close could not release; empty when everything was. */
export interface CloseOutcome {
  readonly remaining: readonly { readonly kind: string; readonly detail: string }[];
}

/** A running analysis of one target under one profile. */
export interface AnalysisClient {
  execute<N extends DeepOperationName>(
    operation: N,
    params: OperationParams<N>,
    context: OperationContext,
  ): Promise<ClientAnswer>;
  /** Null for engines without a process of their own. */
  runtimeLineage(): JsonObject | null;
  activity(): ClientActivity;
  /**
   * Whether its engine can be asked at the moment; left out by clients that need none. After a call that failed, a client
   * whose engine is gone is closed and the next call gets a fresh one.
   */
  alive?(): boolean;
  /** Ends a start that is under way first. Safe to call twice; what an earlier call left is tried again. */
  close(): Promise<CloseOutcome>;
}

export interface AnalysisProvider {
  /** True for `rea-native`: the fallback that is bound when no external engine is. */
  readonly embedded: boolean;
  /** `version` null until the profile is resolved. */
  identity(): ProviderIdentity;
  capabilities(): readonly CapabilityDescriptor[];
  /** Synchronous, bounded, starts no process. */
  inspectAvailability(): ProviderAvailability;
  inspectTargetSupport(target: Target): TargetSupport;
  /**
   * Parameters that every answer about the target carries whatever was asked, such as `annotations_sha256`; found
   * without starting a client, and again before each call. Left out by providers that have none.
   */
  standingParameters?(target: Target): JsonObject;
  resolveAnalysisProfile(target: Target, options: { readonly signal: AbortSignal }): Promise<AnalysisProfile>;
  createClient(target: Target, profile: AnalysisProfile, options: { readonly runId: string }): Promise<AnalysisClient>;
}

/** Keeps the parameter and result types of an operation together for adapters. */
export type OperationHandler<N extends DeepOperationName> = (
  params: OperationParams<N>,
  context: OperationContext,
) => OperationResult<N> | Promise<OperationResult<N>>;
