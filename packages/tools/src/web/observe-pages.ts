import {
  analyzeWebBundleInput,
  captureWebScreenshotInput,
  electronPageSummarySchema,
  inspectElectronPageInput,
  inspectWebPageInput,
  observeRuntimeInput,
  observeWebSessionInput,
  runtimeSummarySchema,
  webBundleSummarySchema,
  webPageSummarySchema,
  webScreenshotSchema,
  webTimelineSummarySchema,
} from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";

const page = { cdp_endpoint: "http://127.0.0.1:9222", target_id: "4D5C0F1E" };

export const inspectWebPage = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name: "inspect_web_page",
  description:
    "What a page of a running browser is made of: frames, DOM structure, accessibility, scripts, resources, workers, storage, isolation, and what happened in a window of time. Runs nothing in it, keeps no values, says how complete it is. The whole is retained for compare_web_captures; read_retained pages through it.",
  input: inspectWebPageInput,
  output: webPageSummarySchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "inspect-web-page", target: "none", positionals: ["cdp_endpoint", "target_id"] },
  examples: [{ title: "Structure and storage keys of a page", input: { ...page, include: ["storage_keys"] } }],
  run: async (input, { web }, context) => answer(await web.inspectPage(input, context)),
});

export const analyzeWebBundle = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name: "analyze_web_bundle",
  description:
    "How the JavaScript of a page is built: loaded scripts, chunks and modules, endpoints and routes in the code, source maps, signs of bundlers and frameworks with their basis. Reads the sources as data. The whole analysis is retained; read_retained pages through it.",
  input: analyzeWebBundleInput,
  output: webBundleSummarySchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "analyze-web-bundle", target: "none", positionals: ["cdp_endpoint", "target_id"] },
  examples: [{ title: "Chunks, endpoints and routes of a page", input: page }],
  run: async (input, { web }, context) => answer(await web.analyzeBundle(input, context)),
});

export const observeWebSession = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name: "observe_web_session",
  description:
    "Watches a page move for a time: navigations, reloads, redirects, history entries, lifecycle, failed requests, dialogs, in order. Does nothing to the page. Ends early, and says so, when the page leaves the allowed origins. The whole timeline is retained; read_retained pages through it.",
  input: observeWebSessionInput,
  output: webTimelineSummarySchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "observe-web-session", target: "none", positionals: ["cdp_endpoint", "target_id"] },
  examples: [{ title: "Ten seconds of a page", input: page }],
  run: async (input, { web }, context) => answer(await web.observeSession(input, context)),
});

export const captureWebScreenshot = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name: "capture_web_screenshot",
  description:
    "Takes a picture of what a page shows now and writes it to a file named by its digest. Nothing is scrolled or resized. Compare two with compare_web_screenshots. Base64 only with inline, and only for small pictures.",
  input: captureWebScreenshotInput,
  output: webScreenshotSchema,
  effects: effectClasses.observationFile,
  requires: ["web"],
  cli: { command: "capture-web-screenshot", target: "none", positionals: ["cdp_endpoint", "target_id"] },
  examples: [{ title: "What a page shows", input: page }],
  run: async (input, { web }, context) => answer(await web.captureScreenshot(input, context)),
});

export const inspectElectronPage = defineTool({
  family: "electron",
  evidence: true,
  target: "none",
  name: "inspect_electron_page",
  description:
    "What a window of a running Electron application is made of: frames, DOM structure, resources, scripts, workers, and the local files they come from after links. Runs nothing in it. Next: analyze_javascript_application on those files. The whole is retained; read_retained pages through it.",
  input: inspectElectronPageInput,
  output: electronPageSummarySchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "inspect-electron-page", target: "none", positionals: ["cdp_endpoint", "target_id"] },
  examples: [{ title: "A window of an application", input: page }],
  run: async (input, { web }, context) => answer(await web.inspectElectronPage(input, context)),
});

export const observeJavascriptRuntime = defineTool({
  family: "javascript-runtime",
  evidence: true,
  target: "none",
  name: "observe_javascript_runtime",
  description:
    "Contexts, loaded scripts (with digests) and events of a V8 runtime over its inspector, in an order that does not depend on the run. Only enables Runtime and Debugger, and ends at once if that stops the program. Names what an inspector cannot tell. The whole is retained; read_retained pages through it.",
  input: observeRuntimeInput,
  output: runtimeSummarySchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "observe-javascript-runtime", target: "none", positionals: ["inspector_endpoint", "target_id", "runtime_kind"] },
  examples: [
    { title: "Scripts of a Node process", input: { inspector_endpoint: "http://127.0.0.1:9229", target_id: "0f2c936f-b1cd-4ac9-aab3-f63b0f33d55e", runtime_kind: "node" } },
  ],
  run: async (input, { web }, context) => answer(await web.observeRuntime(input, context)),
});
