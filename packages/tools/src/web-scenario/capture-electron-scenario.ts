import { electronScenarioSchema, electronScenarioSummarySchema, z } from "@rea/core";
import { defineTool, effectClasses, parseFreeForm } from "@rea/tool";
import { answer } from "../answer.js";

const name = "capture_electron_scenario";

export const captureElectronScenario = defineTool({
  family: "electron",
  evidence: true,
  target: "none",
  name,
  description:
    "Runs an Electron application with temporary user data and a hook in its main process, does declared actions in its windows and records it: app, window, navigation, permission, protocol, process, native addon and IPC events by shape, never values. Opening URLs, updates and other outside effects are blocked and listed. Names a build switch that forbids it.",
  input: z.strictObject({
    scenario: z.record(z.string(), z.unknown()).describe("executable_path, application_path, actions, …; see the reference"),
  }),
  output: electronScenarioSummarySchema,
  effects: effectClasses.processScenario,
  requires: ["webScenarios"],
  cli: null,
  examples: [
    {
      title: "Start an application and press a button",
      input: {
        scenario: {
          executable_path: "/opt/application/electron",
          application_path: "/opt/application/app",
          actions: [{ type: "click", role: "button", name: "Sign in" }],
        },
      },
    },
  ],
  run: async (input, { webScenarios }, context) => {
    const scenario = parseFreeForm(electronScenarioSchema, input.scenario, { operation: name, field: "scenario" });
    return answer(await webScenarios.captureElectron(scenario, context));
  },
});
