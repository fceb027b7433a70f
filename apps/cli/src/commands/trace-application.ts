import { semanticRelations, semanticTraceDirections, traceDirections, traceSeedKinds, type JsonObject } from "@rea/core";
import type { Argv, CommandModule } from "yargs";
import { applicationRecord } from "../application-operand.js";
import { choiceOption, filesOption, operand, textOption } from "../argument-values.js";
import { captureRecord } from "../capture-operand.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { UsageError } from "../usage-error.js";

const seedOptions = {
  contains: { type: "boolean", describe: "Match names that contain VALUE", default: false },
  "ignore-case": { type: "boolean", describe: "Match capitals and small letters alike", default: false },
  "max-depth": textOption("max-depth", "Steps from a seed at most (0..64)"),
  "max-nodes": textOption("max-nodes", "Nodes to reach at most"),
  "max-edges": textOption("max-edges", "Edges to keep at most"),
  "max-seed-matches": textOption("max-seed-matches", "Seeds to begin with at most"),
} as const;

export const traceApplicationFeatureOptions = {
  ...seedOptions,
  direction: choiceOption("direction", traceDirections, "Where the trace goes; default both"),
  "max-paths": textOption("max-paths", "Paths to ends at most"),
  "native-observation": filesOption("native-observation", "Record of a native tool about a file of the application, or BUNDLE#ev_…"),
  offset: textOption("offset", "First node, edge and path to show"),
  limit: textOption("limit", "Nodes, edges and paths to show (1..500)"),
} as const;

export const traceJavascriptSemanticsOptions = {
  ...seedOptions,
  relation: { type: "string", array: true, nargs: 1, choices: semanticRelations, describe: "Follow only this relation; may be given several times" },
  ambiguous: { type: "boolean", describe: "Also follow calls that only a run decides", default: false },
  "page-size": textOption("page-size", "Relations to show at most (1..1000)"),
  cursor: textOption("cursor", "next_cursor of the page before"),
} as const;

interface Seeding extends OutputArguments {
  application: string;
  kind: string;
  value: string;
  contains: boolean;
  "ignore-case": boolean;
  readonly [option: string]: unknown;
}

/** `rea trace-application-feature APP KIND VALUE`: what a route, text, channel or module leads to, and what leads to it. */
export function traceApplicationFeatureCommand(finish: Finish): CommandModule<object, Seeding> {
  return {
    command: "trace-application-feature <application> <kind> <value>",
    describe: "How an application does something: from a route, text, API, channel or module through its graph.",
    builder: (argv) => seeded(argv.options(traceApplicationFeatureOptions)),
    handler: async (given) => {
      finish(
        await inSession(given, (session) =>
          traced(session, given, async (application) => {
            const observations = await nativeRecords(session, given["native-observation"]);
            if ("failed" in observations) return observations;
            const input = { application, seed: seedOf(given), direction: given["direction"], limits: limitsOf(given, ["max-depth", "max-nodes", "max-edges", "max-seed-matches", "max-paths"]), native_observations: observations.records, offset: number(given, "offset"), limit: number(given, "limit") };
            return { tool: "trace_application_feature", input };
          }),
        ),
      );
    },
  };
}

/** `rea trace-javascript-semantics APP DIRECTION KIND VALUE`: where a value comes from or goes, who calls, who owns. */
export function traceJavascriptSemanticsCommand(finish: Finish): CommandModule<object, Seeding & { direction: string }> {
  return {
    command: "trace-javascript-semantics <application> <direction> <kind> <value>",
    describe: "Where a value comes from or goes, who calls a function, or who owns a resource, in an application's code.",
    builder: (argv) => seeded(argv.positional("direction", { ...operand("direction", "What to follow"), choices: semanticTraceDirections }).options(traceJavascriptSemanticsOptions)),
    handler: async (given) => {
      finish(
        await inSession(given, (session) =>
          traced(session, given, (application) => {
            const limits = limitsOf(given, ["max-depth", "max-nodes", "max-edges", "max-seed-matches"]);
            const input = { application, seed: seedOf(given), direction: given.direction, allowed_relations: given["relation"], include_ambiguous_dynamic_edges: given["ambiguous"], limits, page_size: number(given, "page-size"), cursor: given["cursor"] };
            return Promise.resolve({ tool: "trace_javascript_semantics", input });
          }),
        ),
      );
    },
  };
}

function seeded<T>(argv: Argv<T>) {
  return argv
    .positional("application", operand("application", "An application, a saved record of analyze-javascript-application, or BUNDLE#ev_…"))
    .positional("kind", { ...operand("kind", "What VALUE names"), choices: traceSeedKinds })
    .positional("value", operand("value", "Name, path, text or id to begin with"))
    .options(outputOptions);
}

type Failed = { readonly failed: Parameters<CommandSession["fail"]>[0] };
type Prepared = { readonly tool: string; readonly input: { readonly [field: string]: unknown } } | Failed;

async function traced(session: CommandSession, given: Seeding, prepare: (application: { readonly [key: string]: unknown }) => Promise<Prepared>): Promise<number> {
  const application = await applicationRecord(session, { name: "<application>", text: given.application });
  if ("failed" in application) return session.fail(application.failed);
  const prepared = await prepare(application.evidence);
  if ("failed" in prepared) return session.fail(prepared.failed);
  const input = Object.fromEntries(Object.entries(prepared.input).filter(([, value]) => value !== undefined));
  const printed = session.print(await session.call(prepared.tool, input), { tool: prepared.tool });
  return printed === 0 ? session.save({}) : printed;
}

function seedOf({ kind, value, contains, "ignore-case": ignoresCase }: Seeding): JsonObject {
  return { kind, value, match: contains ? "contains" : "exact", case_sensitive: !ignoresCase };
}

function limitsOf(given: Seeding, names: readonly string[]): { readonly [name: string]: number } {
  return Object.fromEntries(names.flatMap((name) => {
    const value = number(given, name);
    return value === undefined ? [] : [[name.replaceAll("-", "_"), value] as const];
  }));
}

function number(given: Seeding, name: string): number | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  if (typeof text === "string" && /^\d{1,9}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number`);
}

async function nativeRecords(session: CommandSession, files: unknown): Promise<{ readonly records: readonly unknown[] } | Failed> {
  const records: unknown[] = [];
  for (const text of Array.isArray(files) ? files : []) {
    if (typeof text !== "string") continue;
    const found = await captureRecord(session, { name: "--native-observation", text, operations: [], adopt: () => Promise.reject(new UsageError("--native-observation does not hold a record")) });
    if ("failed" in found) return found;
    records.push(found.evidence);
  }
  return { records };
}
