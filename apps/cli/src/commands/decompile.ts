import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "@rea/core";
import { pseudocodeHeader } from "@rea/runtime";
import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { engineBuild, identity } from "../identity.js";
import { writeOutputFile } from "../output.js";
import { UsageError } from "../usage-error.js";
import { decompileAll, fileName } from "./decompile-all.js";

type Arguments = OutputArguments & TargetArguments & { path: string; procedure?: string; all?: boolean; directory?: string };

/** Options beside those of every command on a target. */
export const decompileOptions = {
  all: { type: "boolean", describe: "Every function with a body; needs --directory, where a run that was ended before is gone on with" },
  directory: { type: "string", alias: "o", describe: "Write one file a function, and rea.h, into this directory; folders of 64 KiB of code where there are many", requiresArg: true },
} as const;

/** `rea decompile PATH PROCEDURE`, `rea decompile PATH --all -o DIR`: functions as C. */
export function decompileCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "decompile <path> [procedure]",
    describe: "Functions as C.",
    builder: (argv) =>
      argv
        .positional("path", operand("path", "File to read"))
        .positional("procedure", { type: "string", describe: "Entry address or exact name" })
        .options(decompileOptions)
        .options(targetOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await decompile(given));
    },
  };
}

function decompile(given: Arguments): Promise<number> {
  const { all = false, procedure, directory } = given;
  if (all === (procedure !== undefined)) throw new UsageError("name one PROCEDURE, or pass --all");
  if (all && directory === undefined) throw new UsageError("--all needs --directory, where the files go");
  return inSession(given, async (session) => {
    const opened = await session.open(given.path, given);
    if (!opened.ok) return session.fail(opened.error);
    if (directory === undefined) return one(session, given, procedure ?? "");
    if (procedure !== undefined) return intoDirectory(session, localPath(directory), procedure);
    return decompileAll({ texts: session.functionTexts(), say: (text) => { session.text(text); } }, localPath(directory), { subject: subjectOf(opened.value.result) });
  });
}

/** What the texts depend on: the file, how it is analysed, and the engine's build. */
function subjectOf(opened: unknown): string {
  const { sha256, binding } = z.looseObject({ sha256: z.string(), binding: z.looseObject({ analysis_profile: z.looseObject({ digest: z.string() }).nullish() }).nullish() }).parse(opened);
  return `${sha256} ${binding?.analysis_profile?.digest ?? "unbound"} ${engineBuild ?? identity.package_version}`;
}

async function one(session: CommandSession, given: Arguments, procedure: string): Promise<number> {
  const reply = await session.call("procedure_pseudo_code", { procedure });
  if (!reply.ok) return session.fail(reply.error);
  const text = reply.value.result;
  if (session.json) session.print(reply);
  else session.text(typeof text === "string" ? `${text}\n` : "The body of this function is in another file.\n");
  return session.save(given);
}

/** One function into a directory, with the header it needs. */
async function intoDirectory(session: CommandSession, directory: string, procedure: string): Promise<number> {
  const reply = await session.call("procedure_pseudo_code", { procedure });
  if (!reply.ok) return session.fail(reply.error);
  mkdirSync(directory, { recursive: true });
  const text = reply.value.result;
  if (!writeOutputFile(join(directory, "rea.h"), pseudocodeHeader())) return 1;
  if (typeof text !== "string") session.text("The body of this function is in another file.\n");
  else if (writeOutputFile(join(directory, `${fileName(procedure)}.c`), `${text}\n`)) session.text("1 function written.\n");
  else return 1;
  return 0;
}
