import yargs from "yargs";
import { escapeUntrusted } from "@rea/core";
import { adoptThread, type EngineThread } from "@rea/runtime";
import type { Tool } from "@rea/tool";
import { tools } from "@rea/tools";
import { commandEntries } from "./command-entries.js";
import { analyzeCommand } from "./commands/analyze.js";
import { cacheCommand } from "./commands/cache.js";
import { captureBrowserScenarioCommand } from "./commands/capture-browser-scenario.js";
import { captureElectronScenarioCommand } from "./commands/capture-electron-scenario.js";
import { captureProcessCommand } from "./commands/capture-process.js";
import { compareApplicationVersionsCommand, compareJavascriptExportShapesCommand, compareSourceToBundleCommand } from "./commands/compare-applications.js";
import { compareArtifactsCommand } from "./commands/compare-artifacts.js";
import { compareBinariesCommand } from "./commands/compare-binaries.js";
import { crossCheckCommand } from "./commands/cross-check.js";
import { reportCommand } from "./commands/report.js";
import { graphCommand } from "./commands/graph.js";
import { diffCommand } from "./commands/diff.js";
import { compareCommand } from "./commands/compare.js";
import { verifyReconstructionCommand } from "./commands/verify-reconstruction.js";
import { compareProcessCapturesCommand } from "./commands/compare-process-captures.js";
import { compareWebCapturesCommand } from "./commands/compare-web-captures.js";
import { compareWebScreenshotsCommand } from "./commands/compare-web-screenshots.js";
import { completionCommand } from "./commands/completion.js";
import { doctorCommand } from "./commands/doctor.js";
import { evidenceVerifyCommand } from "./commands/evidence-verify.js";
import { decompileCommand } from "./commands/decompile.js";
import { inspectCommand } from "./commands/inspect.js";
import { mcpCommand } from "./commands/mcp.js";
import { packArtifactCommand } from "./commands/pack-artifact.js";
import { importReferenceSourceCommand } from "./commands/import-reference-source.js";
import { reconcileJavascriptRuntimeCommand } from "./commands/reconcile-javascript-runtime.js";
import { recoverSourcesCommand } from "./commands/recover-sources.js";
import { replayTerminalCommand } from "./commands/replay-terminal.js";
import { runReplayMachineCommand } from "./commands/run-replay-machine.js";
import { searchCommand } from "./commands/search.js";
import { sessionCommands } from "./commands/session-views.js";
import { setupCommand } from "./commands/setup.js";
import { anyToolCommand } from "./commands/tool.js";
import { traceApplicationFeatureCommand, traceJavascriptSemanticsCommand } from "./commands/trace-application.js";
import { webCommand } from "./commands/web.js";
import { uninstallCommand } from "./commands/uninstall.js";
import { upgradeCommand } from "./commands/upgrade.js";
import type { Finish } from "./finish.js";
import { identity } from "./identity.js";
import { markOperands, operandText } from "./operands.js";
import { watchStandardOutput } from "./standard-output.js";
import { toolCommand } from "./tool-command.js";
import { isUsage, UsageError, validOptions } from "./usage-error.js";

/** Runs one command line, its first target on `thread` where one was started; resolves with the exit status of contract 10 §4. */
export async function runCommandLine(args: readonly string[], thread?: EngineThread): Promise<number> {
  if (thread !== undefined) adoptThread(thread);
  watchStandardOutput();
  let status = 0;
  const finish: Finish = (value) => {
    status = value;
  };
  const parser = commandParser(markOperands(args), finish);
  try {
    await parser.parseAsync();
    return status;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`rea: ${operandText(error.message)}\n`);
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
      throw new UsageError(usageText(error?.message ?? message, args[0]));
    })
    .command(analyzeCommand(finish))
    .command(inspectCommand(finish))
    .command(searchCommand(finish))
    .command(recoverSourcesCommand(finish))
    .command(traceApplicationFeatureCommand(finish))
    .command(traceJavascriptSemanticsCommand(finish))
    .command(packArtifactCommand(finish))
    .command(decompileCommand(finish))
    .command(evidenceVerifyCommand(finish))
    .command(cacheCommand(finish))
    .command(compareApplicationVersionsCommand(finish))
    .command(compareSourceToBundleCommand(finish))
    .command(compareJavascriptExportShapesCommand(finish))
    .command(reconcileJavascriptRuntimeCommand(finish))
    .command(importReferenceSourceCommand(finish))
    .command(compareArtifactsCommand(finish))
    .command(captureBrowserScenarioCommand(finish))
    .command(captureElectronScenarioCommand(finish))
    .command(captureProcessCommand(finish))
    .command(replayTerminalCommand(finish))
    .command(compareProcessCapturesCommand(finish))
    .command(compareCommand(finish))
    .command(compareBinariesCommand(finish))
    .command(crossCheckCommand(finish))
    .command(diffCommand(finish))
    .command(graphCommand(finish))
    .command(reportCommand(finish))
    .command(verifyReconstructionCommand(finish))
    .command(compareWebCapturesCommand(finish))
    .command(compareWebScreenshotsCommand(finish))
    .command(runReplayMachineCommand(finish))
    .command(webCommand(finish))
    .command(anyToolCommand(finish))
    .command(mcpCommand(finish))
    .command(setupCommand(finish))
    .command(doctorCommand(finish))
    .command(upgradeCommand(finish))
    .command(uninstallCommand(finish))
    .command(completionCommand(finish));
  for (const command of sessionCommands(finish)) parser.command(command);
  for (const tool of toolsFor(args[0])) parser.command(toolCommand(tool, finish));
  return parser;
}

/** The one tool that the first word names, else all that have a command: describing a command takes time. */
function toolsFor(word: string | undefined): readonly Tool[] {
  const commands = tools.filter(({ cli }) => cli !== null);
  const named = commands.filter(({ cli }) => cli?.command === word);
  return named.length > 0 ? named : commands;
}

/** The parser's message with what would have been valid: a command, or its options. */
function usageText(message: string, word: string | undefined): string {
  const entry = commandEntries().find(({ command }) => command === word);
  if (entry !== undefined) return `${message}${validOptions(message, entry.options)}`;
  if (!message.startsWith("Unknown argument") || word === undefined || word.startsWith("-")) return message;
  const tool = tools.find(({ name }) => name === word.replaceAll("-", "_"));
  const next = tool === undefined ? "rea --help lists the commands" : `the tool of this name is run by rea tool ${tool.name}`;
  return `there is no command ${escapeUntrusted(word)}; ${next}`;
}
