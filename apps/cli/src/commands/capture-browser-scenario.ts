import { browserScenarioSummarySchema, isReaError, type JsonObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { choiceOption, fileOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonFile } from "../json-file.js";
import { jsonText, writeOutputFile } from "../output.js";
import { keepFilesApart } from "../written-files.js";

export const captureBrowserScenarioOptions = {
  format: choiceOption("format", ["text", "json", "har"], "How to print the result; har: the requests as an HTTP Archive"),
  output: fileOption("output", "Write the whole capture to this file as JSON; with --format har the archive"),
  "exit-code": { type: "boolean", describe: "Exit with 1 when a step failed", default: false },
} as const;

type Arguments = OutputArguments & { scenario: string; "exit-code": boolean };

const tool = "capture_browser_scenario";

/** `rea capture-browser-scenario FILE`: do what the scenario says in a browser, record it, tell each step. */
export function captureBrowserScenarioCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "capture-browser-scenario <scenario>",
    describe: "Do declared actions in a page of a browser and record what happens.",
    builder: (argv) =>
      argv.positional("scenario", operand("scenario", "A scenario file, JSON")).options({ ...outputOptions, ...captureBrowserScenarioOptions }),
    handler: async (given) => {
      const scenario = jsonFile("<scenario>", given.scenario);
      keepFilesApart(given, [given.scenario]);
      // What is printed goes to standard output; the file gets the capture.
      const printed = { ...given, output: undefined, format: given.format === "har" ? undefined : given.format };
      finish(await inSession(printed, (session) => run(session, scenario, given), [given.scenario]));
    },
  };
}

async function run(session: CommandSession, scenario: JsonObject, { format, output, "exit-code": exitCode }: Arguments): Promise<number> {
  const reply = await session.call(tool, { scenario });
  const archive = format === "har";
  const status = archive && output === undefined ? (reply.ok ? 0 : session.fail(reply.error)) : session.print(reply, { tool });
  if (status !== 0 || !reply.ok) return status;
  try {
    const written = archive ? await writeArchive(session, reply, output) : output === undefined || writeWhole(session, reply, output);
    if (!written) return 1;
  } catch (error) {
    if (isReaError(error)) return session.fail(error.toObject());
    throw error;
  }
  const saved = await session.save({});
  if (saved !== 0 || !exitCode) return saved;
  return browserScenarioSummarySchema.parse(reply.value.result).outcome === "completed" ? 0 : 1;
}

async function writeArchive(session: CommandSession, { value }: Extract<ToolReply, { ok: true }>, output: string | undefined): Promise<boolean> {
  if (!("evidence" in value)) throw new Error("A scenario always leaves a record.");
  const text = await session.har(value.evidence);
  if (output !== undefined) return writeOutputFile(localPath(output), text);
  session.text(text);
  return true;
}

function writeWhole(session: CommandSession, { value }: Extract<ToolReply, { ok: true }>, output: string): boolean {
  const { sha256 } = browserScenarioSummarySchema.parse(value.result).capture;
  return writeOutputFile(localPath(output), jsonText(session.whole(sha256), false));
}
