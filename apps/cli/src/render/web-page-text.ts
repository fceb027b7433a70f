import type { ElectronPageSummary, RuntimeSummary, RuntimeTargetList, WebPageSummary, WebScreenshot, WebTarget, WebTargetList, WebTimelineSummary } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import type { Style } from "./style.js";
import { leftOutLines, listLines, section, shortened } from "./web-lines.js";

export function targetListText({ browser, targets, excluded, limitations }: WebTargetList, style: Style): string {
  const others = Object.entries(excluded).filter(([, count]) => count > 0).map(([reason, count]) => `${reason.replaceAll("_", " ")} ${grouped(count)}`);
  return [
    section(`${browser.product}, protocol ${browser.protocol_version}`, targetLines(targets.items, targets.total ?? targets.items.length, style), style),
    targets.items.length === 0 ? "  no page that can be looked at\n" : "",
    others.length === 0 ? "" : style.dim(`  not listed: ${others.join(", ")}\n`),
    limitations.map((text) => style.dim(`  ${text}\n`)).join(""),
  ].join("");
}

export function runtimeListText({ runtime, targets, excluded, limitations }: RuntimeTargetList, style: Style): string {
  return [
    section(runtime.product, targetLines(targets.items, targets.total ?? targets.items.length, style), style),
    excluded.unsupported_type === 0 ? "" : style.dim(`  not listed: ${grouped(excluded.unsupported_type)} of other types\n`),
    limitations.map((text) => style.dim(`  ${text}\n`)).join(""),
  ].join("");
}

function targetLines(targets: readonly WebTarget[], total: number, style: Style): string[] {
  return listLines(targets, total, ({ target_id, title, url, attached }) => `  ${style.code(target_id)}  ${shortened(title, 60)}${attached === true ? style.warn(" (held by another client)") : ""}\n      ${shortened(url, 120)}`, style);
}

/** What a page is made of, for a person. */
export function webPageText(page: WebPageSummary, style: Style): string {
  const { network, storage, console, websocket } = page;
  return [
    headText(page, style),
    structureText(page, style),
    section(`Requests in ${grouped(page.capture_window.requested_ms)} ms`, listLines(network.items, network.total, ({ method, url, status, outcome }) => `  ${method} ${shortened(url, 100)} ${status === null ? outcome : String(status)}`, style), style),
    section("Messages of sockets", websocket.total === 0 ? [] : [`  ${grouped(websocket.total)} events`], style),
    section("Console", listLines(console.items, console.total, ({ kind, url, line, text }) => `  ${kind}${url === null ? "" : ` ${shortened(url, 80)}:${String((line ?? 0) + 1)}`}${text === null ? "" : ` ${shortened(text, 80)}`}`, style), style),
    section("Storage", listLines(storage.items, storage.total, ({ scope, origin, entries, keys }) => `  ${scope.replaceAll("_", " ")} of ${origin}: ${entries === null ? "unknown" : grouped(entries)}${keys === null || keys.items.length === 0 ? "" : ` (${keys.items.map((key) => shortened(key, 40)).join(", ")}${keys.truncated ? ", …" : ""})`}`, style), style),
    section("Remarks", leftOutLines(page, style), style),
  ].join("");
}

export function electronPageText(page: ElectronPageSummary, style: Style): string {
  const { local_paths: paths } = page;
  return [
    headText(page, style),
    structureText(page, style),
    section("Files", listLines(paths.items, paths.total, ({ path, url, state }) => `  ${state === "file" ? "" : `${state.replaceAll("_", " ")} `}${shortened(path ?? url, 120)}`, style), style),
    section("Remarks", leftOutLines(page, style), style),
  ].join("");
}

type Structure = Pick<WebPageSummary, "frames" | "dom" | "scripts" | "resources" | "workers">;

function structureText({ frames, dom, scripts, resources, workers }: Structure, style: Style): string {
  const elements = dom.elements.map(({ name, count }) => `${name} ${grouped(count)}`).join(", ");
  const types = resources.types.map(({ name, count }) => `${name} ${grouped(count)}`).join(", ");
  return [
    section("Frames", listLines(frames.items, frames.total, ({ frame, url, out_of_process }) => `  ${frame}  ${shortened(url, 110)}${out_of_process ? style.dim(" (another process)") : ""}`, style), style),
    section("Document", dom.state === "unavailable" ? [style.warn("  could not be read")] : [`  ${grouped(dom.total)} nodes: ${elements}`], style),
    section("Scripts", listLines(scripts.items, scripts.total, ({ url, kind, length, source_map }) => `  ${grouped(length).padStart(10)}  ${shortened(url === "" ? "(without a URL)" : url, 90)}${kind === "module" ? " module" : ""}${source_map === "none" ? "" : style.good(` source map ${source_map}`)}`, style), style),
    section("Resources", resources.total === 0 ? [] : [`  ${types}`], style),
    section("Workers", listLines(workers.items, workers.total, ({ kind, url, running }) => `  ${kind}  ${shortened(url, 100)}${running ? "" : style.dim(" (not running)")}`, style), style),
  ].join("");
}

function headText({ browser, target, capture }: Pick<WebPageSummary, "browser" | "target" | "capture">, style: Style): string {
  return [`${style.heading(shortened(target.title === "" ? target.url : target.title, 100))}`, `  ${shortened(target.url, 140)}`, style.dim(`  ${browser.product}; capture sha256 ${capture.sha256}, ${byteSize(capture.bytes)}`)].map((line) => `${line}\n`).join("");
}

export function timelineText(summary: WebTimelineSummary, style: Style): string {
  const { timeline, target, elapsed_ms, ended_by } = summary;
  const end = ended_by === "window" ? "" : style.warn(` (ended: ${ended_by.replaceAll("_", " ")})`);
  return [
    `${style.heading(shortened(target.url, 120))} for ${grouped(elapsed_ms)} ms${end}\n`,
    listLines(timeline.items, timeline.total, ({ at_ms, kind, frame, url, detail }) => `  ${`${grouped(at_ms)} ms`.padStart(10)}  ${kind.replaceAll("_", " ")}${detail === null ? "" : ` ${detail}`}${frame === null || frame === "f0" ? "" : ` ${frame}`}${url === null ? "" : ` ${shortened(url, 100)}`}`, style).map((line) => `${line}\n`).join(""),
    section("Remarks", leftOutLines(summary, style), style),
  ].join("");
}

export function screenshotText({ path, bytes, sha256, viewport, image, limitations }: WebScreenshot, style: Style): string {
  const lines = [path, `  ${grouped(image.width)} × ${grouped(image.height)} pixels of a viewport of ${grouped(viewport.width)} × ${grouped(viewport.height)}, ${byteSize(bytes)}`, style.dim(`  sha256 ${sha256}`), ...limitations.map((text) => style.dim(`  ${text}`))];
  return lines.map((line) => `${line}\n`).join("");
}

export function runtimeText(summary: RuntimeSummary, style: Style): string {
  const { runtime, target, contexts, scripts, events, excluded, unknowns } = summary;
  return [
    `${style.heading(shortened(target.title === "" ? target.url : target.title, 100))} (${runtime.product}, said to be ${summary.runtime_kind})\n`,
    section("Contexts", listLines(contexts.items, contexts.total, ({ name, kind }) => `  ${kind}  ${shortened(name, 100)}`, style), style),
    section(`Scripts: ${grouped(scripts.application)} of the application, ${grouped(scripts.runtime)} of the runtime, ${grouped(scripts.unnamed)} without a name`, listLines(scripts.items, scripts.total, ({ url, length, source_map }) => `  ${grouped(length).padStart(10)}  ${shortened(url === "" ? "(without a name)" : url, 100)}${source_map === "none" ? "" : style.good(` source map ${source_map}`)}`, style), style),
    section("Events", listLines(events.items, events.total, ({ kind, detail, url, line, times }) => `  ${kind.replaceAll("_", " ")} ${detail}${url === null ? "" : ` ${shortened(url, 80)}:${String((line ?? 0) + 1)}`}${times === 1 ? "" : ` (${grouped(times)} times)`}`, style), style),
    excluded.scripts === 0 ? "" : style.dim(`  not listed: ${grouped(excluded.scripts)} scripts outside the allowed roots and origins\n`),
    section("Not known", unknowns.map(({ question, reason }) => style.dim(`  ${question} ${reason}`)), style),
    section("Remarks", leftOutLines(summary, style), style),
  ].join("");
}
