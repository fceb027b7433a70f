/** What the package offers of operations and of what tools answer: their schemas and types. */
export {
  deepOperationNames,
  deepOperations,
  isDeepOperation,
  isShownOperation,
  isOperation,
  operations,
  type BinaryOperationName,
  type DeepOperationName,
  type OperationName,
  type OperationParams,
  type OperationResult,
  type StaticOperationName,
} from "./index.js";
export { addressInput, addressValue, documentInput, pageInput, procedureInput } from "./values.js";
export {
  procedureSources,
  referenceKinds,
  stringEncodings,
  type ProcedureSource,
  type ReferenceKind,
} from "./direct.js";
export { functionCollections, type FunctionCollection } from "./analyze-function.js";
export { nativeTypeKinds, valueEdgeKinds, valueFrontierReasons, valueNodeKinds } from "./native-values.js";
export { nativeApiResult, type NativeApi, type NativeJumpTable } from "./native-api.js";
export { artifactComparisonSchema, artifactGraphSchema } from "./artifact.js";
export { binaryFacets, mitigationNames, pathInput, type BinaryFacet } from "./binary-format.js";
export type {
  DispatchItem,
  ObjcClassItem,
  ObjcProtocolItem,
  SwiftTypeItem,
} from "./dispatch-metadata.js";
export {
  captureSignals,
  reactiveEventKinds,
  reactiveRunSchema,
  reactiveScenarioSchema,
  type ReactiveAction,
  type ReactivePredicate,
  type ReactiveRecord,
  type ReactiveRun,
  type ReactiveScenario,
  type ReactiveTransition,
} from "./process-capture-reactive.js";
export {
  protocolEventSchema,
  replayHttpSchema,
  replayOutcomes,
  replayTransitionSchema,
  replayWebSocketSchema,
  type ProtocolEvent,
  type ReplayHttpScript,
  type ReplayTransition,
  type ReplayWebSocketScript,
} from "./process-capture-replay.js";
export {
  processScenarioSchema,
  reservedVariables,
  type CaptureLimits,
  type CaptureNormalization,
  type ProcessScenario,
  type ScenarioCheckpoint,
  type ScenarioEvent,
  type ShimRoute,
} from "./process-capture-scenario.js";
export {
  syscallKinds,
  type CaptureFrame,
  type EntryFacts,
  type FilesystemCheckpoint,
  type FilesystemEffect,
  type InteractionEvent,
  type ProcessSample,
  type RenderedFrame,
  type SampledProcess,
  type ShimEvent,
  type SyscallEvent,
} from "./process-capture-events.js";
export { processCaptureSummarySchema, type ProcessCaptureSummary } from "./process-capture-summary.js";
export {
  captureDimensions,
  journalCollections,
  processCapturePredicate,
  processCaptureSchema,
  type CaptureCleanup,
  type CaptureDimension,
  type CaptureExit,
  type CaptureManifest,
  type CaptureSettlement,
  type ComparisonContract,
  type JournalCollection,
  type JournalEntry,
  type ProcessCapture,
} from "./process-capture.js";
export {
  replayMachineEventsSchema,
  replayMachineRunSchema,
  type ReplayLimitName,
  type ReplayMachineEvent,
  type ReplayMachineRun,
  type ReplayOutcome,
} from "./replay-machine-run.js";
export type {
  ReplayMachineAction,
  ReplayMachineCapture,
  ReplayMachineDefinition,
  ReplayMachineGuard,
  ReplayMachineLimits,
  ReplayMachineTransition,
  ReplayPart,
  ReplayTrigger,
} from "./replay-machine-shape.js";
export { replayMachineSchema } from "./replay-machine.js";
export { headersOf } from "./replay-text.js";
export {
  comparedFacts,
  providerComparisonSchema,
  type ComparedFact,
  type ComparedProvider,
  type ProviderAgreement,
  type ProviderComparison,
  type ProviderContradiction,
  type SingleSourceFact,
} from "./provider-comparison.js";
export {
  processComparisonSchema,
  type ComparedDimension,
  type CaptureDifferences,
  type ProcessComparison,
  type ProcessDifference,
  type TraceSide,
  type TraceViolation,
} from "./process-comparison.js";
export {
  traceSpecificationSchema,
  type TraceEvent,
  type TraceSource,
  type TraceSpecification,
} from "./trace-specification.js";
export * from "./web.js";
export {
  browserScenarioSchema,
  scenarioEventKinds,
  scenarioStart,
  scenarioStates,
  type BrowserAction,
  type BrowserScenario,
  type RequestReplay,
  type ScenarioEnvironment,
  type ScenarioEventKind,
  type ScenarioLimits,
  type ScenarioState,
  type StorageSeed,
} from "./browser-scenario.js";
export {
  browserScenarioCaptureSchema,
  browserScenarioPredicate,
  browserScenarioSummarySchema,
  scenarioCleanupSchema,
  scenarioEventSchema,
  stepFailures,
  type BrowserScenarioCapture,
  type BrowserScenarioEvent,
  type BrowserScenarioSummary,
  type ScenarioCleanup,
  type ScenarioHeader,
  type ScenarioRequest,
  type ScenarioScreenshot,
  type ScenarioStep,
  type StepFailure,
} from "./browser-scenario-capture.js";
export {
  electronCoverageStates,
  electronEventKinds,
  electronEventSchema,
  electronScenarioCaptureSchema,
  electronScenarioPredicate,
  electronScenarioSchema,
  electronScenarioSummarySchema,
  type ElectronAction,
  type ElectronActionResult,
  type ElectronCoverageState,
  type ElectronEvent,
  type ElectronEventKind,
  type ElectronScenario,
  type ElectronScenarioCapture,
  type ElectronScenarioSummary,
} from "./electron-scenario.js";
export {
  compareWebCapturesInput,
  webComparisonSchema,
  webDimensions,
  webNormalizationKinds,
  webUnknownReasons,
  type CompareWebCapturesInput,
  type WebChange,
  type WebComparison,
  type WebComparisonStatus,
  type WebDifferences,
  type WebDimension,
  type WebDimensionFinding,
  type WebNormalizationKind,
  type WebNormalizationRule,
} from "./web-comparison.js";
export {
  colorAspects,
  compareWebScreenshotsInput,
  screenshotComparisonSchema,
  type CompareWebScreenshotsInput,
  type ScreenshotComparison,
  type ScreenshotDifferences,
} from "./screenshot-comparison.js";
export {
  comparisonStatuses,
  functionComparisonSchema,
  functionDimensions,
  type ComparedFunctionDimension,
  type ComparisonStatus,
  type FunctionChange,
  type FunctionComparison,
  type FunctionDimension,
} from "./function-comparison.js";
export { changedBehaviorSchema, type BehaviorFinding, type ChangedBehavior } from "./changed-behavior.js";
export { callPathSchema, type CallPath } from "./call-path.js";
export { correlationMappingSchema, correlationSchema, type Correlation, type CorrelationMapping } from "./correlation.js";
export {
  reconstructionSpecificationSchema,
  reconstructionVerificationSchema,
  type ClaimVerdict,
  type ReconstructionClaim,
  type ReconstructionSpecification,
  type ReconstructionVerification,
} from "./reconstruction.js";
export { bundleComparisonSchema, type BundleChange, type BundleComparison } from "./bundle-comparison.js";
export { applicationFormats, applicationLists, type ApplicationAnalysis, type ApplicationFormat, type ApplicationList } from "./javascript-application.js";
export {
  applicationEdgeIdOf,
  applicationNodeIdOf,
  applicationObservationIdOf,
  brokenGraphRule,
  parseApplicationGraph,
  sealApplicationGraph,
  type ApplicationGraphContent,
  type NodeIdentity,
} from "./javascript-graph.js";
export {
  applicationEdgeSchema,
  applicationGraphSchema,
  applicationNodeSchema,
  type ApplicationEdge,
  type ApplicationGraph,
  type ApplicationNode,
  type ApplicationObservation,
  type ArtifactReference,
  type SourceLocation,
} from "./javascript-graph-schema.js";
export {
  functionFingerprintSchema,
  semanticCertainties,
  semanticEdgeColumns,
  semanticGraphSchema,
  semanticNodeColumns,
  semanticNodeIdOf,
  semanticNodeSchema,
  semanticReasons,
  SemanticRows,
  type FunctionFingerprint,
  type SemanticGraph,
  type SemanticLink,
  type SemanticNode,
  type SemanticReason,
  type SemanticRow,
} from "./javascript-semantics.js";
export { applicationSummarySchema, type ApplicationStatistics, type ApplicationSummary, type ApplicationUnknown, type Citation } from "./javascript-summary.js";
export {
  applicationAuthorities,
  applicationNodeKinds,
  applicationRelations,
  concludingAuthorities,
  semanticNodeKinds,
  semanticRelationGroups,
  semanticRelations,
  type ApplicationAuthority,
  type ApplicationNodeKind,
  type ApplicationRelation,
  type IdentityStrategy,
  type ObservationConfidence,
  type ObservationState,
  type SemanticNodeKind,
  type SemanticRelation,
} from "./javascript-words.js";
export type { NativeFingerprint } from "./fingerprints.js";
export { binaryComparisonSchema, type BinaryComparison, type FunctionPlace } from "./binary-comparison.js";
