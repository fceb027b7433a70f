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
export { collectionSchema, coverageSchema, facetSchema, omissionSchema, pageSchema, type Facet } from "./coverage.js";
export { coverageOf, omission, omissionReasons, type Coverage, type Omission, type OmissionReason } from "./omission.js";
export { pageOf, type Page } from "./page.js";
export { ByteReader, checkRange, memorySource, sourceSlice, type ByteSource } from "./byte-reader.js";
export type { BinariesPort, BundlesPort, ProvidersPort, UnknownFilter, UnknownsPort } from "./comparison-ports.js";
export type { Execution, OperationContext, RetainedWhole } from "./execution.js";
export { artifactDocumentFormats, type ArtifactDocumentFormat, type ArtifactsPort, type MemberDifference, type PackedMembers } from "./artifacts-port.js";
export type {
  ApplicationsPort,
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
  archiveFormats,
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
export { dispatchPage, objcClassPage, objcProtocolPage, swiftTypeCategories } from "./dispatch/answers.js";
export type { DispatchData } from "./dispatch/dispatch-data.js";
export { dispatchFromSymbols, type SymbolName } from "./dispatch/from-symbols.js";
export { fittingPageOf } from "./fitting-page.js";
export { citedRecordSchema, type CitedRecord, type EvidenceOrigin } from "./cited-record.js";
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
export { applicationGraphIn, semanticGraphIn, type ApplicationGraphsPort, type ApplicationGraphTexts } from "./application-graphs-port.js";
export type {
  ApplicationWorkflowsPort,
  ExportSide,
  RuntimeLayer,
  SourceComparisonRequest,
  VersionComparisonRequest,
  WorkflowApplication,
} from "./application-workflows-port.js";
export type { ApplicationSearch, ApplicationSearchHit, RecoveredSources } from "./application-reading.js";
export * from "./operations/application-workflows.js";
export type { ApplicationTracesPort, FeatureTraceRequest, SemanticTraceRequest, TracedApplication } from "./application-traces-port.js";
export * from "./operations/javascript-traces.js";
export * from "./operations/shapes.js";
