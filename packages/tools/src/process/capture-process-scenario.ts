import { processCaptureSummarySchema, processScenarioSchema, z } from "@rea/core";
import { defineTool, effectClasses, parseFreeForm } from "@rea/tool";
import { answer } from "../answer.js";

const name = "capture_process_scenario";

export const captureProcessScenario = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name,
  description:
    "Runs one command under a terminal exactly as the scenario declares and records it: output, screens, input, exit, processes, files created, modified and deleted, command shims, loopback replay, system calls. Ends everything it started and names the proof. Returns a page; the whole is kept for compare_process_captures and export_evidence_bundle.",
  input: z.strictObject({
    scenario: z.record(z.string(), z.unknown()).describe("executable, arguments, events, …; see the reference"),
  }),
  output: processCaptureSummarySchema,
  effects: effectClasses.processScenario,
  requires: ["processes"],
  cli: null,
  examples: [
    {
      title: "What a command does, prints and leaves",
      input: { scenario: { executable: "/bin/sh", arguments: ["-c", "echo hello; exit 3"], timeout_ms: 10_000 } },
    },
  ],
  run: async (input, { processes }, context) => {
    const scenario = parseFreeForm(processScenarioSchema, input.scenario, { operation: name, field: "scenario" });
    return answer(await processes.capture(scenario, context));
  },
});
