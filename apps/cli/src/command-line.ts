import yargs from "yargs";
import { tools } from "@rea/tools";
import { commandEntries } from "./command-entries.js";
import { analyzeCommand } from "./commands/analyze.js";
import { completionCommand } from "./commands/completion.js";
import { evidenceVerifyCommand } from "./commands/evidence-verify.js";
import { inspectCommand } from "./commands/inspect.js";
import { mcpCommand } from "./commands/mcp.js";
import { searchCommand } from "./commands/search.js";
import { sessionCommands } from "./commands/session-views.js";
import { anyToolCommand } from "./commands/tool.js";
import type { Finish } from "./finish.js";
import { identity } from "./identity.js";
import { toolCommand } from "./tool-command.js";
import { UsageError } from "./usage-error.js";

/** Runs one command line; resolves with the exit status of contract 10 §4. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let status = 0;
  const finish: Finish = (value) => {
    status = value;
  };
  const parser = commandParser(args, finish);
  try {
    await parser.parseAsync();
    return status;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`rea: ${error.message}\n`);
    return 2;
  }
}

function commandParser(args: readonly string[], finish: Finish) {
  const parser = yargs([...args])
    .scriptName("rea")
    .usage("$0 <command>\n\nTake software apart on this machine. Nothing is uploaded.")
    .version(identity.package_version)
    .parserConfiguration({ "greedy-arrays": false, "parse-numbers": false, "parse-positional-numbers": false, "camel-case-expansion": false })
    .locale("en")
    .wrap(Math.min(110, process.stdout.isTTY ? process.stdout.columns : 110))
    .strict()
    .demandCommand(1, "name a command; rea --help lists them")
    .recommendCommands()
    .exitProcess(false)
    .fail((message: string, error: Error | undefined) => {
      if (error !== undefined && !isUsage(error)) throw error;
      throw new UsageError(`${error?.message ?? message}${hint(message, args[0])}`);
    })
    .command(analyzeCommand(finish))
    .command(inspectCommand(finish))
    .command(searchCommand(finish))
    .command(evidenceVerifyCommand(finish))
    .command(anyToolCommand(finish))
    .command(mcpCommand(finish))
    .command(completionCommand(finish));
  for (const command of sessionCommands(finish)) parser.command(command);
  for (const tool of tools) if (tool.cli !== null) parser.command(toolCommand(tool, finish));
  return parser;
}

/** yargs reports bad values with an error of its own; a coercion throws ours. */
function isUsage(error: Error): boolean {
  return error instanceof UsageError || error.name === "YError";
}

/** What would have been valid, after an unknown option. */
function hint(message: string, command: string | undefined): string {
  if (!message.startsWith("Unknown argument")) return "";
  const options = commandEntries().find((entry) => entry.command === command)?.options ?? [];
  return options.length === 0 ? "" : `\n  valid options: ${options.map((name) => `--${name}`).join(" ")}`;
}
