import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { processCaptureSummarySchema, type JsonObject } from "@rea/core";
import type { CommandModule } from "yargs";
import { choiceOption, localPath, textOption } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonFile } from "../json-file.js";
import { isMarked, operandText } from "../operands.js";
import { jsonText, openOutput } from "../output.js";
import { UsageError } from "../usage-error.js";
import { keepFilesApart } from "../written-files.js";

export const captureProcessOptions = {
  trace: { type: "boolean", describe: "Also record system calls with strace, which the program can see", default: false },
  isolation: choiceOption("isolation", ["none", "pid_namespace"], "Where the program runs"),
  timeout: textOption("timeout", "Milliseconds until the program is ended, at most 300000"),
} as const;

type Arguments = OutputArguments & { words: string[]; trace: boolean; isolation?: string | undefined; timeout?: string | undefined };

/** `rea capture-process SCENARIO.json` and `rea capture-process -- CMD ARGS…`: run it, record it, say what it touched. */
export function captureProcessCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "capture-process <words..>",
    describe: "Run a command under a terminal and record what it does: capture-process -- CMD ARGS…, or a scenario file.",
    builder: (argv) =>
      argv
        .positional("words", { type: "string", array: true, demandOption: true, describe: "A scenario file, or -- and a command with its arguments" })
        .options(captureProcessOptions)
        .options({ ...outputOptions, output: { ...outputOptions.output, describe: "Write the whole capture to this file, as JSON" } }),
    handler: async (given) => {
      finish(await capture(given));
    },
  };
}

async function capture(given: Arguments): Promise<number> {
  const [first = ""] = given.words;
  const short = isMarked(first);
  if (!short && given.words.length > 1) throw new UsageError("capture-process takes one scenario file, or -- and a command");
  const words = given.words.map(operandText);
  const scenario = short ? shortScenario(words) : jsonFile("<scenario>", words[0] ?? "");
  const read = short ? [] : [words[0] ?? ""];
  keepFilesApart(given, read);
  // What is printed goes to standard output; the file gets the capture.
  const printed = { ...given, output: undefined };
  return inSession(printed, (session) => run(session, { ...scenario, ...overrides(given) }, given.output), read);
}

async function run(session: CommandSession, scenario: JsonObject, file: string | undefined): Promise<number> {
  const reply = await session.call("capture_process_scenario", { scenario });
  const status = session.print(reply, { tool: "capture_process_scenario" });
  if (status !== 0 || !reply.ok) return status;
  const { sha256 } = processCaptureSummarySchema.parse(reply.value.result).capture;
  if (file !== undefined) {
    const output = openOutput(localPath(file));
    output.write(jsonText(session.whole(sha256), false));
    if (!output.finish()) return 1;
  }
  return session.save({});
}

/** The scenario people mean nine times in ten: this command, here, as it is started from this terminal. */
function shortScenario([command = "", ...args]: readonly string[]): JsonObject {
  const { stdout } = process;
  const { columns, rows } = stdout.isTTY ? stdout : { columns: 80, rows: 24 };
  const directory = process.cwd();
  return {
    executable: command.includes("/") && !isAbsolute(command) ? resolve(command) : command,
    arguments: args,
    working_directory: directory,
    filesystem_observation_paths: isDirectory(directory) ? [directory] : [],
    inherit_environment: "all",
    timeout_ms: 300_000,
    idle_timeout_ms: 0,
    terminal: { columns: bounded(columns), rows: bounded(rows) },
  };
}

function overrides({ trace, isolation, timeout }: Arguments): JsonObject {
  if (timeout !== undefined && !/^\d{1,9}$/u.test(timeout)) throw new UsageError("--timeout takes milliseconds");
  return {
    ...(trace ? { trace: "syscalls" } : {}),
    ...(isolation === undefined ? {} : { isolation }),
    ...(timeout === undefined ? {} : { timeout_ms: Number(timeout) }),
  };
}

function bounded(size: number): number {
  return Math.max(1, Math.min(1000, size));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
