import { webBundleAnalysisSchema, webBundleSummarySchema, webPageCaptureSchema, webTargetListSchema, type ErrorObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { choiceOption, operand, textOption } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { jsonText } from "../output.js";
import { targetListText } from "../render/web-page-text.js";
import { webReportText } from "../render/web-bundle-text.js";
import { UsageError } from "../usage-error.js";

export const webOptions = {
  target: textOption("target", "Page of the browser to look at; rea web ENDPOINT lists them"),
  origin: { type: "string", array: true, requiresArg: true, describe: "Exact origin to look at beside the page's own; may be repeated" },
  "observe-ms": textOption("observe-ms", "How long events are gathered, at most 10000"),
  "source-maps": { type: "boolean", describe: "Also fetch source maps of allowed origins", default: false },
  sandbox: choiceOption("sandbox", ["enabled", "disabled"], "Of a browser that is started; root has to disable it"),
} as const;

interface Arguments extends OutputArguments {
  readonly where: string;
  readonly target?: string | undefined;
  readonly origin?: string[] | undefined;
  readonly "observe-ms"?: string | undefined;
  readonly "source-maps": boolean;
  readonly sandbox?: string | undefined;
}

/** Captures anew so often when the page goes to another document meanwhile. */
const tries = 3;

/** `rea web URL-or-endpoint`: what a page is made of, from a running browser or one that is started for it. */
export function webCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "web <where>",
    describe: "What a web page is made of: a URL, or the debugging endpoint of a running browser.",
    builder: (argv) =>
      argv
        .positional("where", operand("where", "A URL, or http://127.0.0.1:PORT of a browser's debugging port"))
        .options(webOptions)
        .options({ ...outputOptions, output: { ...outputOptions.output, describe: "Write the whole capture and analysis to this file, as JSON" } }),
    handler: async (given) => {
      finish(await inSession({ ...given, path: undefined }, (session) => look(session, given)));
    },
  };
}

async function look(session: CommandSession, given: Arguments): Promise<number> {
  const url = urlOf(given.where);
  observeMs(given);
  if (given.target !== undefined && !isEndpoint(given.where)) throw new UsageError("--target goes with the endpoint of a running browser");
  const listed = isEndpoint(given.where) ? await session.call("list_browser_targets", { cdp_endpoint: given.where }) : undefined;
  if (listed !== undefined && (listed.ok || !isNoBrowser(listed.error))) return lookThrough(session, given, listed);
  if (given.target !== undefined) throw new UsageError("--target goes with the endpoint of a running browser, which does not listen there");
  const shown = await session.showPage(url, given.sandbox === "disabled" ? "disabled" : "enabled");
  if (!shown.ok) return session.fail(shown.error);
  try {
    return await report(session, given, { cdp_endpoint: shown.page.cdp_endpoint, target_id: shown.page.target_id }, shown.page.limitations);
  } finally {
    await shown.page.close();
  }
}

/** The pages of a running browser; the one that was named, or the only one, is looked at. */
async function lookThrough(session: CommandSession, given: Arguments, listed: ToolReply): Promise<number> {
  if (!listed.ok) return session.fail(listed.error);
  const { targets } = webTargetListSchema.parse(listed.value.result);
  const chosen = given.target ?? (targets.total === 1 ? targets.items[0]?.target_id : undefined);
  if (chosen !== undefined) return report(session, given, { cdp_endpoint: given.where, target_id: chosen }, []);
  if (session.json) return session.print(listed);
  session.text(targetListText(webTargetListSchema.parse(listed.value.result), session.style));
  session.text(`\nLook at one with: rea web ${given.where} --target ID\n`);
  return 0;
}

async function report(session: CommandSession, given: Arguments, page: { readonly cdp_endpoint: string; readonly target_id: string }, limitations: readonly string[]): Promise<number> {
  const input = {
    ...page,
    include: ["storage_keys", "storage_fingerprints"],
    observation_ms: observeMs(given),
    fetch_source_maps: given["source-maps"],
    ...(given.origin === undefined ? {} : { allowed_origins: await originsOf(session, page, given.origin) }),
  };
  const reply = await analyzed(session, input);
  if (!reply.ok) return session.fail(reply.error);
  const summary = webBundleSummarySchema.parse(reply.value.result);
  const capture = webPageCaptureSchema.parse(session.whole(summary.capture.sha256));
  const analysis = webBundleAnalysisSchema.parse(session.whole(summary.analysis.sha256));
  if (given.output !== undefined && given.format !== "text") session.output.write(jsonText({ capture, analysis }, false));
  else if (session.json) session.output.write(jsonText(reply.value, session.output.terminal));
  else session.text(webReportText(capture, { ...analysis, limitations: [...limitations, ...analysis.limitations] }, session.style));
  return session.save({});
}

async function analyzed(session: CommandSession, input: { readonly [field: string]: unknown }): Promise<ToolReply> {
  for (let left = tries; ; left -= 1) {
    const reply = await session.call("analyze_web_bundle", input);
    const changed = !reply.ok && reply.error.details?.["reason"] === "target_changed";
    if (!changed || left === 1) return reply;
  }
}

/** The page's own origin, which is the default, stays allowed beside those that were named. */
async function originsOf(session: CommandSession, page: { readonly cdp_endpoint: string; readonly target_id: string }, named: readonly string[]): Promise<string[]> {
  const listed = await session.call("list_browser_targets", { cdp_endpoint: page.cdp_endpoint, limit: 200 });
  const own = listed.ok ? webTargetListSchema.parse(listed.value.result).targets.items.find(({ target_id }) => target_id === page.target_id)?.origin : undefined;
  return [...new Set([...(own === undefined ? [] : [own]), ...named])];
}

function observeMs({ "observe-ms": given }: Arguments): number {
  if (given === undefined) return 1000;
  if (!/^\d{1,5}$/u.test(given) || Number(given) > 10_000) throw new UsageError("--observe-ms takes milliseconds, at most 10000");
  return Number(given);
}

function isEndpoint(where: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d{1,5}$/.test(where);
}

/** Something else than a debugging port answers there: a site on this host, most likely. */
function isNoBrowser({ details }: ErrorObject): boolean {
  const reason = details?.["reason"];
  return reason === "invalid_endpoint_response" || reason === "payload_limit";
}

function urlOf(where: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(where) ? where : `https://${where}`;
  if (!URL.canParse(text)) throw new UsageError("<where> takes a URL, or the endpoint of a running browser");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new UsageError("<where> takes an http or https URL");
  if (url.username !== "" || url.password !== "") throw new UsageError("<where> takes a URL without user and password");
  return url.href;
}
