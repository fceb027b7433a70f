import { isJsonObject, providerComparisonSchema } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { localPath, operand, textOption } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { exitCodeOption, verdictStatus } from "../exit-code.js";
import type { Finish } from "../finish.js";
import { crossCheckText } from "../render/cross-check-text.js";
import { UsageError } from "../usage-error.js";

export const crossCheckOptions = {
  providers: textOption("providers", "Ids of the providers, joined by commas; default all of rea providers"),
  limit: { type: "string", describe: "Items of each list, 1 to 500", default: "100" },
  offset: { type: "string", describe: "First item of each list", default: "0" },
  ...exitCodeOption,
} as const;

type Arguments = OutputArguments & { path: string; providers?: string | undefined; limit: string; offset: string; "exit-code": boolean };

/** Most that can be compared at once. */
const mostProviders = 4;

/** `rea cross-check PATH`: what the analysis providers of this host say of one program, against each other. */
export function crossCheckCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "cross-check <path>",
    describe: "Where analysis providers agree about a program, and where not.",
    builder: (argv) => argv.positional("path", operand("path", "Program to analyse with each of them")).options(crossCheckOptions).options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => crossCheck(session, given)));
    },
  };
}

async function crossCheck(session: CommandSession, given: Arguments): Promise<number> {
  const providers = given.providers === undefined ? await registered(session) : given.providers.split(",").map((id) => id.trim());
  if (providers.length < 2 || providers.length > mostProviders) throw new UsageError(`--providers takes 2 to ${String(mostProviders)} ids, joined by commas`);
  const paging = { limit: wholeNumber("limit", given.limit), offset: wholeNumber("offset", given.offset) };
  const reply = await session.call("compare_providers", { path: localPath(given.path), providers, ...paging });
  const printed = print(session, reply);
  if (printed !== 0 || !reply.ok) return printed;
  const saved = await session.save({});
  return saved === 0 && given["exit-code"] ? verdictOf(reply) : saved;
}

function print(session: CommandSession, reply: ToolReply): number {
  if (!reply.ok || session.json) return session.print(reply);
  const width = session.output.terminal ? session.output.columns : 140;
  session.text(crossCheckText(providerComparisonSchema.parse(reply.value.result), width, session.style));
  return 0;
}

function verdictOf(reply: Extract<ToolReply, { ok: true }>): number {
  const { status } = providerComparisonSchema.parse(reply.value.result);
  return verdictStatus(status === "agreement" ? "equal" : status === "differences" ? "different" : "unknown");
}

/** All that this installation knows, usable or not: what cannot be asked is told with its reason. */
async function registered(session: CommandSession): Promise<string[]> {
  const reply = await session.call("binary_session", {});
  const candidates = reply.ok && isJsonObject(reply.value.result) ? reply.value.result["analysis_provider_candidates"] : [];
  return (Array.isArray(candidates) ? candidates : []).flatMap((candidate: unknown) => {
    const provider = isJsonObject(candidate) ? candidate["provider"] : null;
    return isJsonObject(provider) && typeof provider["id"] === "string" ? [provider["id"]] : [];
  });
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number`);
}
