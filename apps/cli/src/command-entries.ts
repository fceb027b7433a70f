import { toCommandLine } from "@rea/tool";
import { tools } from "@rea/tools";
import { captureBrowserScenarioOptions } from "./commands/capture-browser-scenario.js";
import { captureElectronScenarioOptions } from "./commands/capture-electron-scenario.js";
import { captureProcessOptions } from "./commands/capture-process.js";
import { compareApplicationVersionsOptions, compareJavascriptExportShapesOptions, compareSourceToBundleOptions } from "./commands/compare-applications.js";
import { compareArtifactsOptions } from "./commands/compare-artifacts.js";
import { compareBinariesOptions } from "./commands/compare-binaries.js";
import { crossCheckOptions } from "./commands/cross-check.js";
import { compareOptions } from "./commands/compare.js";
import { verifyReconstructionOptions } from "./commands/verify-reconstruction.js";
import { decompileOptions } from "./commands/decompile.js";
import { evidenceVerifyOptions } from "./commands/evidence-verify.js";
import { doctorOptions } from "./commands/doctor.js";
import { compareProcessCapturesOptions } from "./commands/compare-process-captures.js";
import { compareWebCapturesOptions } from "./commands/compare-web-captures.js";
import { compareWebScreenshotsOptions } from "./commands/compare-web-screenshots.js";
import { packArtifactOptions } from "./commands/pack-artifact.js";
import { importReferenceSourceOptions } from "./commands/import-reference-source.js";
import { reconcileJavascriptRuntimeOptions } from "./commands/reconcile-javascript-runtime.js";
import { recoverSourcesOptions } from "./commands/recover-sources.js";
import { replayTerminalOptions } from "./commands/replay-terminal.js";
import { setupOptions } from "./commands/setup.js";
import { uninstallOptions } from "./commands/uninstall.js";
import { upgradeOptions } from "./commands/upgrade.js";
import { traceApplicationFeatureOptions, traceJavascriptSemanticsOptions } from "./commands/trace-application.js";
import { webOptions } from "./commands/web.js";
import { reportPageOptions } from "./commands/report.js";
import { graphOptions } from "./commands/graph.js";
import { outputOptions, targetOptions } from "./common-options.js";
import { reportOptions } from "./maintenance.js";

/** A command and its options (without dashes): what completion offers and what an error names. */
export interface CommandEntry {
  readonly command: string;
  readonly options: readonly string[];
}

const output = Object.keys(outputOptions);
const common = [...output, ...Object.keys(targetOptions)];

/** Commands of the app itself beside those of the tools. */
const ownCommands: readonly CommandEntry[] = [
  { command: "analyze", options: ["integrity-policy", ...common] },
  { command: "inspect", options: ["detail", "limit", ...common] },
  { command: "search", options: ["mode", "inner-path", "case-sensitive", "limit", "offset", ...common] },
  { command: "decompile", options: [...Object.keys(decompileOptions), ...common] },
  { command: "pack-artifact", options: ["integrity-policy", ...Object.keys(packArtifactOptions)] },
  { command: "recover-sources", options: Object.keys(recoverSourcesOptions) },
  { command: "providers", options: output },
  { command: "capabilities", options: output },
  { command: "evidence-verify", options: [...Object.keys(evidenceVerifyOptions), ...output] },
  { command: "cache", options: output },
  { command: "compare-application-versions", options: [...Object.keys(compareApplicationVersionsOptions), ...output] },
  { command: "compare-source-to-bundle", options: [...Object.keys(compareSourceToBundleOptions), ...output] },
  { command: "compare-javascript-export-shapes", options: [...Object.keys(compareJavascriptExportShapesOptions), ...output] },
  { command: "reconcile-javascript-runtime", options: [...Object.keys(reconcileJavascriptRuntimeOptions), ...output] },
  { command: "import-reference-source", options: Object.keys(importReferenceSourceOptions) },
  { command: "compare-artifacts", options: [...Object.keys(compareArtifactsOptions), ...output] },
  { command: "capture-browser-scenario", options: [...Object.keys(captureBrowserScenarioOptions), ...output] },
  { command: "capture-electron-scenario", options: [...Object.keys(captureElectronScenarioOptions), ...output] },
  { command: "capture-process", options: [...Object.keys(captureProcessOptions), ...output] },
  { command: "compare-process-captures", options: [...Object.keys(compareProcessCapturesOptions), ...output] },
  { command: "compare-binaries", options: [...Object.keys(compareBinariesOptions), ...output] },
  { command: "cross-check", options: [...Object.keys(crossCheckOptions), ...output] },
  { command: "diff", options: [...Object.keys(compareBinariesOptions), ...output] },
  { command: "graph", options: [...Object.keys(graphOptions), ...Object.keys(targetOptions)] },
  { command: "report", options: [...Object.keys(reportPageOptions), ...Object.keys(targetOptions)] },
  { command: "compare", options: [...Object.keys(compareOptions), ...output] },
  { command: "verify-reconstruction", options: [...Object.keys(verifyReconstructionOptions), ...output] },
  { command: "compare-web-captures", options: [...Object.keys(compareWebCapturesOptions), ...output] },
  { command: "compare-web-screenshots", options: [...Object.keys(compareWebScreenshotsOptions), ...output] },
  { command: "run-replay-machine", options: output },
  { command: "replay-terminal", options: Object.keys(replayTerminalOptions) },
  { command: "trace-application-feature", options: [...Object.keys(traceApplicationFeatureOptions), ...output] },
  { command: "trace-javascript-semantics", options: [...Object.keys(traceJavascriptSemanticsOptions), ...output] },
  { command: "web", options: [...Object.keys(webOptions), ...output] },
  { command: "tool", options: [] },
  { command: "mcp", options: ["facade", ...Object.keys(reportOptions)] },
  { command: "setup", options: Object.keys(setupOptions) },
  { command: "doctor", options: Object.keys(doctorOptions) },
  { command: "upgrade", options: Object.keys(upgradeOptions) },
  { command: "uninstall", options: Object.keys(uninstallOptions) },
  { command: "completion", options: [] },
];

export function commandEntries(): readonly CommandEntry[] {
  const ofTools = tools.flatMap((tool) => {
    if (tool.cli === null) return [];
    const line = toCommandLine(tool);
    const shared = line.target === "open" ? common : output;
    return [{ command: line.command, options: [...new Set([...line.options.map((item) => item.flag), ...shared])] }];
  });
  return [...ownCommands, ...ofTools].sort((a, b) => (a.command < b.command ? -1 : 1));
}
