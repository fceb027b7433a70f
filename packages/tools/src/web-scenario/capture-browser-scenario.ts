import { browserScenarioSchema, browserScenarioSummarySchema, z } from "@rea/core";
import { defineTool, effectClasses, parseFreeForm } from "@rea/tool";
import { answer } from "../answer.js";

const name = "capture_browser_scenario";

export const captureBrowserScenario = defineTool({
  family: "browser",
  evidence: true,
  target: "none",
  name,
  description:
    "Does declared actions in one page of a launched or running browser and records it: goto, click, fill, press, select, check, wait; states after each step, events by step, pictures in files. Aborts and counts requests to origins that are not allowed. A failed step ends the run with its reason. The whole is kept for compare_web_captures and export_evidence_bundle.",
  input: z.strictObject({
    scenario: z.record(z.string(), z.unknown()).describe("browser, actions, environment, capture, …; see the reference"),
  }),
  output: browserScenarioSummarySchema,
  effects: effectClasses.processScenario,
  requires: ["webScenarios"],
  cli: null,
  examples: [
    {
      title: "Open a page, press a button, look at the result",
      input: {
        scenario: {
          browser: { mode: "connect", cdp_endpoint: "http://127.0.0.1:9222", target_id: "4D5C0F1E" },
          actions: [
            { step_id: "open", type: "goto", url: "http://127.0.0.1:8080/" },
            { step_id: "press", type: "click", role: "button", name: "Start" },
          ],
          capture: { after_each_step: ["url", "dom"], at_end: ["screenshot"], events: ["network", "page_errors"] },
        },
      },
    },
  ],
  run: async (input, { webScenarios }, context) => {
    const scenario = parseFreeForm(browserScenarioSchema, input.scenario, { operation: name, field: "scenario" });
    return answer(await webScenarios.captureBrowser(scenario, context));
  },
});
