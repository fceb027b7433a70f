import { toReaError } from "@rea/core";
import { toCommandLine } from "@rea/tool";
import { mayBeApplication, tools } from "@rea/tools";
import type { CommandModule } from "yargs";
import { choiceOption, localPath, operand, optionOf, textOption } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonText } from "../output.js";
import { applicationHitsText } from "../render/application-hits-text.js";
import { UsageError } from "../usage-error.js";

type Arguments = OutputArguments & TargetArguments & { path: string; query: string; mode?: string; "case-sensitive"?: boolean; "inner-path"?: string | undefined; limit?: unknown; offset?: unknown };

const searches = ["search_procedures", "search_strings"] as const;

/** `rea search PATH QUERY`: functions and strings that match. */
export function searchCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "search <path> <query>",
    describe: "Functions and strings whose text matches; in JavaScript applications every place of a text.",
    builder: (argv) =>
      argv
        .positional("path", operand("path", "File to read"))
        .positional("query", operand("query", "Text to find; RE2 syntax with --mode regex"))
        .option("mode", choiceOption("mode", ["literal", "regex"], "How the query is read"))
        .option("inner-path", textOption("inner-path", "Logical path of an application inside a container"))
        .option("case-sensitive", { type: "boolean", describe: "Match letter case" })
        .option("limit", pageOption("limit", "Items in a page"))
        .option("offset", pageOption("offset", "First item of the page"))
        .options(targetOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await search(given));
    },
  };
}

/** An option of both searches, within the bounds of both. */
function pageOption(flag: string, description: string) {
  const same = tools
    .filter(({ name }) => searches.some((search) => search === name))
    .flatMap((tool) => toCommandLine(tool).options.filter((item) => item.flag === flag));
  const minimum = Math.max(...same.map((item) => item.minimum ?? 0));
  const maximum = Math.min(...same.map((item) => item.maximum ?? Number.MAX_SAFE_INTEGER));
  return optionOf({ field: flag, flag, type: "integer", array: false, required: false, description, minimum, maximum, path: false });
}

function search(given: Arguments): Promise<number> {
  return inSession(given, async (session) => {
    const opened = await session.open(given.path, given);
    if (!opened.ok) return session.fail(opened.error);
    if (given["inner-path"] !== undefined || mayBeApplication(opened.value.result)) return searchTexts(session, given);
    const input = Object.fromEntries(
      Object.entries({
        pattern: given.query,
        mode: given.mode,
        case_sensitive: given["case-sensitive"],
        limit: given.limit,
        offset: given.offset,
      }).filter(([, value]) => value !== undefined),
    );
    const values: unknown[] = [];
    for (const name of searches) {
      const reply = await session.call(name, input);
      if (!reply.ok) return session.fail(reply.error);
      if (session.json) values.push(reply.value);
      else {
        session.text(session.style.heading(`${name === "search_procedures" ? "Functions whose name matches" : "Strings whose text matches"}\n`));
        session.print(reply);
      }
    }
    if (session.json) session.text(jsonText(values, session.output.terminal));
    return session.save(given);
  });
}

const standardHits = 50;

/** Every place of a text in a JavaScript application and in the originals of its source maps. */
async function searchTexts(session: CommandSession, given: Arguments): Promise<number> {
  if (given.mode === "regex") throw new UsageError("--mode regex searches executables; applications are searched for a text as it stands");
  const number = (value: unknown, standard: number): number => (value === undefined ? standard : Number(value));
  try {
    const found = await session.searchApplication({
      path: localPath(given.path),
      inner_path: given["inner-path"],
      text: given.query,
      case_sensitive: given["case-sensitive"] === true,
      offset: number(given.offset, 0),
      limit: number(given.limit, standardHits),
    });
    if (session.json) session.text(jsonText(found, session.output.terminal));
    else session.text(applicationHitsText(found, session.style));
    return session.save(given);
  } catch (error) {
    return session.fail(toReaError(error, "search").toObject());
  }
}
