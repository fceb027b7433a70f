import { isJsonObject, operations, type JsonObject } from "@rea/core";
import { frontPage, overviewResult } from "@rea/tools";
import type { CommandModule } from "yargs";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import { collectEnvelopes, type Collected, type Envelope } from "../envelopes.js";
import type { Finish } from "../finish.js";
import { jsonText } from "../output.js";
import { renderFrontPage } from "../render/front-page-text.js";
import { renderPlainFile } from "../render/plain-file-text.js";

type Arguments = OutputArguments & TargetArguments & { path: string };

/** `rea analyze PATH`: the front page about a file. */
export function analyzeCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "analyze <path>",
    describe: "What a file is, in one page: start here.",
    builder: (argv) =>
      argv
        .positional("path", { type: "string", demandOption: true, describe: "File or directory to read" })
        .options(targetOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await analyze(given));
    },
  };
}

function analyze(given: Arguments): Promise<number> {
  return inSession(given, async (session) => {
    const outcome = await collectEnvelopes(session, given, [
      ["inspect_binary", {}],
      ["binary_overview", { detail: "detailed" }],
    ]);
    if (!outcome.ok) return session.fail(outcome.error);
    if (session.json) session.text(jsonText(outcome.envelopes.map(({ value }) => value), session.output.terminal));
    else session.text(pageText(session, outcome, given.path));
    return session.save(given);
  });
}

function pageText(session: CommandSession, outcome: Extract<Collected, { ok: true }>, path: string): string {
  const inspection = operations.inspect_binary.result.safeParse(resultOf(outcome.envelopes, "inspect_binary"));
  const options = { path, width: session.output.terminal ? session.output.columns : 110, style: session.style };
  const opened: JsonObject = isJsonObject(outcome.opened) ? outcome.opened : {};
  if (!inspection.success) return renderPlainFile(opened, outcome.missing, options);
  const overview = overviewResult.safeParse(resultOf(outcome.envelopes, "binary_overview"));
  const page = frontPage({ inspection: inspection.data, overview: overview.success ? overview.data : null });
  return renderFrontPage(page, opened, options);
}

function resultOf(envelopes: readonly Envelope[], tool: string): unknown {
  return envelopes.find((envelope) => envelope.tool === tool)?.value.result;
}
