import type { CommandModule } from "yargs";
import { toReaError } from "@rea/core";
import { keptAnalyses } from "@rea/runtime";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { engineBuild } from "../identity.js";
import { operandText } from "../operands.js";

const actions = ["list", "measure", "clear"] as const;
type Action = (typeof actions)[number];
type Arguments = OutputArguments & { action: Action };

/** `rea cache list|measure|clear`: the finished analyses that are kept between runs. */
export function cacheCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "cache <action>",
    describe: "List, measure or clear the analyses kept on disk.",
    builder: (argv) =>
      argv
        .positional("action", { choices: actions, demandOption: true, describe: "What to do", coerce: actionOf })
        .options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => run(session, given.action)));
    },
  };
}

async function run(session: CommandSession, action: Action): Promise<number> {
  try {
    const result = await keptAnalyses({ env: process.env, engineBuild })[action]();
    return session.print({ ok: true, value: { result } });
  } catch (error) {
    return session.fail(toReaError(error, "cache").toObject());
  }
}

/** A choice the parser checks; it may have stood behind `--`. */
function actionOf(value: Action): Action {
  return actions.find((action) => action === operandText(value)) ?? value;
}
