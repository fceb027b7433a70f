import { escapeUntrusted, type JsonObject } from "@rea/core";
import type { Overview } from "@rea/tools";
import { byteSize, commandLine, grouped } from "./figures.js";
import type { PageOptions } from "./front-page-text.js";
import { table } from "./table.js";

/** How the file was opened, for the commands that go on with it; words of the command line. */
export interface OverviewPageOptions extends PageOptions {
  readonly openedWith: readonly string[];
}

/** The page about code without a header that could be read, such as raw machine code: what the analysis alone can say. */
export function renderOverviewPage(overview: Overview, opened: JsonObject, options: OverviewPageOptions): string {
  const { style, path } = options;
  const name = escapeUntrusted(path.split(/[\\/]/).pop() ?? path);
  const what = options.openedWith.length > 0 ? "Raw machine code, read as it was asked for." : "Code whose container is not described here.";
  const rows = [
    ["architecture", overview.architecture ?? "unknown"],
    ["size", typeof opened["bytes"] === "number" ? byteSize(opened["bytes"]) : ""],
    ["sha256", typeof opened["sha256"] === "string" ? opened["sha256"] : ""],
    ["counts", counts(overview)],
    ["entry points", entryPoints(overview)],
    ["code", codeText(overview)],
  ].filter(([, value]) => value !== "");
  const parts = [
    `${style.heading(name)}\n${what}\n`,
    rows.map(([label = "", value = ""]) => `${style.dim(label.padEnd(13))} ${value}\n`).join(""),
    largest(overview, options),
    list("Not on this page", overview.limitations, options),
    next(overview, options),
  ];
  return parts.filter((text) => text !== "").join("\n");
}

function counts({ procedure_count, string_count, name_count, segment_count }: Overview): string {
  const all = { functions: procedure_count, strings: string_count, names: name_count, segments: segment_count };
  return Object.entries(all)
    .flatMap(([name, value]) => (value === null ? [] : [`${grouped(value)} ${name}`]))
    .join(", ");
}

function entryPoints({ entry_points }: Overview): string {
  const shown = entry_points.slice(0, 4).map(({ address, name, kind }) => `${address}${name === null ? "" : ` ${name}`} (${kind})`);
  return `${shown.join(", ")}${entry_points.length > shown.length ? `, ${grouped(entry_points.length - shown.length)} more` : ""}`;
}

function codeText({ code_coverage: figures }: Overview): string {
  if (figures === undefined) return "";
  return `${grouped(figures.examined_code_bytes)} of ${grouped(figures.code_bytes)} bytes of code examined`;
}

function largest({ largest_procedures = [] }: Overview, { width, style }: PageOptions): string {
  if (largest_procedures.length === 0) return "";
  const columns = [{ title: "address" }, { title: "bytes", align: "right" as const }, { title: "name" }];
  const rows = largest_procedures.map(({ address, name, size }) => [address, grouped(size), name]);
  return `${style.heading("Largest functions")}\n${table(columns, rows, width)}`;
}

function list(heading: string, lines: readonly string[], { style }: PageOptions): string {
  return lines.length === 0 ? "" : `${style.heading(heading)}\n${lines.map((line) => `  - ${line}\n`).join("")}`;
}

function next(overview: Overview, { path, style, openedWith }: OverviewPageOptions): string {
  const address = overview.largest_procedures?.[0]?.address ?? overview.entry_points[0]?.address;
  const first = address === undefined ? [] : [["function", "PATH", address, ...openedWith]];
  const commands = [...first, ["binary-overview", "PATH", ...openedWith]].map((words) => `  ${style.code(commandLine(words, path))}\n`);
  return `${style.heading("Next")}\n${commands.join("")}`;
}
