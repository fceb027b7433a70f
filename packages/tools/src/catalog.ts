import type { Tool } from "@rea/tool";
import { decodeInterfaceBuilder } from "./apple-documents/decode-interface-builder.js";
import { inspectAssetCatalog } from "./apple-documents/inspect-asset-catalog.js";
import { inspectKeyedArchive } from "./apple-documents/inspect-keyed-archive.js";
import { inspectPlist } from "./apple-documents/inspect-plist.js";
import { extractArtifact, inspectArtifact } from "./artifact/artifact.js";
import { compareArtifacts } from "./artifact/compare-artifacts.js";
import { inspectBinary, inspectMacho, inspectSignature, listArchitectures } from "./binary-format/binary-format.js";
import { buildCallPath } from "./compare/build-call-path.js";
import { compareBinaries } from "./compare/compare-binaries.js";
import { compareBundles } from "./compare/compare-bundles.js";
import { compareFunctions } from "./compare/compare-functions.js";
import { compareProviders } from "./compare/compare-providers.js";
import { correlateStaticAndRuntime } from "./compare/correlate.js";
import { findChangedBehavior } from "./compare/find-changed-behavior.js";
import { verifyReconstruction } from "./compare/verify-reconstruction.js";
import {
  addressName,
  addressToFileOffset,
  comment,
  inlineComment,
  inspectNativeInstruction,
  readBytes,
  resolveContainingProcedure,
  resolveNativeCallTargets,
  xrefs,
} from "./direct/addresses.js";
import {
  setAddressesNames,
  setAddressName,
  setBookmark,
  setComment,
  setInlineComment,
  unsetBookmark,
} from "./direct/annotations.js";
import {
  currentAddress,
  currentDocument,
  currentProcedure,
  gotoAddress,
  listDocuments,
  nextAddress,
  prevAddress,
  setCurrentDocument,
} from "./direct/cursor.js";
import {
  listBookmarks,
  listNames,
  listProcedures,
  listSegments,
  listStrings,
  searchBytes,
  searchProcedures,
  searchStrings,
} from "./direct/lists.js";
import { inspectNativeDataType, traceNativeValues } from "./direct/native-values.js";
import {
  procedureAddress,
  procedureAssembly,
  procedureCallees,
  procedureCallers,
  procedureInfo,
  procedureReferences,
  readFunctionInstructions,
} from "./direct/procedures.js";
import { analyzeFunction } from "./enhanced/analyze-function.js";
import { procedurePseudoCode } from "./direct/pseudo-code.js";
import { batchDecompile } from "./enhanced/batch-decompile.js";
import { binaryOverview } from "./enhanced/binary-overview.js";
import { getCallGraph } from "./enhanced/call-graph.js";
import {
  analyzeSwiftTypes,
  getObjcClasses,
  getObjcProtocols,
  inspectNativeDispatchMetadata,
} from "./enhanced/dispatch-metadata.js";
import { findXrefsToName } from "./enhanced/find-xrefs-to-name.js";
import { inspectNativeApi } from "./enhanced/inspect-native-api.js";
import { findCodeForString, traceFeature } from "./enhanced/text-to-code.js";
import { traceCallPath } from "./enhanced/trace-call-path.js";
import { traceNativeUiAction } from "./enhanced/ui-action/trace-native-ui-action.js";
import { demangleSwift } from "./host/demangle-swift.js";
import { analyzeJavascriptApplication } from "./javascript/analyze-javascript-application.js";
import { traceApplicationFeature } from "./javascript/trace-application-feature.js";
import { traceJavascriptSemantics } from "./javascript/trace-javascript-semantics.js";
import { compareApplicationVersions } from "./javascript/compare-application-versions.js";
import { compareJavascriptExportShapes } from "./javascript/compare-javascript-export-shapes.js";
import { compareSourceToBundle } from "./javascript/compare-source-to-bundle.js";
import { reconcileJavascriptRuntime } from "./javascript/reconcile-javascript-runtime.js";
import { captureProcessScenario } from "./process/capture-process-scenario.js";
import { compareProcessCaptures } from "./process/compare-process-captures.js";
import { runReplayMachine } from "./process/run-replay-machine.js";
import { exportEvidenceBundle, getEvidenceBundle, importEvidenceBundle } from "./session/evidence-transfer.js";
import { captureElectronScenario } from "./web-scenario/capture-electron-scenario.js";
import { captureBrowserScenario } from "./web-scenario/capture-browser-scenario.js";
import { compareWebCaptures } from "./web-comparison/compare-web-captures.js";
import { compareWebScreenshots } from "./web-comparison/compare-web-screenshots.js";
import { cancelJob, getJob, startJob } from "./session/jobs.js";
import { binarySession, closeBinary, openBinary } from "./session/lifecycle.js";
import { getNavigationContext, inspectAddressContext } from "./session/navigation.js";
import { readRetained } from "./session/read-retained.js";
import { listUnknowns, recordUnknown, updateUnknown, verifyUnknownResolution } from "./unknowns/unknowns.js";
import { listBrowserTargets, listElectronTargets, listJavascriptRuntimeTargets } from "./web/browser-targets.js";
import { analyzeWebBundle, captureWebScreenshot, inspectElectronPage, inspectWebPage, observeJavascriptRuntime, observeWebSession } from "./web/observe-pages.js";

/** Every tool, one line each, sorted by name. A tool stands here when it works. */
export const tools: readonly Tool[] = [
  addressName,
  addressToFileOffset,
  analyzeFunction,
  analyzeJavascriptApplication,
  analyzeSwiftTypes,
  analyzeWebBundle,
  batchDecompile,
  binaryOverview,
  binarySession,
  buildCallPath,
  cancelJob,
  captureBrowserScenario,
  captureElectronScenario,
  captureProcessScenario,
  captureWebScreenshot,
  closeBinary,
  comment,
  compareApplicationVersions,
  compareArtifacts,
  compareBinaries,
  compareBundles,
  compareFunctions,
  compareJavascriptExportShapes,
  compareProcessCaptures,
  compareProviders,
  compareSourceToBundle,
  compareWebCaptures,
  compareWebScreenshots,
  correlateStaticAndRuntime,
  currentAddress,
  currentDocument,
  currentProcedure,
  decodeInterfaceBuilder,
  demangleSwift,
  exportEvidenceBundle,
  extractArtifact,
  findChangedBehavior,
  findCodeForString,
  findXrefsToName,
  getCallGraph,
  getEvidenceBundle,
  getJob,
  getNavigationContext,
  getObjcClasses,
  getObjcProtocols,
  gotoAddress,
  importEvidenceBundle,
  inlineComment,
  inspectAddressContext,
  inspectArtifact,
  inspectAssetCatalog,
  inspectBinary,
  inspectElectronPage,
  inspectKeyedArchive,
  inspectMacho,
  inspectNativeApi,
  inspectNativeDataType,
  inspectNativeDispatchMetadata,
  inspectNativeInstruction,
  inspectPlist,
  inspectSignature,
  inspectWebPage,
  listArchitectures,
  listBookmarks,
  listBrowserTargets,
  listDocuments,
  listElectronTargets,
  listJavascriptRuntimeTargets,
  listNames,
  listProcedures,
  listSegments,
  listStrings,
  listUnknowns,
  nextAddress,
  observeJavascriptRuntime,
  observeWebSession,
  openBinary,
  prevAddress,
  procedureAddress,
  procedureAssembly,
  procedureCallees,
  procedureCallers,
  procedureInfo,
  procedurePseudoCode,
  procedureReferences,
  readBytes,
  readFunctionInstructions,
  readRetained,
  reconcileJavascriptRuntime,
  recordUnknown,
  resolveContainingProcedure,
  resolveNativeCallTargets,
  runReplayMachine,
  searchBytes,
  searchProcedures,
  searchStrings,
  setAddressName,
  setAddressesNames,
  setBookmark,
  setComment,
  setCurrentDocument,
  setInlineComment,
  startJob,
  traceApplicationFeature,
  traceCallPath,
  traceFeature,
  traceJavascriptSemantics,
  traceNativeUiAction,
  traceNativeValues,
  unsetBookmark,
  updateUnknown,
  verifyReconstruction,
  verifyUnknownResolution,
  xrefs,
];
