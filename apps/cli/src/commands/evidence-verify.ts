import type { CommandModule } from "yargs";
import { localPath } from "../argument-values.js";
import { inSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { outputOptions, type OutputArguments } from "../common-options.js";

type Arguments = OutputArguments & { path: string };

/** `rea evidence-verify PATH`: parses a bundle offline, every id and digest recomputed. */
export function evidenceVerifyCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "evidence-verify <path>",
    describe: "Check an Evidence bundle: structure, every id, every digest.",
    builder: (argv) =>
      argv.positional("path", { type: "string", demandOption: true, describe: "Bundle file" }).options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => session.call("import_evidence_bundle", { path: localPath(given.path) }).then((reply) => session.print(reply))));
    },
  };
}
