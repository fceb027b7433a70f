/** What is seen of browsers, Electron pages and V8 runtimes. */
export { electronPageCaptureSchema, electronPageSummarySchema, localPathSchema, type ElectronPageCapture, type ElectronPageSummary, type LocalPath } from "./electron-page.js";
export {
  runtimeCaptureSchema,
  runtimeContextSchema,
  runtimeEventSchema,
  runtimeKinds,
  runtimeLimits,
  runtimeLimitsSchema,
  runtimeScriptSchema,
  runtimeSummarySchema,
  type RuntimeCapture,
  type RuntimeContext,
  type RuntimeEvent,
  type RuntimeKind,
  type RuntimeLimits,
  type RuntimeScript,
  type RuntimeSummary,
} from "./javascript-runtime.js";
export {
  webAnalysisLimits,
  webAnalysisLimitsSchema,
  webBundleAnalysisSchema,
  webBundleSummarySchema,
  webChunkSchema,
  webFindingSchema,
  webInferenceSchema,
  webSourceMapSchema,
  type WebAnalysisLimits,
  type WebBundleAnalysis,
  type WebBundleSummary,
} from "./web-bundle.js";
export {
  webIncludes,
  webLimitsSchema,
  webPageCaptureSchema,
  webPageLimits,
  webPagePredicate,
  webPageSummarySchema,
  type WebInclude,
  type WebLimits,
  type WebPageCapture,
  type WebPageSummary,
} from "./web-page.js";
export * from "./web-inputs.js";
export * from "./web-page-items.js";
export { webScreenshotSchema, type WebScreenshot } from "./web-screenshot.js";
export { runtimeTargetListSchema, webTargetListSchema, type RuntimeTargetList, type WebTargetList } from "./web-targets.js";
export { webTimelineCaptureSchema, webTimelineEventSchema, webTimelineSummarySchema, type WebTimelineCapture, type WebTimelineEvent, type WebTimelineSummary } from "./web-timeline.js";
export * from "./web-words.js";
