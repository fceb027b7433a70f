import { reconstructionVerificationSchema } from "@rea/core";
import type { CommandModule } from "yargs";
import { filesOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { exitCodeOption, verdictStatus } from "../exit-code.js";
import type { Finish } from "../finish.js";
import { jsonFile } from "../json-file.js";

export const verifyReconstructionOptions = {
  bundle: { ...filesOption("bundle", "Evidence bundle that the claims are judged on; may be given several times"), demandOption: true },
  ...exitCodeOption,
} as const;

type Arguments = OutputArguments & { specification: string; bundle?: readonly string[] | undefined; "exit-code": boolean };

const tool = "verify_reconstruction";

/** `rea verify-reconstruction SPEC --bundle PATH`: whether a reconstruction does what it claims. */
export function verifyReconstructionCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "verify-reconstruction <specification>",
    describe: "Judge the claims of a reconstruction on the records of a bundle.",
    builder: (argv) =>
      argv
        .positional("specification", operand("specification", "JSON file with schema_version, name and claims"))
        .options(verifyReconstructionOptions)
        .options(outputOptions),
    handler: async (given) => {
      const specification = jsonFile("<specification>", given.specification);
      const read = [given.specification, ...(given.bundle ?? [])];
      finish(await inSession(given, (session) => verify(session, given, specification), read));
    },
  };
}

async function verify(session: CommandSession, given: Arguments, specification: object): Promise<number> {
  for (const bundle of given.bundle ?? []) {
    const imported = await session.call("import_evidence_bundle", { path: localPath(bundle) });
    if (!imported.ok) return session.fail(imported.error);
  }
  const reply = await session.call(tool, { specification });
  const printed = session.print(reply, { tool });
  if (printed !== 0 || !reply.ok) return printed;
  const saved = await session.save({});
  if (saved !== 0 || !given["exit-code"]) return saved;
  const { status } = reconstructionVerificationSchema.parse(reply.value.result);
  return verdictStatus(status === "pass" ? "equal" : status === "fail" ? "different" : "unknown");
}
