import { basename } from "node:path";
import type { ApplicationAnalysis, Citation } from "@rea/core";
import { byteSize, commandLine, grouped } from "./figures.js";
import { withFileName } from "./sole-file-name.js";
import type { Style } from "./style.js";
import { table } from "./table.js";

type Summary = ApplicationAnalysis["summary"];

export interface ApplicationPageOptions {
  /** As the person named it; null where the page stands for a tool's result alone. */
  readonly path: string | null;
  readonly width: number;
  readonly style: Style;
}

/** The page about an application: what it is, how it is put together, what it talks to, and what comes next. */
export function applicationText(analysis: ApplicationAnalysis, options: ApplicationPageOptions): string {
  const { style } = options;
  const found = withFileName(analysis, options.path);
  const { summary } = found;
  return [
    headline(found, options),
    entryPoints(summary, options),
    ...(summary.electron === null ? [] : [windows(summary.electron, options), bridges(summary.electron, style), channels(summary.electron, options), outside(summary.electron, style)]),
    endpoints(summary, options),
    packages(summary, options),
    addons(summary, options),
    security(summary, options),
    modules(summary, options),
    unknowns(found, options),
    leftOut(found, style),
    nextCommands(found, options),
  ].join("");
}

function headline({ summary, statistics, format, root_artifact_sha256: sha256 }: ApplicationAnalysis, { path, style }: ApplicationPageOptions): string {
  const { kind, name, product_name, version, electron_version } = summary.application;
  const title = [product_name ?? name ?? (path === null ? "Application" : basename(path)), version ?? ""].join(" ").trim();
  const what = { electron: "Electron application", node: "Node program", web: "web application", library: "library", bundle: "script", "source-map": "source map", unknown: "JavaScript files" }[kind];
  const built = summary.bundlers.map((one) => (one.version === null ? one.name : `${one.name} ${one.version}`)).join(", ");
  const frameworks = summary.frameworks.map((one) => one.name).join(", ");
  const maps = summary.source_maps;
  const rows = [
    ["what", `${what} (${format})${electron_version === null ? "" : `, Electron ${electron_version} declared`}`],
    ["files", `${grouped(statistics.entries)}; read as scripts: ${grouped(statistics.parsed_files)} (${byteSize(statistics.text_bytes)})`],
    ["modules", statistics.modules === 0 ? "" : `${grouped(statistics.modules)} in bundles${statistics.chunks === 0 ? "" : `, ${grouped(statistics.chunks)} ${statistics.chunks === 1 ? "chunk" : "chunks"}`}`],
    ["built by", built],
    ["frameworks", frameworks],
    ["source maps", statistics.source_maps + maps.missing === 0 ? "" : `${grouped(maps.complete)} complete, ${grouped(maps.partial)} partial, ${grouped(maps.contradicting)} contradicting, ${grouped(maps.missing)} missing; ${grouped(maps.originals)} originals`],
    ["sha256", sha256 ?? "none: a part could not be read"],
  ].filter(([, value]) => value !== "");
  return `${style.heading(title)}\n${rows.map(([label = "", value = ""]) => `${style.dim(label.padEnd(13))} ${value}\n`).join("")}`;
}

function section(style: Style, title: string, body: string, shown?: { readonly returned: number; readonly total: number }): string {
  if (body === "") return "";
  const rest = shown !== undefined && shown.returned < shown.total ? style.dim(` (${grouped(shown.returned)} of ${grouped(shown.total)})`) : "";
  return `${style.heading(title)}${rest}\n${body}`;
}

/** Lines of minified code are long: there the line alone leads nowhere. */
const longLine = 200;

function place({ path, line, column }: Pick<Citation, "path" | "line" | "column">): string {
  return column < longLine ? `${path}:${String(line)}` : `${path}:${String(line)}:${String(column)}`;
}

function entryPoints({ entry_points: found }: Summary, { style, width }: ApplicationPageOptions): string {
  const rows = found.items.map(({ role, requested, path, reason }) => [role, path ?? requested, reason ?? ""]);
  return rows.length === 0 ? "" : section(style, "Entry points", table([{ title: "role" }, { title: "file" }, { title: "" }], rows, width), found);
}

type Electron = NonNullable<Summary["electron"]>;

function windows({ windows: found }: Electron, { style, width }: ApplicationPageOptions): string {
  const rows = found.items.map(({ kind, web_preferences, preload, loads, at }) => [
    place(at),
    kind,
    preload === null ? "" : `preload ${preload.path ?? preload.requested ?? "?"}`,
    [...web_preferences.map(({ name, value, state }) => `${name}=${state === "dynamic" ? "?" : JSON.stringify(value)}`), ...loads.map(({ path, target }) => `loads ${path ?? target ?? "?"}`)].join(" "),
  ]);
  return rows.length === 0 ? "" : section(style, "Windows", table([{ title: "place" }, { title: "kind" }, { title: "preload" }, { title: "settings" }], rows, width), found);
}

function bridges({ bridges: found }: Electron, style: Style): string {
  const lines = found.items.map(({ key, members, members_total, at }) => {
    const names = members.slice(0, 8).join(", ");
    return `  window.${key ?? "?"}  ${style.dim(place(at))}  ${names}${members_total > 8 ? `, … (${grouped(members_total)})` : ""}\n`;
  });
  return section(style, "APIs handed to pages", lines.join(""), found);
}

function channels({ channels: found, ipc }: Electron, { style, width }: ApplicationPageOptions): string {
  const rows = found.items.map(({ channel, direction, state, senders, handlers }) => {
    const handler = handlers.map((one) => `${place(one)}${one.sender_checks.length === 0 ? "" : ` (looks at ${one.sender_checks.join(", ")})`}`).join(", ");
    return [channel, direction, state, handler, senders.map(place).join(", ")];
  });
  if (rows.length === 0 && ipc.operations === 0) return "";
  const counts = `  ${grouped(ipc.paired)} paired, ${grouped(ipc.ambiguous)} ambiguous, ${grouped(ipc.unpaired)} unpaired, ${grouped(ipc.dynamic_channel_operations)} calls with a channel decided at run time\n`;
  const columns = [{ title: "channel" }, { title: "kind" }, { title: "state" }, { title: "handler" }, { title: "sent from" }];
  return section(style, "Messages between processes", (rows.length === 0 ? "" : table(columns, rows, width)) + style.dim(counts), found);
}

/** What reaches the application from outside its windows: schemes of its own, and updates. */
function outside({ protocols, updaters, fuses, asar_integrity: integrity }: Electron, style: Style): string {
  const rows = [
    ...protocols.items.map(({ scheme, method, at }) => [`${scheme ?? "(decided at run time)"}:`, method, place(at)]),
    ...updaters.items.map(({ kind, value, at }) => ["updates", value === null ? kind : `${kind} ${value}`, place(at)]),
    ...fuses.map(({ name, state, path }) => ["fuse", `${name} ${state}`, path]),
    ...integrity.map(({ path, verdict }) => ["archive", verdict, path]),
  ];
  const total = rows.length + protocols.total - protocols.items.length + updaters.total - updaters.items.length;
  return section(style, "Schemes, updates and packaging", rows.map(([what = "", how = "", where = ""]) => `  ${what.padEnd(12)} ${how}  ${style.dim(where)}\n`).join(""), { returned: rows.length, total });
}

function endpoints({ endpoints: found }: Summary, { style, width }: ApplicationPageOptions): string {
  const rows = found.items.flatMap(({ host, total, items }) =>
    items.slice(0, 3).map(({ value, method, basis, at }, index) => [index === 0 ? `${host === "" ? "(own host)" : host}${total > 1 ? ` ×${String(total)}` : ""}` : "", method ?? "", basis === "url-literal" ? "written" : "called", place(at), value]),
  );
  return rows.length === 0 ? "" : section(style, "Endpoints by host", table([{ title: "host" }, { title: "" }, { title: "how" }, { title: "place" }, { title: "address" }], rows, width), found);
}

function packages({ packages: found }: Summary, { style, width }: ApplicationPageOptions): string {
  const rows = found.items.slice(0, 20).map(({ name, version, identified_by, occurrences }) => [name, version ?? "?", identified_by, occurrences[0]?.path ?? ""]);
  return rows.length === 0 ? "" : section(style, "Packages", table([{ title: "name" }, { title: "version" }, { title: "known by" }, { title: "where" }], rows, width), { returned: rows.length, total: found.total });
}

function addons({ native_addons: found }: Summary, { style, width }: ApplicationPageOptions): string {
  const rows = found.items.map(({ path, requested, requested_at }) => [path ?? "(not found)", requested ?? "", requested_at.map(place).join(", ")]);
  return rows.length === 0 ? "" : section(style, "Native addons", table([{ title: "file" }, { title: "asked for as" }, { title: "by" }], rows, width), found);
}

function security({ security: lines }: Summary, { style }: ApplicationPageOptions): string {
  const mark = { set: style.good("set     "), weakened: style.bad("weakened"), present: style.good("present "), absent: style.warn("absent  "), unknown: style.warn("unknown ") };
  const body = lines.map(({ check, finding, statement, at, total }) => {
    const places = at.slice(0, 3).map(place).join(", ");
    return `  ${mark[finding]} ${check.padEnd(24)} ${statement}${places === "" ? "" : ` ${style.dim(places + (total > 3 ? ` and ${String(total - 3)} more` : ""))}`}\n`;
  });
  return section(style, "Security", body.join(""));
}

function modules({ biggest_modules: found }: Summary, { style, width }: ApplicationPageOptions): string {
  const rows = found.slice(0, 8).map(({ path, module, original, bytes }) => [byteSize(bytes).replace(/ \(.*/u, ""), module ?? path, original ?? "", module === null ? "" : path]);
  return rows.length === 0 ? "" : section(style, "Biggest modules", table([{ title: "size", align: "right" }, { title: "module" }, { title: "mostly from" }, { title: "in" }], rows, width));
}

function unknowns({ unknowns: found }: ApplicationAnalysis, { style, width }: ApplicationPageOptions): string {
  const rows = found.items.map(({ unknown, path, line, column, value, reason }) => [unknown, path === null ? "" : line === null ? path : place({ path, line, column: column ?? 0 }), value ?? "", reason]);
  return rows.length === 0 ? "" : section(style, "Not settled by reading", table([{ title: "what" }, { title: "place" }, { title: "value" }, { title: "why" }], rows, width), found);
}

function leftOut({ coverage }: ApplicationAnalysis, style: Style): string {
  const lines = coverage.omissions.map(({ scope, count, how_to_continue: next }) => `  ${style.warn(scope)}${count === null ? "" : ` (${grouped(count)})`} ${style.dim(next ?? "")}\n`);
  return section(style, "Left out", lines.join(""));
}

function nextCommands({ summary, statistics }: ApplicationAnalysis, { path, style }: ApplicationPageOptions): string {
  if (path === null) return "";
  const channel = summary.electron?.channels.items.find(({ state }) => state === "paired")?.channel;
  const commands = [
    ["search", "PATH", "text"],
    ...(summary.source_maps.originals > 0 ? [["recover-sources", "PATH", "--output", "DIR"]] : []),
    ...(channel === undefined ? [] : [["trace-application-feature", "PATH", "channel", channel]]),
    ["analyze-javascript-application", "PATH", "--list", "edges"],
    ["analyze", "PATH", "--json"],
    ...(statistics.entries > 1 ? [["inspect-artifact", "--path", "PATH"]] : []),
  ];
  return section(style, "Next", commands.map((words) => `  ${style.code(commandLine(words, path))}\n`).join(""));
}
