import { escapeUntrusted, omission, type Omission, type ScriptReader, type WebAnalysisLimits, type WebBundleAnalysis } from "@rea/core";
import { resolvedUrl, type SeenScript } from "../page/script-collector.js";
import { pageUrl } from "../page/page-text.js";
import type { OriginPolicy } from "../targets/origins.js";
import { fetchText, type FetchedText } from "./fetch-text.js";

type WebSourceMap = WebBundleAnalysis["observations"]["source_maps"][number];

export interface SourceMapContext {
  readonly reader: ScriptReader;
  readonly policy: OriginPolicy;
  readonly limits: WebAnalysisLimits;
  /** External maps are fetched; otherwise only named. */
  readonly fetch: boolean;
  readonly signal: AbortSignal;
}

/** Names of original sources that an answer carries for each map. */
const shownNames = 20;

/** Reads the maps that scripts name: inline ones always, external ones of allowed origins when that was asked for. */
export async function readSourceMaps(scripts: readonly SeenScript[], context: SourceMapContext): Promise<{ readonly maps: WebSourceMap[]; readonly omissions: Omission[] }> {
  const named = scripts.filter(({ sourceMapUrl }) => sourceMapUrl !== null);
  const maps: WebSourceMap[] = [];
  const budget = { bytes: context.limits.total_source_map_bytes };
  for (const script of named.slice(0, context.limits.source_maps)) maps.push(await readOne(script, context, budget));
  const omissions: Omission[] = [];
  const left = named.length - maps.length;
  if (left > 0) omissions.push(omission("source_maps", "limit_items", { count: left, limit: context.limits.source_maps, how_to_continue: "Raise analysis_limits.source_maps." }));
  const unread = maps.filter(({ verdict }) => verdict === "not_read").length;
  if (unread > 0) omissions.push(omission("source_maps", "not_examined", { count: unread, how_to_continue: "Call again with fetch_source_maps: true." }));
  const cut = maps.filter(({ verdict }) => verdict === "partial").length;
  if (cut > 0) omissions.push(omission("source_maps", "limit_items", { count: cut, how_to_continue: "Raise analysis_limits.mappings or analysis_limits.original_sources." }));
  const failed = maps.filter(({ verdict }) => verdict === "failed").length;
  if (failed > 0) omissions.push(omission("source_maps", "unreadable", { count: failed }));
  return { maps, omissions };
}

async function readOne(script: SeenScript, context: SourceMapContext, budget: { bytes: number }): Promise<WebSourceMap> {
  const { item, sourceMapUrl } = script;
  const given = sourceMapUrl ?? "";
  const empty = { script_id: item.script_id, url: item.source_map_url, reason: null, bytes: null, sources: 0, sources_with_content: 0, mappings: 0, names: [] };
  if (/^data:/i.test(given)) return read({ ...empty, state: "inline", url: null }, inlineText(given, Math.min(context.limits.source_map_bytes, budget.bytes)), context, budget);
  const url = resolvedUrl(given, script.url);
  if (url === undefined || !/^https?:/i.test(url)) return { ...empty, state: "refused", verdict: "not_read", reason: "The map is not behind an http or https URL." };
  if (!context.policy.allowsUrl(url)) return { ...empty, state: "refused", verdict: "not_read", reason: "The map is of an origin that is not allowed." };
  const external = { ...empty, state: "external" as const, url: pageUrl(url) };
  if (!context.fetch) return { ...external, verdict: "not_read", reason: "Maps are fetched only with fetch_source_maps." };
  const maximumBytes = Math.min(context.limits.source_map_bytes, budget.bytes);
  return read(external, await fetchText(url, { maximumBytes, signal: context.signal }), context, budget);
}

type Named = Omit<WebSourceMap, "verdict">;

async function read(named: Named, found: FetchedText, { reader, limits }: SourceMapContext, budget: { bytes: number }): Promise<WebSourceMap> {
  if (found.state === "failed") return { ...named, verdict: "failed", reason: found.reason };
  const bytes = Buffer.byteLength(found.text);
  budget.bytes -= bytes;
  const map = await reader.readSourceMap(found.text, { sources: limits.original_sources, mappings: limits.mappings });
  return {
    ...named,
    verdict: map.verdict,
    reason: map.problems[0] === undefined ? null : escapeUntrusted(map.problems[0]).slice(0, 512),
    bytes,
    sources: map.sources.length,
    sources_with_content: map.sources.filter(({ content }) => content !== null).length,
    mappings: map.mappings,
    names: map.sources.slice(0, shownNames).map(({ name }) => pageUrl(name)),
  };
}

/** The text of a `data:` URL, RFC 2397. */
function inlineText(url: string, maximumBytes: number): FetchedText {
  const comma = url.indexOf(",");
  if (comma < 0) return { state: "failed", reason: "The inline map has no data." };
  const isBase64 = /;base64$/i.test(url.slice(0, comma).trimEnd());
  const data = url.slice(comma + 1);
  if (data.length > maximumBytes * 4) return { state: "failed", reason: "The inline map is larger than the limit." };
  const text = isBase64 ? Buffer.from(data, "base64").toString("utf8") : percentDecoded(data);
  if (text === undefined) return { state: "failed", reason: "The inline map is not encoded as it says." };
  if (Buffer.byteLength(text) > maximumBytes) return { state: "failed", reason: "The inline map is larger than the limit." };
  return { state: "read", text };
}

function percentDecoded(data: string): string | undefined {
  try {
    return decodeURIComponent(data);
  } catch {
    return undefined;
  }
}
