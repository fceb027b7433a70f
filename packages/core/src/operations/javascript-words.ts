/** Kinds of nodes of an application graph. */
export const applicationNodeKinds = [
  "package",
  "installer",
  "artifact",
  "asar-entry",
  "electron-main",
  "electron-preload",
  "electron-renderer",
  "electron-utility",
  "javascript-asset",
  "javascript-chunk",
  "javascript-module",
  "source-map",
  "source-module",
  "browser-window",
  "frame",
  "target",
  "context-bridge-api",
  "ipc-channel",
  "ipc-handler",
  "worker",
  "service-worker",
  "endpoint",
  "storage",
  "native-addon",
  "native-export",
  "managed-assembly",
  "runtime-script-instance",
  "unknown",
] as const;
export type ApplicationNodeKind = (typeof applicationNodeKinds)[number];

export const applicationRelations = [
  "contains",
  "loads",
  "imports",
  "maps_to",
  "exposes",
  "sends",
  "invokes",
  "handles",
  "calls",
  "persists_to",
  "observed_as",
  "changed_from",
] as const;
export type ApplicationRelation = (typeof applicationRelations)[number];

/** What a node's identity rests on. */
export const identityStrategies = [
  "content-digest",
  "source-map-original",
  "canonical-path",
  "artifact-local-key",
  "structural-fingerprint",
  "runtime-instance",
  "observation-fingerprint",
] as const;
export type IdentityStrategy = (typeof identityStrategies)[number];

/** What stands behind an observation or edge. */
export const applicationAuthorities = [
  "artifact-bytes",
  "ast-static-analysis",
  "static-relationship-inference",
  "passive-cdp-runtime",
  "cross-layer-reconciliation",
  "cross-version-comparison",
  "controlled-replay",
  "native-analysis-provider",
  "managed-static-analysis",
  "historical-reference",
  "user-assertion",
  "unknown",
] as const;
export type ApplicationAuthority = (typeof applicationAuthorities)[number];

export const observationStates = ["observed", "inferred", "unknown", "unavailable"] as const;
export type ObservationState = (typeof observationStates)[number];

export const observationConfidences = ["exact", "high", "medium", "low", "unknown"] as const;
export type ObservationConfidence = (typeof observationConfidences)[number];

/** Authorities whose findings are conclusions: never `observed`. */
export const concludingAuthorities: ReadonlySet<ApplicationAuthority> = new Set(["static-relationship-inference", "cross-layer-reconciliation", "cross-version-comparison"]);

/** Kinds of nodes of a semantic graph. */
export const semanticNodeKinds = ["function", "parameter", "binding", "call-site", "literal", "request", "resource", "timer", "process", "configuration-read", "unknown"] as const;
export type SemanticNodeKind = (typeof semanticNodeKinds)[number];

/** Relations of a semantic graph, by group. */
export const semanticRelationGroups = {
  data: ["defines", "reads", "writes", "captures", "aliases", "aggregates", "parses", "coerces", "validates", "consumed-by", "initializes", "destructures", "returns", "throws", "yields", "compares"],
  calls: ["calls", "constructs", "argument-to-parameter", "returns-to-call", "awaits", "chains", "passes-callback"],
  events: ["registers", "removes", "dispatches", "schedules-timer", "cancels-timer"],
  processes: ["spawns", "connects-stdio", "constructs-request", "sends-message"],
  configuration: ["reads-environment", "reads-argv", "reads-config"],
  ownership: ["owns", "acquires", "releases", "contains"],
} as const;
export const semanticRelations = [
  ...semanticRelationGroups.data,
  ...semanticRelationGroups.calls,
  ...semanticRelationGroups.events,
  ...semanticRelationGroups.processes,
  ...semanticRelationGroups.configuration,
  ...semanticRelationGroups.ownership,
] as const;
export type SemanticRelation = (typeof semanticRelations)[number];
