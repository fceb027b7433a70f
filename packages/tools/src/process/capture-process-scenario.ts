import { jsonObject, processCaptureSummarySchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";

export const captureProcessScenario = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name: "capture_process_scenario",
  description:
    "Runs one command under a terminal exactly as the scenario declares and records it: output, screens, input, exit, processes, files created, modified and deleted, command shims, loopback replay, system calls. Ends everything it started and names the proof. Returns a page; the whole is kept for compare_process_captures and export_evidence_bundle.",
  input: z.strictObject({
    scenario: jsonObject.describe("executable, arguments, events, …; see the reference"),
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
  run: async ({ scenario }, { processes }, context) => answer(await processes.capture(scenario, context)),
});
