export { createScriptReader, type OwnedScriptReader } from "./reader/script-reader.js";
export { analyzeApplication, recoverApplicationSources, searchInApplication, traceFeatureInThread, traceSemanticsInThread, workInThread } from "./application/analyzer.js";
export type { AnalysisRequest } from "./application/analysis-request.js";
export type { AnalyzedApplication } from "./application/analyze-here.js";
export type { FactCacheSettings } from "./cache/fact-cache.js";
export { parseSecretPatterns } from "./reference/secret-patterns.js";
export type { GivenApplication, ProducedGraph } from "./workflows/run-workflow.js";
export type { ObservedScript, RuntimeObservation } from "./workflows/runtime/match-scripts.js";
