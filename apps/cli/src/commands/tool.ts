import type { CommandModule } from "yargs";
import { toCommandLine, type Tool } from "@rea/tool";
import { tools } from "@rea/tools";
import { localPath, optionOf, textOption } from "../argument-values.js";
import type { Finish } from "../finish.js";
import { outputOptions, targetOptions } from "../common-options.js";
import { runTool, summaryOf } from "../tool-command.js";
import { operandText } from "../operands.js";
import { printOut } from "../standard-output.js";
import { isUsage, UsageError, validOptions } from "../usage-error.js";
import yargs from "yargs";

/** `rea tool NAME …`: any tool by its MCP name, its inputs as flags. */
export function anyToolCommand(finish: Finish): CommandModule<object, { name?: string }> {
  return {
    command: "tool [name]",
    describe: "Run any tool by its MCP name; without a name, list them.",
    builder: (argv) =>
      argv
        .positional("name", { type: "string", describe: "Tool name, as in tools/list" })
        .strict(false)
        .help(false)
        .version(false),
    handler: async (given) => {
      if (given.name === undefined) {
        printOut(toolList());
        return;
      }
      const tool = tools.find((candidate) => candidate.name === operandText(given.name ?? ""));
      if (tool === undefined) throw new UsageError(`there is no tool of this name; rea tool lists them`);
      await runNamed(tool, finish);
    },
  };
}

function toolList(): string {
  const width = Math.max(...tools.map((tool) => tool.name.length));
  return tools.map((tool) => `${tool.name.padEnd(width)}  ${summaryOf(tool.description)}\n`).join("");
}

/** A second, strict parse of what follows the name, with this tool's flags. */
async function runNamed(tool: Tool, finish: Finish): Promise<void> {
  const general = toCommandLine({ ...tool, cli: null });
  const line = { ...general, options: [...general.positionals, ...general.options], positionals: [] };
  const shared = [...(line.target === "none" ? [] : ["target", ...Object.keys(targetOptions)]), ...Object.keys(outputOptions)];
  const rest = process.argv.slice(process.argv.indexOf(tool.name) + 1);
  let parser = yargs(rest)
    .scriptName(`rea tool ${tool.name}`)
    .usage(`$0\n\n${tool.description}`)
    .parserConfiguration({ "greedy-arrays": false, "parse-numbers": false, "camel-case-expansion": false })
    .locale("en")
    .version(false)
    .strict()
    .exitProcess(false)
    .fail((message: string, error: Error | undefined) => {
      if (error !== undefined && !isUsage(error)) throw error;
      const problem = error?.message ?? message;
      throw new UsageError(`${problem}${validOptions(problem, [...line.options.map(({ flag }) => flag), ...shared])}`);
    });
  for (const item of line.options) parser = parser.option(item.flag, optionOf(item));
  if (line.target !== "none") {
    parser = parser.option("target", textOption("target", "File or directory to open first"));
    for (const [name, option] of Object.entries(targetOptions)) {
      if (!line.options.some((item) => item.flag === name)) parser = parser.option(name, option);
    }
  }
  const given = await parser.options(outputOptions).parseAsync();
  if (given["help"] === true) return;
  const { target, ...values } = given;
  const path = typeof target === "string" ? { path: localPath(target) } : {};
  finish(await runTool(tool, { ...line, target: line.target === "none" ? "none" : "open" }, { ...values, ...path }));
}
