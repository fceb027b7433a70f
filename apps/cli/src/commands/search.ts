import type { CommandModule } from "yargs";
import { positionalOf } from "../argument-values.js";
import { inSession } from "../command-session.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonText } from "../output.js";

type Arguments = OutputArguments & TargetArguments & { path: string; query: string; mode?: string; "case-sensitive"?: boolean; limit?: unknown; offset?: unknown };

const searches = ["search_procedures", "search_strings"] as const;

/** `rea search PATH QUERY`: functions and strings that match. */
export function searchCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "search <path> <query>",
    describe: "Functions and strings whose text matches.",
    builder: (argv) =>
      argv
        .positional("path", { type: "string", demandOption: true, describe: "File to read" })
        .positional("query", { type: "string", demandOption: true, describe: "Text to find; RE2 syntax with --mode regex" })
        .option("mode", { choices: ["literal", "regex"], describe: "How the query is read" })
        .option("case-sensitive", { type: "boolean", describe: "Match letter case" })
        .option("limit", integerOption("limit", "Items in a page"))
        .option("offset", integerOption("offset", "First item of the page"))
        .options(targetOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await search(given));
    },
  };
}

function integerOption(flag: string, description: string) {
  return positionalOf({ field: flag, flag, type: "integer", array: false, required: false, description, path: false });
}

function search(given: Arguments): Promise<number> {
  return inSession(given, async (session) => {
    const opened = await session.open(given.path, given);
    if (!opened.ok) return session.fail(opened.error);
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
        session.text(session.style.heading(`${name === "search_procedures" ? "Functions" : "Strings"}\n`));
        session.print(reply);
      }
    }
    if (session.json) session.text(jsonText(values, session.output.terminal));
    return session.save(given);
  });
}
