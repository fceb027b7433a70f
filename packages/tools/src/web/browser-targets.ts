import {
  listBrowserTargetsInput,
  listElectronTargetsInput,
  listRuntimeTargetsInput,
  runtimeTargetListSchema,
  webTargetListSchema,
} from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";

export const listBrowserTargets = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name: "list_browser_targets",
  description:
    "Lists the pages of a running browser that was started with a debugging port: id, title, URL, origin, whether another client is attached. Attaches to nothing; counts what it leaves out. Next: inspect_web_page or analyze_web_bundle.",
  input: listBrowserTargetsInput,
  output: webTargetListSchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "list-browser-targets", target: "none", positionals: ["cdp_endpoint"] },
  examples: [{ title: "Pages of a browser on port 9222", input: { cdp_endpoint: "http://127.0.0.1:9222" } }],
  run: async (input, { web }, context) => answer(await web.listTargets(input, context)),
});

export const listElectronTargets = defineTool({
  family: "electron",
  evidence: true,
  target: "none",
  name: "list_electron_targets",
  description:
    "Lists the windows that a running Electron application shows from its own files (file: pages), over the debugging port it was started with. Attaches to nothing. Next: inspect_electron_page; for the main process, list_javascript_runtime_targets on its inspector port.",
  input: listElectronTargetsInput,
  output: webTargetListSchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "list-electron-targets", target: "none", positionals: ["cdp_endpoint"] },
  examples: [{ title: "Windows of an application on port 9222", input: { cdp_endpoint: "http://127.0.0.1:9222" } }],
  run: async (input, { web }, context) => answer(await web.listElectronTargets(input, context)),
});

export const listJavascriptRuntimeTargets = defineTool({
  family: "javascript-runtime",
  evidence: true,
  target: "none",
  name: "list_javascript_runtime_targets",
  description:
    "Lists what a V8 inspector port offers: Node processes (node --inspect), the main process of an Electron application, or pages. Attaches to nothing. Next: observe_javascript_runtime.",
  input: listRuntimeTargetsInput,
  output: runtimeTargetListSchema,
  effects: effectClasses.observation,
  requires: ["web"],
  cli: { command: "list-javascript-runtime-targets", target: "none", positionals: ["inspector_endpoint"] },
  examples: [{ title: "A Node process on its standard port", input: { inspector_endpoint: "http://127.0.0.1:9229" } }],
  run: async (input, { web }, context) => answer(await web.listRuntimeTargets(input, context)),
});
