import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { outputOptions, type OutputArguments } from "../common-options.js";

type Arguments = OutputArguments & { path: string };

/** `rea evidence-verify PATH`: parses a bundle offline, every id and digest recomputed. */
export function evidenceVerifyCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "evidence-verify <path>",
    describe: "Check an Evidence bundle: structure, every id, every digest.",
    builder: (argv) =>
      argv.positional("path", operand("path", "Bundle file")).options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => verify(session, given.path)));
    },
  };
}

async function verify(session: CommandSession, path: string): Promise<number> {
  const reply = await session.call("import_evidence_bundle", { path: localPath(path) });
  const damaged = !reply.ok && reply.error.code === "evidence_integrity_mismatch";
  return session.print(reply, damaged ? { subject: { name: path, next: "Write the bundle again with --save-evidence FILE and do not change it." } } : {});
}
