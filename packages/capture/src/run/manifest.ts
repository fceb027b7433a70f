import {
  canonicalJson,
  escapeUntrusted,
  isJsonObject,
  type CaptureManifest,
  type ComparisonContract,
  type JsonObject,
  type JsonValue,
  type ProcessScenario,
} from "@rea/core";

/** What must be equal for two captures to be compared. */
export function comparisonContract(scenario: ProcessScenario, filesystemRoots: number): ComparisonContract {
  const { terminal, normalization, limits, settle_ms, isolation, trace } = scenario;
  return {
    version: 1,
    terminal: { ...terminal },
    normalization: { ...normalization, patterns: normalization.patterns.map((pattern) => ({ ...pattern })) },
    limits: { ...limits },
    settle_ms,
    isolation,
    trace,
    filesystem_roots: filesystemRoots,
  };
}

export interface RecordedFacts {
  readonly hide: (text: string) => string;
  readonly executableSha256: string;
  /** Digests of what the paths of the scenario held, by path; null for what was not walked. */
  readonly digestOf: (path: string) => string | null;
}

/** The scenario as it may be shown: no secrets, no sensitive input, and digests for the paths that were inputs. */
export function recordedScenario(scenario: ProcessScenario, { hide, executableSha256, digestOf }: RecordedFacts): JsonObject {
  const { working_directory, filesystem_observation_paths, secrets, events, reactive, ...rest } = scenario;
  const reduced = {
    ...rest,
    executable: { sha256: executableSha256 },
    working_directory: working_directory === undefined ? null : { sha256: digestOf(working_directory) },
    filesystem_observation_paths: filesystem_observation_paths.map((path) => ({ sha256: digestOf(path) })),
    secrets: secrets.map(({ name }) => ({ name })),
    events: events.map((event) => (event.kind === "input" && event.sensitive ? { ...event, data: null, bytes: Buffer.byteLength(event.data) } : event)),
    ...(reactive === undefined ? {} : { reactive: withoutSensitive(reactive) }),
  };
  return shown(reduced, hide);
}

/** JSON of our own making, with what may have come from elsewhere hidden and escaped. */
export function shown(value: object, hide: (text: string) => string): JsonObject {
  const made = show(plainJson(value), hide);
  return isJsonObject(made) ? made : {};
}

/** The JSON of a value of our own making. */
export function plainJson(value: object): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJson(plain) && isJsonObject(plain) ? plain : {};
}

function withoutSensitive(reactive: NonNullable<ProcessScenario["reactive"]>): object {
  return {
    ...reactive,
    transitions: reactive.transitions.map((transition) => ({
      ...transition,
      actions: transition.actions.map((action) =>
        action.kind === "send_input" && action.sensitive ? { ...action, data: null, bytes: Buffer.byteLength(action.data) } : action,
      ),
    })),
  };
}

function show(value: JsonValue, hide: (text: string) => string): JsonValue {
  if (typeof value === "string") return escapeUntrusted(hide(value));
  if (Array.isArray(value)) return value.map((item: JsonValue) => show(item, hide));
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, show(item, hide)]));
  return value;
}

function isJson(value: unknown): value is JsonValue {
  return canonicalJson(value) !== "";
}

export function platformFacts(): Pick<CaptureManifest, "platform" | "architecture" | "terminal_backend"> {
  return { platform: process.platform, architecture: process.arch, terminal_backend: "pseudo-terminal (node-pty 1.1.0), setsid" };
}
