import { isJsonObject, operations, type JsonObject } from "@rea/core";
import { frontPage, mayBeApplication, overviewResult } from "@rea/tools";
import type { CommandModule } from "yargs";
import { choiceOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import { collectEnvelopes, type Collected, type Envelope } from "../envelopes.js";
import type { Finish } from "../finish.js";
import { jsonText } from "../output.js";
import { applicationText } from "../render/application-text.js";
import { renderFrontPage } from "../render/front-page-text.js";
import { renderOverviewPage } from "../render/overview-page-text.js";
import { renderPlainFile } from "../render/plain-file-text.js";

type Arguments = OutputArguments & TargetArguments & { path: string; "integrity-policy"?: string | undefined };

/** `rea analyze PATH`: the front page about a file. */
export function analyzeCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "analyze <path>",
    describe: "What a file is, in one page: start here.",
    builder: (argv) =>
      argv
        .positional("path", operand("path", "File or directory to read"))
        .options(targetOptions)
        .option("integrity-policy", choiceOption("integrity-policy", ["fail", "record-and-continue"], "What to do with members of an application's archive that are not what is declared of them"))
        .options(outputOptions),
    handler: async (given) => {
      finish(await analyze(given));
    },
  };
}

function analyze(given: Arguments): Promise<number> {
  return inSession(given, async (session) => {
    const application = await analyzeApplication(session, given);
    if (application !== undefined) return application;
    const outcome = await collectEnvelopes(session, given, [
      ["inspect_binary", {}],
      ["binary_overview", { detail: "detailed" }],
    ]);
    if (!outcome.ok) return session.fail(outcome.error);
    if (session.json) session.text(jsonText(outcome.envelopes.map(({ value }) => value), session.output.terminal));
    else session.text(pageText(session, outcome, given));
    return session.save(given);
  });
}

function pageText(session: CommandSession, outcome: Extract<Collected, { ok: true }>, given: Arguments): string {
  const inspection = operations.inspect_binary.result.safeParse(resultOf(outcome.envelopes, "inspect_binary"));
  const options = { path: given.path, width: session.output.terminal ? session.output.columns : 110, style: session.style };
  const opened: JsonObject = isJsonObject(outcome.opened) ? outcome.opened : {};
  const overview = overviewResult.safeParse(resultOf(outcome.envelopes, "binary_overview"));
  if (!inspection.success && overview.success) return renderOverviewPage(overview.data, opened, { ...options, openedWith: rawOptions(given) });
  if (!inspection.success) return renderPlainFile(opened, outcome.missing, options);
  const page = frontPage({ inspection: inspection.data, overview: overview.success ? overview.data : null });
  return renderFrontPage(page, opened, options);
}

/** Options without which a raw file would be opened as something else. */
function rawOptions(given: Arguments): string[] {
  const names = ["raw-architecture", "raw-base", "raw-endian"] as const;
  return names.flatMap((name) => (given[name] === undefined ? [] : [`--${name}`, given[name]]));
}

function resultOf(envelopes: readonly Envelope[], tool: string): unknown {
  return envelopes.find((envelope) => envelope.tool === tool)?.value.result;
}

/**
 * The page about a JavaScript application; undefined when PATH is something else, or a directory without scripts, and where
 * options ask for an engine.
 */
async function analyzeApplication(session: CommandSession, given: Arguments): Promise<number | undefined> {
  if (given.provider !== undefined || given.snapshot !== undefined) return undefined;
  const opened = await session.open(given.path, given);
  if (!opened.ok || !mayBeApplication(opened.value.result)) return undefined;
  const reply = await session.call("analyze_javascript_application", { input_path: localPath(given.path), ...(given["integrity-policy"] === undefined ? {} : { integrity_policy: given["integrity-policy"] }) });
  if (!reply.ok) return reply.error.code === "capability_unavailable" ? undefined : session.fail(reply.error);
  const found = operations.analyze_javascript_application.result.parse(reply.value.result);
  if (found.statistics.parsed_files + found.statistics.unreadable_files === 0 && found.summary.entry_points.total === 0 && found.format !== "source-map") return undefined;
  if (session.json) session.text(jsonText([reply.value], session.output.terminal));
  else session.text(applicationText(found, { path: given.path, width: session.output.terminal ? session.output.columns : 140, style: session.style }));
  return session.save(given);
}
