import { operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";

export const analyzeJavascriptApplication = defineTool({
  name: "analyze_javascript_application",
  family: "application",
  description:
    "Reads an Electron, Node or web application (directory, ASAR, bundle, source map) without running it: entry points, windows, IPC with handlers, endpoints, packages, native addons, source maps, and a security summary with the places that show each line. Retains the graph; read it with `list` and `offset`.",
  input: operations.analyze_javascript_application.params,
  output: operations.analyze_javascript_application.result,
  effects: effectClasses.evidence,
  evidence: true,
  requires: ["analyze_javascript_application"],
  target: "none",
  paths: ["input_path"],
  cli: { command: "analyze-javascript-application", target: "none", positionals: ["input_path"] },
  examples: [{ title: "An application's archive", input: { input_path: "/opt/app/resources/app.asar" } }],
  run: async (input, ports, context) => answer(await ports.analyze_javascript_application(input, context)),
});
