import {
  createAnalysisProfile,
  isDeepOperation,
  ReaError,
  throwIfAborted,
  type DeepOperationName,
  type JsonObject,
  type OperationContext,
} from "@rea/core";
import type {
  AnalysisClient,
  AnalysisProvider,
  CapabilityDescriptor,
  ClientAnswer,
  CloseOutcome,
  ProviderAvailability,
  Target,
  TargetSupport,
} from "@rea/provider";

/** What a fake client answers to one operation: the result, or an error to throw. */
export type FakeAnswer = (params: unknown, context: OperationContext) => unknown;

export interface FakeProviderOptions {
  readonly id: string;
  readonly embedded?: boolean;
  /** Null makes the version unresolvable. */
  readonly version?: string | null;
  readonly availability?: ProviderAvailability | (() => ProviderAvailability);
  readonly support?: TargetSupport | ((target: Target) => TargetSupport);
  /** By operation; their names are the declared capabilities. */
  readonly answers?: { readonly [N in DeepOperationName]?: FakeAnswer };
  readonly profileParameters?: JsonObject;
  /** Thrown by `createClient`. */
  readonly startError?: unknown;
  /** Waits for it before each answer. */
  readonly gate?: () => Promise<void>;
  /** What `close` says remains, call by call; nothing when the list is over. */
  readonly remaining?: readonly CloseOutcome["remaining"][];
  readonly lineage?: JsonObject;
  /** What a client says of its engine; left out: it says nothing. */
  readonly alive?: () => boolean;
}

/** A deep provider that does as told and remembers what was asked of it. */
export interface FakeProvider extends AnalysisProvider {
  /** Run ids of the clients created so far. */
  readonly started: readonly string[];
  /** Operations executed so far. */
  readonly executed: readonly DeepOperationName[];
  readonly closedClients: number;
}

export const fakeAvailable: ProviderAvailability = { status: "available", diagnostics: {} };
export const fakeUnavailable: ProviderAvailability = {
  status: "unavailable",
  code: "not_configured",
  reason: "The fake engine is not configured.",
  diagnostics: {},
};
export const fakeSupported: TargetSupport = { status: "supported", diagnostics: {} };
export const fakeUnsupported: TargetSupport = {
  status: "unsupported",
  code: "target_format_unsupported",
  reason: "The fake engine does not read this format.",
  diagnostics: {},
};

/** Builds a fake deep provider; by default available, supporting everything and answering nothing. */
export function createFakeProvider(options: FakeProviderOptions): FakeProvider {
  const started: string[] = [];
  const executed: DeepOperationName[] = [];
  const closes = [...(options.remaining ?? [])];
  let closedClients = 0;
  const answers = new Map<string, FakeAnswer>(Object.entries(options.answers ?? {}));
  const name = `Fake ${options.id}`;
  const version = options.version === undefined ? "1" : options.version;

  const client = (): AnalysisClient => {
    let closed = false;
    return {
      async execute(operation, params, context) {
        executed.push(operation);
        await options.gate?.();
        throwIfAborted(context.signal, operation);
        const answer = answers.get(operation);
        if (closed) throw refusal("provider_unavailable", "The client was closed. Open the target again.");
        if (answer === undefined) throw refusal("capability_unavailable", `The fake engine does not offer ${operation}.`);
        return answerWith(await answer(params, context));
      },
      runtimeLineage: () => options.lineage ?? null,
      activity: () => ({ active: null, queued_requests: 0 }),
      ...(options.alive === undefined ? {} : { alive: options.alive }),
      close: () => {
        closed = true;
        closedClients += 1;
        return Promise.resolve({ remaining: closes.shift() ?? [] });
      },
    };
  };

  return {
    embedded: options.embedded ?? false,
    identity: () => ({ id: options.id, name, version: null }),
    capabilities: () => [...answers.keys()].sort().flatMap((operation) => descriptorOf(operation)),
    inspectAvailability: () => valueOf(options.availability ?? fakeAvailable, undefined),
    inspectTargetSupport: (target) => valueOf(options.support ?? fakeSupported, target),
    resolveAnalysisProfile: (_target, { signal }) => {
      throwIfAborted(signal, "resolve_analysis_profile");
      if (version === null) throw new Error("no version");
      return Promise.resolve(
        createAnalysisProfile({
          provider: { id: options.id, name, version },
          provider_profile_schema_version: 1,
          parameters: options.profileParameters ?? {},
        }),
      );
    },
    createClient: (_target, _profile, { runId }) => {
      started.push(runId);
      if (options.startError !== undefined) return Promise.reject(startFailure(options.startError));
      return Promise.resolve(client());
    },
    started,
    executed,
    get closedClients() {
      return closedClients;
    },
  };
}

function startFailure(error: unknown): Error {
  return error instanceof Error
    ? error
    : new ReaError("provider_unavailable", { message: "The fake engine did not start.", details: {} });
}

function refusal(code: "provider_unavailable" | "capability_unavailable", message: string): ReaError {
  return new ReaError<typeof code>(code, { message, details: {} });
}

function answerWith(result: unknown): ClientAnswer {
  return { result, confidence: "observed", limitations: [], locations: [], raw_result: null, resolved_parameters: {} };
}

function valueOf<A, T extends object>(value: T | ((argument: A) => T), argument: A): T {
  return typeof value === "function" ? value(argument) : value;
}

function descriptorOf(operation: string): CapabilityDescriptor[] {
  if (!isDeepOperation(operation)) return [];
  return [
    {
      operation,
      input_contract_version: 1,
      output_contract_version: 1,
      pagination: "none",
      exhaustive: true,
      effects: {
        mutates_artifact: false,
        launches_process: false,
        may_show_ui: false,
        may_access_network: false,
        may_write_filesystem: false,
      },
      limits: { max_results: null, max_payload_bytes: null, timeout_ms: null },
      limitations: [],
      available: true,
      reason: null,
      availability_code: null,
    },
  ];
}
