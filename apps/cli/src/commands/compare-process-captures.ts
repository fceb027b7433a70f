import { processComparisonSchema, type JsonObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { fileOption, operand } from "../argument-values.js";
import { captureRecord } from "../capture-operand.js";
import { placeOf } from "../record-place.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonFile } from "../json-file.js";

export const compareProcessCapturesOptions = {
  "trace-spec": fileOption("trace-spec", "JSON file that says which orders of events count as equivalent"),
  "exit-code": { type: "boolean", describe: "Exit with 0 when equivalent, 1 when different, 3 when unknown", default: false },
} as const;

type Arguments = OutputArguments & { left: string; right: string; "trace-spec"?: string | undefined; "exit-code": boolean };

const tool = "compare_process_captures";

/** `rea compare-process-captures A B`: in what two captured runs differ, and where first. */
export function compareProcessCapturesCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "compare-process-captures <left> <right>",
    describe: "In what two captured runs of a program differ, and where first.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", "The older run: a file of capture-process --output, a bundle, or BUNDLE#ev_…"))
        .positional("right", operand("right", "The newer one"))
        .options(compareProcessCapturesOptions)
        .options(outputOptions),
    handler: async (given) => {
      const spec = given["trace-spec"] === undefined ? {} : { trace_spec: jsonFile("--trace-spec", given["trace-spec"]) };
      const read = [given.left, given.right].map((text) => placeOf(text).path);
      finish(await inSession(given, (session) => compare(session, given, spec), read));
    },
  };
}

async function compare(session: CommandSession, given: Arguments, spec: { readonly trace_spec?: JsonObject }): Promise<number> {
  const sides: { readonly [key: string]: unknown }[] = [];
  for (const [name, text] of [["<left>", given.left], ["<right>", given.right]] as const) {
    const found = await captureRecord(session, { name, text, operations: ["capture_process_scenario"], adopt: (capture) => session.adoptCapture(capture) });
    if ("failed" in found) return session.fail(found.failed);
    sides.push(found.evidence);
  }
  const reply = await session.call(tool, { left: sides[0], right: sides[1], ...spec });
  const printed = session.print(reply, { tool });
  if (printed !== 0 || !reply.ok) return printed;
  const saved = await session.save({});
  return saved === 0 && given["exit-code"] ? exitStatus(reply) : saved;
}

/** 0 equivalent, 1 different, 3 unknown. */
function exitStatus(reply: Extract<ToolReply, { ok: true }>): number {
  const { verdict } = processComparisonSchema.parse(reply.value.result);
  if (verdict === "equivalent") return 0;
  return verdict === "unknown" ? 3 : 1;
}
