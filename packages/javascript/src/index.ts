export { createScriptReader, type OwnedScriptReader } from "./reader/script-reader.js";
export { analyzeApplication, recoverApplicationSources, searchInApplication } from "./application/analyzer.js";
export type { AnalysisRequest } from "./application/analysis-request.js";
export type { AnalyzedApplication } from "./application/analyze-here.js";
export type { FactCacheSettings } from "./cache/fact-cache.js";
