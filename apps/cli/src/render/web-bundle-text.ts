import type { WebBundleAnalysis, WebBundleSummary, WebPageCapture } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import type { Style } from "./style.js";
import { excludedText, leftOutLines, listLines, section, shortened } from "./web-lines.js";

type Finding = WebBundleAnalysis["observations"]["endpoints"][number];
type SourceMap = WebBundleAnalysis["observations"]["source_maps"][number];

/** What `analyze_web_bundle` answers, for a person. */
export function webBundleText(summary: WebBundleSummary, style: Style): string {
  const { observations, inferences, target, unknowns } = summary;
  const { chunks, endpoints, routes, source_maps: maps } = observations;
  return [
    `${style.heading(shortened(target.title === "" ? target.url : target.title, 100))}\n  ${shortened(target.url, 140)}\n`,
    section("Built with", inferences.map(inferenceLine), style),
    section("Scripts, chunks and modules", listLines(chunks.items, chunks.total, ({ kind, name, length }) => `  ${kind.padEnd(6)} ${shortened(name, 110)}${length === null ? "" : ` ${grouped(length)}`}`, style), style),
    section("Endpoints in the code", listLines(endpoints.items, endpoints.total, findingLine, style), style),
    section("Routes in the code", listLines(routes.items, routes.total, findingLine, style), style),
    section("Source maps", listLines(maps.items, maps.total, mapLine, style), style),
    section("Not known", unknowns.map(({ question, reason }) => style.dim(`  ${question} ${reason}`)), style),
    section("Remarks", leftOutLines(summary, style), style),
  ].join("");
}

function inferenceLine({ kind, value, basis, confidence }: WebBundleAnalysis["inferences"][number]): string {
  return `  ${kind.replaceAll("_", " ").padEnd(9)} ${shortened(value, 60)} (${confidence}, from ${basis})`;
}

function findingLine({ value, basis, confidence }: Finding): string {
  return `  ${shortened(value, 100)} (${confidence}, ${basis})`;
}

function mapLine({ url, state, verdict, sources }: SourceMap): string {
  return `  ${state.padEnd(8)} ${verdict.replaceAll("_", " ")}${sources === 0 ? "" : `, ${grouped(sources)} sources`}${url === null ? "" : ` ${shortened(url, 90)}`}`;
}

const shownScripts = 40;
const shownFindings = 30;

/** One page's make-up as `rea web` reports it: from the whole capture and the whole analysis. */
export function webReportText(capture: WebPageCapture, analysis: WebBundleAnalysis, style: Style): string {
  const { target, browser, frames, scripts, storage, workers, completeness } = capture;
  const { endpoints, routes, chunks, source_maps: maps } = analysis.observations;
  const written = chunks.filter(({ kind }) => kind !== "script");
  return [
    `${style.heading(shortened(target.title === "" ? target.url : target.title, 100))}\n  ${shortened(target.url, 140)}\n${style.dim(`  ${browser.product}\n`)}`,
    section("Built with", analysis.inferences.map(inferenceLine), style),
    section("Frames", frames.items.map(({ frame, url }) => `  ${frame}  ${shortened(url, 110)}`), style),
    section(`Scripts (${grouped(scripts.items.length)}, ${byteSize(scripts.items.reduce((sum, { length }) => sum + length, 0))})`, limited(largest(capture), shownScripts, ({ url, length, source_map }) => `  ${grouped(length).padStart(10)}  ${shortened(url === "" ? "(without a URL)" : url, 90)}  ${sourceMapText(source_map, style)}`, style), style),
    section(`Chunks and modules in them (${grouped(written.length)})`, limited(written, shownFindings, ({ kind, name, basis }) => `  ${kind.padEnd(6)} ${shortened(name, 90)} (${basis})`, style), style),
    section("Source maps", limited(maps, shownFindings, mapLine, style), style),
    section("Origins", originLines(capture), style),
    section("Endpoints in the code", limited(endpoints, shownFindings, findingLine, style), style),
    section("Routes in the code", limited(routes, shownFindings, findingLine, style), style),
    section("Workers", workers.items.map(({ kind, url }) => `  ${kind}  ${shortened(url, 100)}`), style),
    section("Storage", storage.items.filter(({ entries }) => entries !== 0).map(({ scope, origin, entries, keys }) => `  ${scope.replaceAll("_", " ")} of ${origin}: ${entries === null ? "unknown" : grouped(entries)}${keyText(keys)}`), style),
    completeness.excluded.length === 0 ? "" : style.dim(`  of other origins, only counted: ${excludedText(completeness)}; --origin names more\n`),
    section("Remarks", leftOutLines(analysis, style), style),
  ].join("");
}

function limited<T>(items: readonly T[], most: number, line: (item: T) => string, style: Style): string[] {
  return listLines(items.slice(0, most), items.length, line, style);
}

function largest({ scripts }: WebPageCapture): WebPageCapture["scripts"]["items"] {
  return [...scripts.items].sort((a, b) => b.length - a.length);
}

function sourceMapText(state: WebPageCapture["scripts"]["items"][number]["source_map"], style: Style): string {
  return state === "none" ? style.dim("no source map") : style.good(`source map ${state}`);
}

/** Where the page's parts come from, by what it loaded. */
function originLines({ resources, network }: WebPageCapture): string[] {
  const counted = new Map<string, number>();
  for (const { url } of [...resources.items, ...network.items]) {
    if (!URL.canParse(url) || !/^(?:https?|wss?):/.test(url)) continue;
    const { protocol, host } = new URL(url);
    counted.set(`${protocol}//${host}`, (counted.get(`${protocol}//${host}`) ?? 0) + 1);
  }
  return [...counted].sort(([, a], [, b]) => b - a).map(([origin, count]) => `  ${origin}  ${grouped(count)} resources and requests`);
}

function keyText(keys: readonly string[] | null): string {
  if (keys === null || keys.length === 0) return "";
  return ` (${keys.slice(0, 12).map((key) => shortened(key, 40)).join(", ")}${keys.length > 12 ? ", …" : ""})`;
}
