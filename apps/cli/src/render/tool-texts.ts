import {
  applicationVersionComparisonSchema,
  artifactComparisonSchema,
  binaryComparisonSchema,
  browserScenarioSummarySchema, electronScenarioSummarySchema,
  bundleComparisonSchema,
  electronPageSummarySchema,
  exportShapeComparisonSchema,
  featureTraceSchema,
  operations,
  processCaptureSummarySchema,
  processComparisonSchema,
  providerComparisonSchema,
  reconstructionVerificationSchema,
  replayMachineRunSchema,
  runtimeReconciliationSchema,
  runtimeSummarySchema,
  runtimeTargetListSchema,
  screenshotComparisonSchema,
  semanticTraceSchema,
  sourceComparisonSchema,
  webBundleSummarySchema,
  webComparisonSchema,
  webPageSummarySchema,
  webScreenshotSchema,
  webTargetListSchema,
  webTimelineSummarySchema,
} from "@rea/core";
import { uiTraceResult } from "@rea/tools";
import { exportComparisonText, sourceComparisonText, versionComparisonText } from "./application-comparison-text.js";
import { applicationText } from "./application-text.js";
import { featureTraceText, semanticTraceText } from "./application-trace-text.js";
import { artifactText, extractionText } from "./artifact-text.js";
import { assetCatalogText } from "./asset-catalog-text.js";
import { binaryComparisonText } from "./binary-comparison-text.js";
import { bundleComparisonText } from "./bundle-comparison-text.js";
import { captureText } from "./capture-text.js";
import { comparisonText } from "./comparison-text.js";
import { interfaceText } from "./interface-text.js";
import { keyedArchiveText } from "./keyed-archive-text.js";
import { plistText } from "./plist-text.js";
import { signatureText } from "./signature-text.js";
import { processComparisonText } from "./process-comparison-text.js";
import { replayRunText } from "./replay-run-text.js";
import { reconstructionText } from "./reconstruction-text.js";
import { crossCheckText } from "./cross-check-text.js";
import { runtimeReconciliationText } from "./runtime-reconciliation-text.js";
import { electronScenarioText } from "./electron-scenario-text.js";
import { browserScenarioText } from "./browser-scenario-text.js";
import { webComparisonText } from "./web-comparison-text.js";
import { screenshotComparisonText } from "./screenshot-comparison-text.js";
import type { Style } from "./style.js";
import { uiTraceText } from "./ui-trace-text.js";
import { webBundleText } from "./web-bundle-text.js";
import { electronPageText, runtimeListText, runtimeText, screenshotText, targetListText, timelineText, webPageText } from "./web-page-text.js";

type ToolText = (result: unknown, style: Style) => string;

const webTexts: { readonly [tool: string]: ToolText | undefined } = {
  analyze_web_bundle: (result, style) => webBundleText(webBundleSummarySchema.parse(result), style),
  capture_web_screenshot: (result, style) => screenshotText(webScreenshotSchema.parse(result), style),
  inspect_electron_page: (result, style) => electronPageText(electronPageSummarySchema.parse(result), style),
  inspect_web_page: (result, style) => webPageText(webPageSummarySchema.parse(result), style),
  list_browser_targets: (result, style) => targetListText(webTargetListSchema.parse(result), style),
  list_electron_targets: (result, style) => targetListText(webTargetListSchema.parse(result), style),
  list_javascript_runtime_targets: (result, style) => runtimeListText(runtimeTargetListSchema.parse(result), style),
  observe_javascript_runtime: (result, style) => runtimeText(runtimeSummarySchema.parse(result), style),
  observe_web_session: (result, style) => timelineText(webTimelineSummarySchema.parse(result), style),
};

const texts: { readonly [tool: string]: ToolText | undefined } = {
  analyze_javascript_application: (result, style) => applicationText(operations.analyze_javascript_application.result.parse(result), { path: null, width: 140, style }),
  capture_browser_scenario: (result, style) => browserScenarioText(browserScenarioSummarySchema.parse(result), style),
  ...webTexts,
  capture_electron_scenario: (result, style) => electronScenarioText(electronScenarioSummarySchema.parse(result), style),
  capture_process_scenario: (result, style) => captureText(processCaptureSummarySchema.parse(result), style),
  decode_interface_builder: (result, style) => interfaceText(operations.decode_interface_builder.result.parse(result), style),
  inspect_asset_catalog: (result, style) => assetCatalogText(operations.inspect_asset_catalog.result.parse(result), style),
  inspect_keyed_archive: (result, style) => keyedArchiveText(operations.inspect_keyed_archive.result.parse(result), style),
  trace_application_feature: (result, style) => featureTraceText(featureTraceSchema.parse(result), style),
  trace_javascript_semantics: (result, style) => semanticTraceText(semanticTraceSchema.parse(result), style),
  trace_native_ui_action: (result, style) => uiTraceText(uiTraceResult.parse(result), style),
  inspect_plist: (result, style) => plistText(operations.inspect_plist.result.parse(result), style),
  inspect_artifact: (result, style) => artifactText(operations.inspect_artifact.result.parse(result), style),
  compare_application_versions: (result, style) => versionComparisonText(applicationVersionComparisonSchema.parse(result), style),
  compare_javascript_export_shapes: (result, style) => exportComparisonText(exportShapeComparisonSchema.parse(result), style),
  compare_source_to_bundle: (result, style) => sourceComparisonText(sourceComparisonSchema.parse(result), style),
  reconcile_javascript_runtime: (result, style) => runtimeReconciliationText(runtimeReconciliationSchema.parse(result), style),
  compare_process_captures: (result, style) => processComparisonText(processComparisonSchema.parse(result), style),
  compare_web_captures: (result, style) => webComparisonText(webComparisonSchema.parse(result), style),
  compare_web_screenshots: (result, style) => screenshotComparisonText(screenshotComparisonSchema.parse(result), style),
  run_replay_machine: (result, style) => replayRunText(replayMachineRunSchema.parse(result), style),
  compare_binaries: (result, style) => binaryComparisonText(binaryComparisonSchema.parse(result), undefined, style),
  compare_providers: (result, style) => crossCheckText(providerComparisonSchema.parse(result), 140, style),
  compare_bundles: (result, style) => bundleComparisonText(bundleComparisonSchema.parse(result), style),
  verify_reconstruction: (result, style) => reconstructionText(reconstructionVerificationSchema.parse(result), style),
  compare_artifacts: (result, style) => comparisonText(artifactComparisonSchema.parse(result), style),
  inspect_signature: (result, style) => signatureText(operations.inspect_signature.result.parse(result), style),
  extract_artifact: (result, style) => extractionText(operations.extract_artifact.result.parse(result), style),
};

/** How a tool's result is shown to a person, where fields one a line would not do. */
export function toolText(tool: string): ToolText | undefined {
  return texts[tool];
}
