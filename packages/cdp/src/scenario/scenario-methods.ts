import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";
import { observationMethods } from "../protocol/allowed-methods.js";

type Method = keyof ProtocolMapping.Commands;

/** What a scenario may send beside what observing may: it acts on its page by will of the caller. */
export const scenarioMethods = [
  ...observationMethods,
  "Accessibility.queryAXTree",
  "Browser.setDownloadBehavior",
  "DOM.focus",
  "DOM.getContentQuads",
  "DOM.resolveNode",
  "DOM.scrollIntoViewIfNeeded",
  "Emulation.setDeviceMetricsOverride",
  "Emulation.setEmulatedMedia",
  "Emulation.setLocaleOverride",
  "Emulation.setTimezoneOverride",
  "Emulation.setUserAgentOverride",
  "Fetch.continueRequest",
  "Fetch.disable",
  "Fetch.enable",
  "Fetch.failRequest",
  "Fetch.fulfillRequest",
  "Input.dispatchKeyEvent",
  "Input.dispatchMouseEvent",
  "Input.insertText",
  "Network.setBypassServiceWorker",
  "Network.setCookie",
  "Page.addScriptToEvaluateOnNewDocument",
  "Page.bringToFront",
  "Page.createIsolatedWorld",
  "Page.getNavigationHistory",
  "Page.handleJavaScriptDialog",
  "Page.navigate",
  "Page.removeScriptToEvaluateOnNewDocument",
  // Only in a world of our own beside the page's, to look at elements and to set the state of its controls.
  "Runtime.callFunctionOn",
  "Runtime.evaluate",
  "Runtime.releaseObjectGroup",
  "Runtime.runIfWaitingForDebugger",
  "Target.closeTarget",
  "Target.setDiscoverTargets",
] as const satisfies readonly Method[];
