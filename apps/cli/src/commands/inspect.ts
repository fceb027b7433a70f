import type { CommandModule } from "yargs";
import type { Finish } from "../finish.js";
import { choiceOption, operand, optionOf } from "../argument-values.js";
import { inSession } from "../command-session.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import { jsonText } from "../output.js";
import { collectEnvelopes } from "../envelopes.js";

type Arguments = OutputArguments & TargetArguments & { path: string; detail?: string; limit?: unknown };

/** `rea inspect PATH`: what the headers declare and what the engine counts, unabridged. */
export function inspectCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "inspect <path>",
    describe: "Headers, tables and counts of a binary, in full.",
    builder: (argv) =>
      argv
        .positional("path", operand("path", "File to read"))
        .option("detail", choiceOption("detail", ["concise", "detailed"], "How much the overview says"))
        .option("limit", optionOf({ field: "limit", flag: "limit", type: "integer", array: false, required: false, description: "Segments shown", minimum: 1, maximum: 50, path: false }))
        .options(targetOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await inspect(given));
    },
  };
}

function inspect(given: Arguments): Promise<number> {
  return inSession(given, async (session) => {
    const overview = Object.fromEntries(Object.entries({ detail: given.detail, limit: given.limit }).filter(([, value]) => value !== undefined));
    const outcome = await collectEnvelopes(session, given, [
      ["inspect_binary", {}],
      ["binary_overview", overview],
    ]);
    if (!outcome.ok) return session.fail(outcome.error);
    if (session.json) session.text(jsonText(outcome.envelopes.map(({ value }) => value), session.output.terminal));
    else for (const { value } of outcome.envelopes) session.print({ ok: true, value });
    return session.save(given);
  });
}
