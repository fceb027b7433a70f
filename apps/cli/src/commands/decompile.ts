import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pseudocodeHeader } from "@rea/runtime";
import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { interrupt } from "../interrupt.js";
import { writeOutputFile } from "../output.js";
import { UsageError } from "../usage-error.js";
import { procedurePages } from "./procedure-pages.js";

type Arguments = OutputArguments & TargetArguments & { path: string; procedure?: string; all?: boolean; directory?: string };

/** Options beside those of every command on a target. */
export const decompileOptions = {
  all: { type: "boolean", describe: "Every function with a body; needs --directory" },
  directory: { type: "string", alias: "o", describe: "Write one file a function, and rea.h, into this directory", requiresArg: true },
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
    return intoDirectory(session, localPath(directory), procedure === undefined ? undefined : [procedure]);
  });
}

async function one(session: CommandSession, given: Arguments, procedure: string): Promise<number> {
  const reply = await session.call("procedure_pseudo_code", { procedure });
  if (!reply.ok) return session.fail(reply.error);
  const text = reply.value.result;
  if (session.json) session.print(reply);
  else session.text(typeof text === "string" ? `${text}\n` : "The body of this function is in another file.\n");
  return session.save(given);
}

/** One file a function, named by its entry; what failed is listed in the last lines. */
async function intoDirectory(session: CommandSession, directory: string, named: readonly string[] | undefined): Promise<number> {
  mkdirSync(directory, { recursive: true });
  if (!writeOutputFile(join(directory, "rea.h"), pseudocodeHeader())) return 1;
  let written = 0;
  let without = 0;
  const failed: string[] = [];
  for await (const { address, name } of named === undefined ? procedurePages(session) : given(named)) {
    if (interrupt.signal.aborted) break;
    const reply = await session.call("procedure_pseudo_code", { procedure: address });
    if (!reply.ok) failed.push(`${address}: ${reply.error.message}`);
    else if (typeof reply.value.result !== "string") without += 1;
    else if (writeOutputFile(join(directory, `${fileName(name ?? address)}.c`), `${reply.value.result}\n`)) written += 1;
    else return 1;
  }
  session.text(`${String(written)} functions written, ${String(without)} have their body in another file, ${String(failed.length)} failed.\n`);
  for (const line of failed) session.text(`${line}\n`);
  return interrupt.signal.aborted || failed.length > 0 ? 1 : 0;
}

async function* given(named: readonly string[]): AsyncGenerator<{ readonly address: string; readonly name: string | undefined }> {
  for (const address of named) yield await Promise.resolve({ address, name: undefined });
}

/** Target text never decides where a file goes. */
function fileName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, "_").replace(/^\.+/, "_").slice(0, 120);
}
