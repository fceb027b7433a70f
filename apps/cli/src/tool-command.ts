import type { Argv, CommandModule } from "yargs";
import { inputFromArguments, toCommandLine, type CommandLine, type Tool } from "@rea/tool";
import { localPath, operand, optionOf, positionalOf } from "./argument-values.js";
import { referencesIn } from "./bundle-record.js";
import { inSession, type CommandSession } from "./command-session.js";
import { outputOptionsWith, targetOptions, type OutputArguments, type TargetArguments } from "./common-options.js";
import type { Finish } from "./finish.js";
import { argumentNames, requireUsableInput } from "./input-problems.js";
import { wholeReply } from "./whole-reply.js";

type Arguments = OutputArguments & TargetArguments & { readonly path?: string; readonly [flag: string]: unknown };

/** A tool as a command: its inputs are the flags, its outcome the output. */
export function toolCommand(tool: Tool, finish: Finish): CommandModule<object, Arguments> {
  const line = toCommandLine(tool);
  const positionals = line.positionals.map(({ flag, array, required }) => {
    const words = array ? `${flag}..` : flag;
    return required ? ` <${words}>` : ` [${words}]`;
  });
  return {
    command: `${line.command}${line.target === "none" ? "" : " <path>"}${positionals.join("")}`,
    describe: summaryOf(line.description),
    builder: (argv) => describeArguments(argv, line),
    handler: async (given) => {
      finish(await runTool(tool, line, given));
    },
  };
}

/** First sentence, for the list of commands. */
export function summaryOf(description: string): string {
  return description.split(/(?<=\.)\s/, 1)[0] ?? description;
}

function describeArguments(argv: Argv, line: CommandLine): Argv<Arguments> {
  let described: Argv = argv.usage(`$0 ${line.command}\n\n${line.description}`);
  if (line.target !== "none") {
    described = described.positional("path", operand("path", "File or directory to read"));
  }
  for (const item of line.positionals) described = described.positional(item.flag, positionalOf(item));
  for (const item of line.options) described = described.option(item.flag, optionOf(item));
  if (line.target === "open") described = described.options(targetOptions);
  return described.options(outputOptionsWith(line.documents?.formats ?? []));
}

export function runTool(tool: Tool, line: CommandLine, given: Arguments): Promise<number> {
  const document = line.documents?.formats.find((format) => format === given.format);
  const defaults = document === undefined ? {} : line.documents?.defaults;
  const { input, bundles } = referencesIn({ ...defaults, ...inputFromArguments(tool, onlyInput(line, given)) });
  if (line.target === "input" && given.path !== undefined) input["path"] = localPath(given.path);
  requireUsableInput(tool, input, argumentNames(line));
  const work = async (session: CommandSession): Promise<number> => {
    for (const path of bundles) {
      const imported = await session.call("import_evidence_bundle", { path });
      if (!imported.ok) return session.fail(imported.error);
    }
    if (line.target === "open" && given.path !== undefined) {
      const opened = await session.open(given.path, given);
      if (!opened.ok) return session.fail(opened.error);
    }
    const first = await session.call(tool.name, input);
    // Who names a page gets that page.
    const isWhole = given.output !== undefined && input["offset"] === undefined && input["limit"] === undefined;
    const reply = isWhole ? await wholeReply(first, { tool: tool.name, path: input["path"], call: (name, more) => session.call(name, more) }) : first;
    const status = document === undefined ? session.print(reply, { tool: tool.name }) : await session.printDocument(reply, document);
    return status === 0 ? session.save(given) : status;
  };
  return inSession(given, work, [...filesRead(line, given), ...bundles]);
}

/** Files that the tool's own inputs name. */
function filesRead(line: CommandLine, given: Arguments): string[] {
  const fields = [...line.positionals, ...line.options].filter((item) => item.path && !(item.flag in targetOptions));
  return fields.flatMap((item) => given[item.flag]).filter((path) => typeof path === "string");
}

/** Only what the tool's own flags gave: common options may share a name with another tool's input. */
function onlyInput(line: CommandLine, given: Arguments): { readonly [flag: string]: unknown } {
  const flags = [...line.positionals, ...line.options].map((item) => item.flag);
  return Object.fromEntries(flags.map((flag) => [flag, given[flag]]));
}
