export { z } from "./z.js";
export { address, formatAddress, parseAddress, type Address } from "./address.js";
export { emptySha256, sha256Hex } from "./digest.js";
export { errorTable, type ErrorCategory, type ErrorCode } from "./error-table.js";
export {
  isAbort,
  isReaError,
  reaErrorFromObject,
  ReaError,
  throwIfAborted,
  toReaError,
  type ArtifactReason,
  type ErrorDetails,
  type ErrorDetailValue,
  type ErrorObject,
  type EvidenceReason,
  type InputIssue,
  type TargetReason,
} from "./errors.js";
export { isJsonObject, type JsonObject, type JsonValue } from "./json.js";
export { jsonObject, jsonValue } from "./json-schemas.js";
export {
  collectionSchema,
  coverageOf,
  coverageSchema,
  facetSchema,
  omission,
  omissionReasons,
  omissionSchema,
  pageOf,
  pageSchema,
  type Coverage,
  type Facet,
  type Omission,
  type OmissionReason,
  type Page,
} from "./coverage.js";
export { ByteReader, checkRange, memorySource, sourceSlice, type ByteSource } from "./byte-reader.js";
export {
  deepOperationNames,
  deepOperations,
  isDeepOperation,
  isOperation,
  operations,
  type BinaryOperationName,
  type DeepOperationName,
  type OperationName,
  type OperationParams,
  type OperationResult,
  type StaticOperationName,
} from "./operations/index.js";
export { addressInput, addressValue, documentInput, pageInput, procedureInput } from "./operations/values.js";
export {
  procedureSources,
  referenceKinds,
  stringEncodings,
  type ProcedureSource,
  type ReferenceKind,
} from "./operations/direct.js";
export { functionCollections, type FunctionCollection } from "./operations/analyze-function.js";
export { nativeApiResult, type NativeApi, type NativeJumpTable } from "./operations/native-api.js";
export { artifactComparisonSchema, artifactGraphSchema } from "./operations/artifact.js";
export { binaryFacets, mitigationNames, pathInput, type BinaryFacet } from "./operations/binary-format.js";
export type { BinariesPort, BundlesPort, UnknownFilter, UnknownsPort } from "./comparison-ports.js";
export type { Execution, OperationContext, RetainedWhole } from "./execution.js";
export { artifactDocumentFormats } from "./ports.js";
export type {
  ApplicationsPort,
  ArtifactDocumentFormat,
  MemberDifference,
  ArtifactsPort,
  CapabilityName,
  CapabilityPorts,
  CapturesPort,
  CloseTargetInput,
  EvidencePort,
  HostFeature,
  HostProgramProvenance,
  HostProgramsPort,
  JobsPort,
  JobView,
  LedgerPort,
  OpenTargetInput,
  OperationPort,
  OperationPorts,
  ProcessesPort,
  ReplayPort,
  SessionExpectations,
  SessionPort,
  SwiftDemangling,
} from "./ports.js";
export {
  analysisProfileSchema,
  createAnalysisProfile,
  parseAnalysisProfile,
  providerIdentitySchema,
  sha256Schema,
  type AnalysisProfile,
  type ProviderIdentity,
} from "./analysis-profile.js";
export { canonicalDigestOfWhole, canonicalJson, canonicalSha256, digestOfChunks } from "./canonical-json.js";
export { checkedJson } from "./checked-json.js";
export { compareCodePoints, sortedSet } from "./code-point-order.js";
export { evidenceRefusal } from "./evidence-refusal.js";
export {
  evidenceIdSchema,
  evidenceLocationSchema,
  evidenceSchema,
  identityUnavailable,
  subjectSchema,
  type Environment,
  type Evidence,
  type EvidenceLocation,
  type Subject,
} from "./evidence-schema.js";
export {
  architectures,
  authorities,
  confidenceLevels,
  isolations,
  meetsConfidence,
  subjectFormats,
  unknownMutationPredicate,
  weakestConfidence,
  type Architecture,
  type Authority,
  type Confidence,
  type SubjectFormat,
} from "./evidence-words.js";
export {
  createEvidence,
  evidenceInput,
  isEvidenceReference,
  parseEvidence,
  type EvidenceDraft,
  type EvidenceInput,
} from "./evidence.js";
export {
  createProgress,
  silentProgress,
  type ProgressController,
  type ProgressEnd,
  type ProgressReporter,
  type ProgressUpdate,
} from "./progress.js";
export { escapeBytes, type DeclaredEncoding } from "./untrusted-bytes.js";
export { escapeUntrusted, truncateCodePoints, unescapeUntrusted, type EscapeOptions } from "./untrusted-text.js";
export { bundleChunks, createBundle, parseBundle, serializeBundle, type BundleParts, type BundleSource } from "./bundle.js";
export { BundleReader, type BundleLimits, type BundleReaderOptions, type BundleSummary } from "./bundle-reader.js";
export { bundleWholeSchema, wholeKinds, type BundleWhole, type EvidenceBundle, type WholeKind } from "./bundle-schema.js";
export { parseStrictJson, type StrictJsonOptions } from "./strict-json.js";
export { brokenResolutionRule, checkUnknownGraph, evidenceFacts, type EvidenceFacts } from "./unknown-graph.js";
export {
  brokenStateRules,
  firstUnknownRevision,
  nextUnknownRevision,
  parseUnknownRevision,
  unknownIdOf,
  unknownIdSchema,
  unknownRelationshipTypes,
  unknownRevisionSchema,
  unknownSortKey,
  unknownSeverities,
  unknownStatuses,
  type UnknownQuestion,
  type UnknownRevision,
  type UnknownState,
} from "./unknown-revision.js";
export { swiftNominalSymbol, swiftTypeText, type SwiftNominal } from "./swift-names.js";
export type {
  DispatchItem,
  ObjcClassItem,
  ObjcProtocolItem,
  SwiftTypeItem,
} from "./operations/dispatch-metadata.js";
export { dispatchPage, objcClassPage, objcProtocolPage, swiftTypeCategories } from "./dispatch/answers.js";
export type { DispatchData } from "./dispatch/dispatch-data.js";
export { dispatchFromSymbols, type SymbolName } from "./dispatch/from-symbols.js";
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
} from "./operations/process-capture-reactive.js";
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
} from "./operations/process-capture-replay.js";
export {
  processScenarioSchema,
  reservedVariables,
  type CaptureLimits,
  type CaptureNormalization,
  type ProcessScenario,
  type ScenarioCheckpoint,
  type ScenarioEvent,
  type ShimRoute,
} from "./operations/process-capture-scenario.js";
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
} from "./operations/process-capture-events.js";
export { processCaptureSummarySchema, type ProcessCaptureSummary } from "./operations/process-capture-summary.js";
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
} from "./operations/process-capture.js";
export {
  replayMachineEventsSchema,
  replayMachineRunSchema,
  type ReplayLimitName,
  type ReplayMachineEvent,
  type ReplayMachineRun,
  type ReplayOutcome,
} from "./operations/replay-machine-run.js";
export type {
  ReplayMachineAction,
  ReplayMachineCapture,
  ReplayMachineDefinition,
  ReplayMachineGuard,
  ReplayMachineLimits,
  ReplayMachineTransition,
  ReplayPart,
  ReplayTrigger,
} from "./operations/replay-machine-shape.js";
export { replayMachineSchema } from "./operations/replay-machine.js";
export { headersOf } from "./operations/replay-text.js";
export {
  processComparisonSchema,
  type ComparedDimension,
  type CaptureDifferences,
  type ProcessComparison,
  type ProcessDifference,
  type TraceSide,
  type TraceViolation,
} from "./operations/process-comparison.js";
export {
  traceSpecificationSchema,
  type TraceEvent,
  type TraceSource,
  type TraceSpecification,
} from "./operations/trace-specification.js";
export { citedRecordSchema, type CitedRecord, type EvidenceOrigin } from "./cited-record.js";
export * from "./operations/web.js";
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
} from "./operations/browser-scenario.js";
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
} from "./operations/browser-scenario-capture.js";
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
} from "./operations/electron-scenario.js";
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
} from "./operations/web-comparison.js";
export {
  colorAspects,
  compareWebScreenshotsInput,
  screenshotComparisonSchema,
  type CompareWebScreenshotsInput,
  type ScreenshotComparison,
  type ScreenshotDifferences,
} from "./operations/screenshot-comparison.js";
export type { ShownWebPage, WebPort } from "./web-port.js";
export type { ScreenshotComparisonInput, ScreenshotSource, WebComparisonsPort } from "./web-comparison-port.js";
export type { WebScenariosPort } from "./web-scenario-port.js";
export type {
  ScriptFact,
  ScriptHint,
  ScriptPart,
  ScriptReader,
  ScriptReading,
  SourceMapReading,
  TextRange,
} from "./script-reading.js";
export {
  comparisonStatuses,
  functionComparisonSchema,
  functionDimensions,
  type ComparedFunctionDimension,
  type ComparisonStatus,
  type FunctionChange,
  type FunctionComparison,
  type FunctionDimension,
} from "./operations/function-comparison.js";
export { changedBehaviorSchema, type BehaviorFinding, type ChangedBehavior } from "./operations/changed-behavior.js";
export { callPathSchema, type CallPath } from "./operations/call-path.js";
export { correlationMappingSchema, correlationSchema, type Correlation, type CorrelationMapping } from "./operations/correlation.js";
export {
  reconstructionSpecificationSchema,
  reconstructionVerificationSchema,
  type ClaimVerdict,
  type ReconstructionClaim,
  type ReconstructionSpecification,
  type ReconstructionVerification,
} from "./operations/reconstruction.js";
export { bundleComparisonSchema, type BundleChange, type BundleComparison } from "./operations/bundle-comparison.js";
export { applicationFormats, applicationLists, type ApplicationAnalysis, type ApplicationFormat, type ApplicationList } from "./operations/javascript-application.js";
export {
  applicationEdgeIdOf,
  applicationNodeIdOf,
  applicationObservationIdOf,
  brokenGraphRule,
  parseApplicationGraph,
  sealApplicationGraph,
  type ApplicationGraphContent,
  type NodeIdentity,
} from "./operations/javascript-graph.js";
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
} from "./operations/javascript-graph-schema.js";
export {
  semanticGraphSchema,
  type FunctionFingerprint,
  type SemanticEdge,
  type SemanticGraph,
  type SemanticNode,
} from "./operations/javascript-semantics.js";
export {
  applicationSummarySchema,
  type ApplicationStatistics,
  type ApplicationSummary,
  type ApplicationUnknown,
  type Citation,
} from "./operations/javascript-summary.js";
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
} from "./operations/javascript-words.js";
export type { NativeFingerprint } from "./operations/fingerprints.js";
export { binaryComparisonSchema, type BinaryComparison, type FunctionPlace } from "./operations/binary-comparison.js";
export type { ApplicationSearch, ApplicationSearchHit, RecoveredSources } from "./application-reading.js";
