export * from "./provider.js";
export { createProviderRegistry, type ProviderRegistry } from "./registry.js";
export { chooseSelector, parseProviderSelector, type ChosenSelector, type ProviderSelector } from "./selector.js";
export {
  candidateIds,
  inspectCandidates,
  rejectionOf,
  resolveProfiles,
  type Candidate,
  type ProfileOutcome,
  type Rejection,
  type RejectionCode,
} from "./candidates.js";
export {
  selectProvider,
  selectionError,
  type AnalysisProviderBinding,
  type Selection,
  type SelectionReason,
  type SelectionSource,
} from "./select-provider.js";
export { checkAnswer, executeDeep, type CheckedAnswer, type DeepExecution } from "./execute-deep.js";
export { operationPorts, parseOperationResult, staticOperationNames, type DeepCall, type StaticCall } from "./operation-ports.js";
export { answerOrFacet, availableFacet, listingNotAsked, noBody, pseudocodePage, unavailableFacet } from "./bridge/dossier-facets.js";
export { ambiguousProcedure, bridgeRefusal, refusedInput, refusedPattern, unknownProcedure, type BridgeRefusal } from "./bridge/procedure-refusals.js";
