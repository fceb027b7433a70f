export { analyzeProgram } from "./analysis/analyze-program.js";
export { clearCache, reportCache, type CacheReport, type KeptAnalysis } from "./cache/cache-report.js";
export { standardCacheBytes, type AnalysisCacheSettings } from "./cache/cache-settings.js";
export { adoptThread } from "./engine-pool.js";
export { startForExecutable, type EngineThread } from "./engine-thread.js";
export { createNativeProvider, type NativeProviderOptions } from "./native-provider.js";
export { createStaticPort, type StaticOperation, type StaticPort } from "./static-port.js";
export type { Program } from "./program.js";
