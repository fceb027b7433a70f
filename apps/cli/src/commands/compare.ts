import { bundleComparisonSchema } from "@rea/core";
import type { CommandModule } from "yargs";
import { fileOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { exitCodeOption, verdictStatus } from "../exit-code.js";
import type { Finish } from "../finish.js";
import { jsonFile } from "../json-file.js";

export const compareOptions = {
  pairs: fileOption("pairs", "JSON file with record_pairs: which records stand for each other"),
  limit: { type: "string", describe: "Changes to show, 1 to 500", default: "100" },
  offset: { type: "string", describe: "First change to show", default: "0" },
  ...exitCodeOption,
} as const;

type Arguments = OutputArguments & { left: string; right: string; pairs?: string | undefined; limit: string; offset: string; "exit-code": boolean };

const tool = "compare_bundles";

/** `rea compare LEFT RIGHT`: records and unknowns that differ between two Evidence bundles. */
export function compareCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "compare <left> <right>",
    describe: "What differs between two Evidence bundles.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", "The older bundle"))
        .positional("right", operand("right", "The newer one"))
        .options(compareOptions)
        .options(outputOptions),
    handler: async (given) => {
      const pairs = given.pairs === undefined ? {} : { record_pairs: jsonFile("--pairs", given.pairs)["record_pairs"] ?? null };
      const read = [given.left, given.right, ...(given.pairs === undefined ? [] : [given.pairs])];
      finish(await inSession(given, (session) => compare(session, given, pairs), read));
    },
  };
}

async function compare(session: CommandSession, given: Arguments, pairs: { readonly record_pairs?: unknown }): Promise<number> {
  const reply = await session.call(tool, {
    left_bundle_path: localPath(given.left),
    right_bundle_path: localPath(given.right),
    limit: Number(given.limit),
    offset: Number(given.offset),
    ...pairs,
  });
  const printed = session.print(reply, { tool });
  if (printed !== 0 || !reply.ok) return printed;
  const saved = await session.save({});
  if (saved !== 0 || !given["exit-code"]) return saved;
  const { status } = bundleComparisonSchema.parse(reply.value.result);
  return verdictStatus(status === "unchanged" ? "equal" : status === "changed" ? "different" : "unknown");
}
