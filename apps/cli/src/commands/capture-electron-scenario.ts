import { electronScenarioSummarySchema, type JsonObject } from "@rea/core";
import type { CommandModule } from "yargs";
import { fileOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonFile } from "../json-file.js";
import { jsonText, writeOutputFile } from "../output.js";
import { keepFilesApart } from "../written-files.js";

export const captureElectronScenarioOptions = {
  output: fileOption("output", "Write the whole capture to this file as JSON"),
  "exit-code": { type: "boolean", describe: "Exit with 1 when an action failed", default: false },
} as const;

type Arguments = OutputArguments & { scenario: string; "exit-code": boolean };

const tool = "capture_electron_scenario";

/** `rea capture-electron-scenario FILE`: run an application with a hook, act in its windows, record what it does. */
export function captureElectronScenarioCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "capture-electron-scenario <scenario>",
    describe: "Run an Electron application, act in its windows, and record what its main process does.",
    builder: (argv) =>
      argv.positional("scenario", operand("scenario", "A scenario file, JSON")).options({ ...outputOptions, ...captureElectronScenarioOptions }),
    handler: async (given) => {
      const scenario = jsonFile("<scenario>", given.scenario);
      keepFilesApart(given, [given.scenario]);
      // What is printed goes to standard output; the file gets the capture.
      finish(await inSession({ ...given, output: undefined }, (session) => run(session, scenario, given), [given.scenario]));
    },
  };
}

async function run(session: CommandSession, scenario: JsonObject, { output, "exit-code": exitCode }: Arguments): Promise<number> {
  const reply = await session.call(tool, { scenario });
  const status = session.print(reply, { tool });
  if (status !== 0 || !reply.ok) return status;
  const { capture, outcome } = electronScenarioSummarySchema.parse(reply.value.result);
  if (output !== undefined && !writeOutputFile(localPath(output), jsonText(session.whole(capture.sha256), false))) return 1;
  const saved = await session.save({});
  return saved !== 0 || !exitCode || outcome === "completed" ? saved : 1;
}
