import { runtimeObservationOperations, staticLayerRoles } from "@rea/core";
import type { CommandModule } from "yargs";
import { applicationRecord } from "../application-operand.js";
import { operand, textOption } from "../argument-values.js";
import { captureRecord } from "../capture-operand.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { UsageError } from "../usage-error.js";

export const reconcileJavascriptRuntimeOptions = {
  layer: { type: "string", array: true, nargs: 1, describe: "cache=APP or assets=APP: another part of what runs; may be given several times", default: [] },
  map: { type: "string", array: true, nargs: 1, describe: "URL-PREFIX=PATH-PREFIX: where scripts of the application come from; may be given several times", default: [] },
  offset: textOption("offset", "First of each list to show"),
  limit: textOption("limit", "Items of each list to show (1..500)"),
} as const;

interface Arguments extends OutputArguments {
  readonly application: string;
  readonly observations: readonly string[];
  readonly layer: readonly string[];
  readonly map: readonly string[];
  readonly offset?: string | undefined;
  readonly limit?: string | undefined;
}

const tool = "reconcile_javascript_runtime";

/** `rea reconcile-javascript-runtime APPLICATION OBSERVATION…`: which files are the scripts that were seen to run. */
export function reconcileJavascriptRuntimeCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "reconcile-javascript-runtime <application> <observations..>",
    describe: "Which files of an application are the scripts that were seen to run.",
    builder: (argv) =>
      argv
        .positional("application", operand("application", "An application, a saved record of analyze-javascript-application, or BUNDLE#ev_…"))
        .positional("observations", { type: "string", array: true, demandOption: true, describe: "Bundles of rea inspect-web-page, observe-javascript-runtime and like commands, or BUNDLE#ev_…" })
        .options(reconcileJavascriptRuntimeOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => reconcile(session, given)));
    },
  };
}

async function reconcile(session: CommandSession, given: Arguments): Promise<number> {
  const layers: { readonly [key: string]: unknown }[] = [];
  const named = [{ role: "application", text: given.application }, ...given.layer.map(layerOf)];
  for (const { role, text } of named) {
    const found = await applicationRecord(session, { name: role === "application" ? "<application>" : "--layer", text });
    if ("failed" in found) return session.fail(found.failed);
    layers.push({ analysis: found.evidence, role, ...(role === "application" ? { runtime_mappings: given.map.map(mappingOf) } : {}) });
  }
  const observations: { readonly [key: string]: unknown }[] = [];
  for (const text of given.observations) {
    const found = await captureRecord(session, { name: "<observations>", text, operations: runtimeObservationOperations, adopt: (capture) => session.adoptWebCapture(capture) });
    if ("failed" in found) return session.fail(found.failed);
    observations.push(found.evidence);
  }
  const page = { offset: number("offset", given.offset), limit: number("limit", given.limit) };
  const input = Object.fromEntries(Object.entries({ static_layers: layers, runtime_observations: observations, ...page }).filter(([, value]) => value !== undefined));
  const printed = session.print(await session.call(tool, input), { tool });
  return printed === 0 ? session.save({}) : printed;
}

function layerOf(text: string): { readonly role: string; readonly text: string } {
  const [, role, path] = /^([a-z]+)=(.+)$/su.exec(text) ?? [];
  if (role !== undefined && path !== undefined && role !== "application" && staticLayerRoles.some((known) => known === role)) return { role, text: path };
  throw new UsageError("--layer takes cache=APP or assets=APP");
}

function mappingOf(text: string): { readonly runtime_prefix: string; readonly static_prefix: string } {
  const at = text.lastIndexOf("=");
  if (at <= 0) throw new UsageError("--map takes URL-PREFIX=PATH-PREFIX");
  return { runtime_prefix: text.slice(0, at), static_prefix: text.slice(at + 1) };
}

function number(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number`);
}
