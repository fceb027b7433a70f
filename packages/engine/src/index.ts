export { analyzeProgram } from "./analysis/analyze-program.js";
export type { AnalysisCacheSettings } from "./cache/cache-settings.js";
export { createNativeProvider, type NativeProviderOptions } from "./native-provider.js";
export { createStaticPort, type StaticOperation, type StaticPort } from "./static-port.js";
export type { Program } from "./program.js";
