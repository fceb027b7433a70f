import type { CommandModule } from "yargs";
import { operand } from "../argument-values.js";
import { inSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonFile } from "../json-file.js";

type Arguments = OutputArguments & { file: string };

/** `rea run-replay-machine FILE.json`: what a machine decides on the events in the file. */
export function runReplayMachineCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "run-replay-machine <file>",
    describe: "Try a replay machine on events, without a program: FILE holds {machine, events}.",
    builder: (argv) => argv.positional("file", operand("file", "JSON file with machine and events")).options(outputOptions),
    handler: async (given) => {
      const input = jsonFile("<file>", given.file);
      const tool = "run_replay_machine";
      finish(
        await inSession(
          given,
          async (session) => session.print(await session.call(tool, input), { tool }),
          [given.file],
        ),
      );
    },
  };
}
