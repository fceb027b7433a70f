import { applicationVersionComparisonSchema, exportShapeComparisonSchema, sourceComparisonSchema, z } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { applicationRecord } from "../application-operand.js";
import { filesOption, localPath, operand, textOption } from "../argument-values.js";
import { captureRecord } from "../capture-operand.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { exitCodeOption, verdictStatus } from "../exit-code.js";
import type { Finish } from "../finish.js";
import { UsageError } from "../usage-error.js";

const paging = {
  offset: textOption("offset", "First item to show"),
  limit: textOption("limit", "Items to show (1..500)"),
} as const;

export const compareApplicationVersionsOptions = {
  ...paging,
  "max-items": textOption("max-items", "Items to keep; default 20000"),
  "left-native": filesOption("left-native", "Record of a native tool about a file of LEFT, or BUNDLE#ev_…"),
  "right-native": filesOption("right-native", "The same for RIGHT"),
  ...exitCodeOption,
} as const;

export const compareSourceToBundleOptions = { ...paging, ...exitCodeOption } as const;

export const compareJavascriptExportShapesOptions = {
  module: { ...textOption("module", "Path of the module"), demandOption: true },
  export: { ...textOption("export", "Exported name, default, or module.exports"), demandOption: true },
  "right-module": textOption("right-module", "Path of the module on the right side, where it is another"),
  "right-export": textOption("right-export", "Exported name on the right side, where it is another"),
  ...exitCodeOption,
} as const;

interface Arguments extends OutputArguments {
  readonly "exit-code": boolean;
  readonly [option: string]: unknown;
}

const application = "An application, a saved record of analyze-javascript-application, or BUNDLE#ev_…";

/** `rea compare-application-versions LEFT RIGHT`: what changed between two versions of an application. */
export function compareApplicationVersionsCommand(finish: Finish): CommandModule<object, Arguments & { left: string; right: string }> {
  return {
    command: "compare-application-versions <left> <right>",
    describe: "What changed between two versions of a JavaScript or Electron application.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", application))
        .positional("right", operand("right", "The newer one"))
        .options(compareApplicationVersionsOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(
        await compared(given, "compare_application_versions", async (session) => {
          const sides = await records(session, { "<left>": given.left, "<right>": given.right });
          const native = { left: await nativeRecords(session, "left-native", given["left-native"]), right: await nativeRecords(session, "right-native", given["right-native"]) };
          for (const one of [sides, native.left, native.right]) if ("failed" in one) return one;
          const most = number(given, "max-items");
          return { ...inputOf(sides, ["left", "right"]), left_native_observations: listOf(native.left), right_native_observations: listOf(native.right), ...(most === undefined ? {} : { limits: { max_comparison_items: most } }), ...pageOf(given) };
        }),
      );
    },
  };
}

/** `rea compare-source-to-bundle REFERENCE APPLICATION`: what became of each source file. */
export function compareSourceToBundleCommand(finish: Finish): CommandModule<object, Arguments & { reference: string; application: string }> {
  return {
    command: "compare-source-to-bundle <reference> <application>",
    describe: "What became of each source file in a shipped application.",
    builder: (argv) =>
      argv
        .positional("reference", operand("reference", "Directory with sources, or a file of import-reference-source"))
        .positional("application", operand("application", application))
        .options(compareSourceToBundleOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(
        await compared(given, "compare_source_to_bundle", async (session) => {
          const sides = await records(session, { "<application>": given.application });
          return "failed" in sides ? sides : { reference: localPath(given.reference), ...inputOf(sides, ["application"]), ...pageOf(given) };
        }),
      );
    },
  };
}

/** `rea compare-javascript-export-shapes LEFT RIGHT --module PATH --export NAME`: in what two exports differ. */
export function compareJavascriptExportShapesCommand(finish: Finish): CommandModule<object, Arguments & { left: string; right: string; module: string | undefined; export: string | undefined }> {
  return {
    command: "compare-javascript-export-shapes <left> <right>",
    describe: "In what two exported functions or values of JavaScript modules differ, place by place.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", application))
        .positional("right", operand("right", "The other one; may be the same"))
        .options(compareJavascriptExportShapesOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(
        await compared(given, "compare_javascript_export_shapes", async (session) => {
          const sides = await records(session, { "<left>": given.left, "<right>": given.right });
          if ("failed" in sides) return sides;
          const names = { left_module_path: given.module, left_export_name: given.export, right_module_path: given["right-module"], right_export_name: given["right-export"] };
          return { ...inputOf(sides, ["left", "right"]), ...names };
        }),
      );
    },
  };
}

type Failed = { readonly failed: Extract<ToolReply, { ok: false }>["error"] };
type Records = { readonly list: readonly { readonly [key: string]: unknown }[] } | Failed;

async function compared(given: Arguments, tool: string, prepare: (session: CommandSession) => Promise<{ readonly [field: string]: unknown }>): Promise<number> {
  return inSession(given, async (session) => {
    const input = await prepare(session);
    if (isFailed(input)) return session.fail(input.failed);
    const reply = await session.call(tool, Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
    const printed = session.print(reply, { tool });
    if (printed !== 0 || !reply.ok) return printed;
    const saved = await session.save({});
    return saved === 0 && given["exit-code"] ? exitStatus(reply) : saved;
  });
}

function isFailed(input: { readonly [field: string]: unknown }): input is Failed {
  return "failed" in input;
}

const verdicts = z.object({ status: z.union([applicationVersionComparisonSchema.shape.status, exportShapeComparisonSchema.shape.status, sourceComparisonSchema.shape.status]) });

/** 0 unchanged, 1 changed, 3 unknown. */
function exitStatus(reply: Extract<ToolReply, { ok: true }>): number {
  const { status } = verdicts.parse(reply.value.result);
  return verdictStatus(status === "unchanged" ? "equal" : status === "changed" ? "different" : "unknown");
}

async function records(session: CommandSession, given: { readonly [name: string]: string }): Promise<Records> {
  const list: { readonly [key: string]: unknown }[] = [];
  for (const [name, text] of Object.entries(given)) {
    const found = await applicationRecord(session, { name, text });
    if ("failed" in found) return found;
    list.push(found.evidence);
  }
  return { list };
}

async function nativeRecords(session: CommandSession, option: string, files: unknown): Promise<Records> {
  const list: { readonly [key: string]: unknown }[] = [];
  for (const text of Array.isArray(files) ? files : []) {
    if (typeof text !== "string") continue;
    const found = await captureRecord(session, { name: `--${option}`, text, operations: [], adopt: () => Promise.reject(new UsageError(`--${option} does not hold a record`)) });
    if ("failed" in found) return found;
    list.push(found.evidence);
  }
  return { list };
}

function inputOf(sides: Records, names: readonly string[]): { readonly [field: string]: unknown } {
  return Object.fromEntries(names.map((name, index) => [name, listOf(sides)[index]]));
}

function listOf(found: Records): readonly { readonly [key: string]: unknown }[] {
  return "failed" in found ? [] : found.list;
}

function pageOf(given: Arguments): { readonly offset: number | undefined; readonly limit: number | undefined } {
  return { offset: number(given, "offset"), limit: number(given, "limit") };
}

function number(given: Arguments, name: string): number | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  if (typeof text === "string" && /^\d{1,9}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number`);
}
