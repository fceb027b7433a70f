import { webComparisonSchema, webNormalizationKinds } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { operand } from "../argument-values.js";
import { captureRecord } from "../capture-operand.js";
import { placeOf } from "../record-place.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { UsageError } from "../usage-error.js";

export const compareWebCapturesOptions = {
  replace: { type: "string", array: true, describe: "KIND:LITERAL=REPLACEMENT before comparing; KIND is url, dom, accessibility, metadata or storage", default: [] },
  "max-changes": { type: "string", describe: "Changes to list, 1 to 20000", default: "2000" },
  "exit-code": { type: "boolean", describe: "Exit with 0 when unchanged, 1 when changed, 3 when unknown", default: false },
} as const;

type Arguments = OutputArguments & { left: string; right: string; replace: readonly string[]; "max-changes": string; "exit-code": boolean };

const tool = "compare_web_captures";

/** `rea compare-web-captures A B`: what changed between two captures of a page, or two runs of a browser scenario. */
export function compareWebCapturesCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "compare-web-captures <left> <right>",
    describe: "What changed between two captures of a page, or two runs of a browser scenario.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", "The older capture: a file of capture-browser-scenario --output, a record, a bundle, or BUNDLE#ev_…"))
        .positional("right", operand("right", "The newer one"))
        .options(compareWebCapturesOptions)
        .options(outputOptions),
    handler: async (given) => {
      const read = [given.left, given.right].map((text) => placeOf(text).path);
      finish(await inSession(given, (session) => compare(session, given), read));
    },
  };
}

async function compare(session: CommandSession, given: Arguments): Promise<number> {
  const normalization = given.replace.map(ruleOf);
  const sides: { readonly [key: string]: unknown }[] = [];
  for (const [name, text] of [["<left>", given.left], ["<right>", given.right]] as const) {
    const operations = ["inspect_web_page", "capture_browser_scenario"];
    const found = await captureRecord(session, { name, text, operations, adopt: (capture) => session.adoptWebCapture(capture) });
    if ("failed" in found) return session.fail(found.failed);
    sides.push(found.evidence);
  }
  if (!/^\d{1,5}$/u.test(given["max-changes"])) throw new UsageError("--max-changes takes a whole number");
  const reply = await session.call(tool, { left: sides[0], right: sides[1], normalization, max_changes: Number(given["max-changes"]) });
  const printed = session.print(reply, { tool });
  if (printed !== 0 || !reply.ok) return printed;
  const saved = await session.save({});
  return saved === 0 && given["exit-code"] ? exitStatus(reply) : saved;
}

function ruleOf(text: string): { readonly kind: string; readonly literal: string; readonly replacement: string } {
  const [, kind, literal, replacement] = /^([a-z]+):(.+?)=(.*)$/su.exec(text) ?? [];
  if (kind !== undefined && literal !== undefined && replacement !== undefined && webNormalizationKinds.some((known) => known === kind)) return { kind, literal, replacement };
  throw new UsageError(`--replace takes KIND:LITERAL=REPLACEMENT, where KIND is one of ${webNormalizationKinds.join(", ")}`);
}

/** 0 unchanged, 1 changed, 3 unknown. */
function exitStatus(reply: Extract<ToolReply, { ok: true }>): number {
  const { status } = webComparisonSchema.parse(reply.value.result);
  if (status === "unchanged") return 0;
  return status === "unknown" ? 3 : 1;
}
