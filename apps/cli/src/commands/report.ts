import { openSync, readSync, closeSync, statSync } from "node:fs";
import { basename } from "node:path";
import { parseEvidence, z, type Evidence } from "@rea/core";
import { reportPage } from "@rea/report";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { fileOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { targetOptions, type TargetArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { identity } from "../identity.js";
import { jsonFile } from "../json-file.js";

export const reportPageOptions = { output: { ...fileOption("output", "Write the page to this file"), alias: "o", demandOption: true } } as const;

interface Arguments extends TargetArguments {
  readonly path: string;
  readonly output?: string | undefined;
}

type Outcome = { readonly records: readonly Evidence[] } | { readonly failed: Extract<ToolReply, { ok: false }>["error"] };

/** `rea report BUNDLE -o page.html`: one page about the records of a bundle, or about a program that is analysed now. */
export function reportCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "report <path>",
    describe: "One HTML page about an Evidence bundle, or about a program.",
    builder: (argv) => argv.positional("path", operand("path", "Bundle of --save-evidence, or a program")).options(reportPageOptions).options(targetOptions),
    handler: async (given) => {
      const { provider, snapshot, architecture } = given;
      finish(await inSession({ path: given.path, format: "text", output: given.output, provider, snapshot, architecture }, (session) => report(session, given), [given.path]));
    },
  };
}

async function report(session: CommandSession, given: Arguments): Promise<number> {
  const outcome = looksLikeJson(localPath(given.path)) ? await bundled(session, given.path) : await examined(session, given);
  if ("failed" in outcome) return session.fail(outcome.failed);
  session.text(reportPage({ title: basename(given.path), records: outcome.records, product: { name: "REA", version: identity.package_version } }));
  return session.save({});
}

/** Bundles begin with a brace; no executable does. */
function looksLikeJson(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, "r");
  try {
    const first = Buffer.alloc(1);
    return readSync(file, first, 0, 1, 0) === 1 && first.toString("latin1") === "{";
  } finally {
    closeSync(file);
  }
}

/** The records of a bundle, after the whole of it was checked. */
async function bundled(session: CommandSession, path: string): Promise<Outcome> {
  const imported = await session.call("import_evidence_bundle", { path: localPath(path) });
  if (!imported.ok) return { failed: imported.error };
  const records = z.array(z.unknown()).parse(jsonFile("<path>", path)["records"]);
  return { records: records.map((record) => parseEvidence(record)) };
}

/** What a first look at a program finds: its file, the overview, and the calls and control flow around its start. */
async function examined(session: CommandSession, given: Arguments): Promise<Outcome> {
  const opened = await session.open(given.path, given);
  if (!opened.ok) return { failed: opened.error };
  const inspected = await session.call("inspect_binary", {});
  if (!inspected.ok) return { failed: inspected.error };
  const overview = await session.call("binary_overview", { detail: "detailed" });
  const start = (await addressOf(session, "main")) ?? entryIn(overview);
  const about = start === undefined ? [] : [await session.call("get_call_graph", { address: start, depth: 2 }), await session.call("analyze_function", { procedure: start, include_assembly: true, limit: 200, max_instructions: 2000 })];
  return { records: [inspected, overview, ...about].flatMap((reply) => (reply.ok && "evidence" in reply.value ? [reply.value.evidence] : [])) };
}

async function addressOf(session: CommandSession, name: string): Promise<string | undefined> {
  const reply = await session.call("procedure_address", { procedure: name });
  return reply.ok && typeof reply.value.result === "string" ? reply.value.result : undefined;
}

const withEntries = z.looseObject({ entry_points: z.array(z.looseObject({ address: z.string() })) });

function entryIn(overview: ToolReply): string | undefined {
  const found = overview.ok ? withEntries.safeParse(overview.value.result).data : undefined;
  return found?.entry_points[0]?.address;
}
