import { lstatSync } from "node:fs";
import { toReaError, type SourceReference } from "@rea/core";
import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { jsonText, writeOutputFile } from "../output.js";
import { sourceReferenceText } from "../render/source-reference-text.js";
import { UsageError } from "../usage-error.js";

export const importReferenceSourceOptions = {
  overwrite: { type: "boolean", describe: "Replace OUT when it exists", default: false },
  json: { type: "boolean", describe: "Print the summary as JSON", default: false },
} as const;

interface Arguments {
  readonly root: string;
  readonly out: string;
  readonly overwrite: boolean;
  readonly json: boolean;
}

/** `rea import-reference-source ROOT OUT`: sources as a graph that applications are compared with. */
export function importReferenceSourceCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "import-reference-source <root> <out>",
    describe: "Save what sources hold as a graph to compare applications with; runs nothing, opens no secrets.",
    builder: (argv) =>
      argv
        .positional("root", operand("root", "Directory with the sources"))
        .positional("out", operand("out", "File to write the graph to"))
        .options(importReferenceSourceOptions),
    handler: async (given) => {
      const place = localPath(given.out);
      if (!given.overwrite && lstatSync(place, { throwIfNoEntry: false }) !== undefined) throw new UsageError("<out> exists; name another file, or add --overwrite");
      finish(await inSession({ json: given.json }, (session) => importTo(session, given, place)));
    },
  };
}

async function importTo(session: CommandSession, { root, out, json }: Arguments, place: string): Promise<number> {
  let reference: SourceReference;
  try {
    reference = await session.importReference(localPath(root));
  } catch (error) {
    return session.fail(toReaError(error, "import_reference_source").toObject());
  }
  if (!writeOutputFile(place, `${JSON.stringify(reference)}\n`)) return 1;
  session.text(json ? jsonText(summaryOf(reference), session.output.terminal) : sourceReferenceText(reference, { output: out, style: session.style }));
  return 0;
}

function summaryOf({ root_sha256, inventory_state, entries, languages, manifests, relationships, parse_failures, exclusions, version_control, coverage }: SourceReference) {
  return {
    root_sha256,
    inventory_state,
    entries: entries.length,
    languages,
    manifests: manifests.length,
    relationships: relationships.length,
    parse_failures: parse_failures.length,
    exclusions,
    version_control,
    coverage,
  };
}
