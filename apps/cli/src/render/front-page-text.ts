import { escapeUntrusted, type JsonObject } from "@rea/core";
import type { FrontPage } from "@rea/tools";
import { byteSize, commandLine, grouped } from "./figures.js";
import type { Style } from "./style.js";
import { cut, table } from "./table.js";

export interface PageOptions {
  readonly path: string;
  readonly width: number;
  readonly style: Style;
}

/** The front page as a person reads it. Empty parts are left out; what is missing is said at the end. */
export function renderFrontPage(page: FrontPage, opened: JsonObject, options: PageOptions): string {
  const parts = [
    title(page, opened, options),
    facts(page, options),
    part("Sections", sections(page, options), options),
    part("Imports that tell something", imports(page, options), options),
    part("Strings", strings(page, options), options),
    part("Largest functions", functions(page.largest_procedures.map((row) => [row.address, row.demangled ?? row.name, grouped(row.size)]), "bytes", options), options),
    part("Most called functions", functions(page.most_called_procedures.map((row) => [row.address, row.demangled ?? row.name, grouped(row.callers)]), "callers", options), options),
    part("Contradictions in the file", bullets(page.anomalies, options), options),
    part("Not on this page", bullets(page.limitations, options), options),
    part("Next", next(page, options), options),
  ];
  return parts.filter((text) => text !== "").join("\n");
}

function title(page: FrontPage, opened: JsonObject, { path, style, width }: PageOptions): string {
  const name = escapeUntrusted(path.split(/[\\/]/).pop() ?? path);
  const bytes = typeof opened["bytes"] === "number" ? `${byteSize(opened["bytes"])}, ` : "";
  const digest = typeof opened["sha256"] === "string" ? `sha256 ${opened["sha256"]}` : "";
  return `${cut(style.heading(name), width)}\n${wrap(page.sentence, width)}\n${style.dim(`${bytes}${digest}`)}\n`;
}

function facts(page: FrontPage, { style, width }: PageOptions): string {
  const linkage = page.linkage.libraries.length === 0 ? page.linkage.kind : `${page.linkage.kind}: ${page.linkage.libraries.join(", ")}`;
  const counts = page.counts.flatMap(({ name, value }) => (value === null ? [] : [`${grouped(value)} ${name}`]));
  const entries = page.entry_points.slice(0, 4).map((entry) => `${entry.address}${entry.name === null ? "" : ` ${entry.name}`} (${entry.kind})`);
  const rows: [string, string][] = [
    ["format", page.format],
    ["architecture", architecture(page)],
    ["toolchain", toolchain(page)],
    ["linkage", linkage],
    ["mitigations", page.mitigations.map((item) => mitigation(item, style)).join("  ")],
    ["counts", counts.join(", ")],
    ["entry points", more(entries, page.entry_points.length)],
    ["code", page.code_coverage ?? "not analysed"],
  ];
  const shown = rows.filter(([, value]) => value !== "");
  return shown.map(([label, value]) => `${style.dim(label.padEnd(13))} ${hang(value, width)}\n`).join("");
}

function architecture({ architecture: one, available_architectures: all }: FrontPage): string {
  const others = all.filter((name) => name !== one);
  return `${one ?? "unknown"}${others.length === 0 ? "" : ` (also inside: ${others.join(", ")})`}`;
}

function toolchain({ toolchain: guess }: FrontPage): string {
  if (guess === null) return "unknown";
  const version = guess.version === null ? "" : ` ${guess.version}`;
  const language = guess.language === null ? "" : `, ${guess.language}`;
  return `probably ${guess.name}${version}${language} (${guess.basis.join("; ")})`;
}

function mitigation({ name, state }: FrontPage["mitigations"][number], style: Style): string {
  const text = `${name.replaceAll("_", "-")} ${state}`;
  if (name === "stripped") return text;
  if (state === "enabled" || state === "full") return style.good(text);
  return state === "partial" ? style.warn(text) : style.bad(text);
}

function more(items: readonly string[], total: number): string {
  const rest = total > items.length ? `, ${grouped(total - items.length)} more` : "";
  return `${items.join(", ")}${rest}`;
}

function sections(page: FrontPage, { width }: PageOptions): string {
  if (page.sections.length === 0) return "";
  const rows = page.sections.map((row) => [
    row.name,
    row.address ?? "",
    grouped(row.size),
    row.entropy_millibits === null ? "" : (row.entropy_millibits / 1000).toFixed(2),
    row.remark ?? "",
  ]);
  const columns = [{ title: "name" }, { title: "address" }, { title: "bytes", align: "right" as const }, { title: "entropy", align: "right" as const }, { title: "" }];
  return table(columns, rows, width);
}

function imports(page: FrontPage, { width, style }: PageOptions): string {
  return page.imports.map((group) => `  ${style.dim(`${group.meaning}:`)} ${hang(group.names.join(", "), width, 4)}\n`).join("");
}

function strings(page: FrontPage, { width }: PageOptions): string {
  if (page.strings.length === 0) return "";
  const rows = page.strings.map((row) => [row.address, String(row.references), row.value]);
  return table([{ title: "address" }, { title: "uses", align: "right" }, { title: "text" }], rows, width);
}

function functions(rows: readonly (readonly [address: string, name: string, figure: string])[], unit: string, { width }: PageOptions): string {
  if (rows.length === 0) return "";
  return table([{ title: "address" }, { title: unit, align: "right" }, { title: "name" }], rows.map(([address, name, figure]) => [address, figure, name]), width);
}

function bullets(lines: readonly string[], { width }: PageOptions): string {
  return lines.map((line) => `  - ${hang(line, width, 4)}\n`).join("");
}

function next(page: FrontPage, { path, style }: PageOptions): string {
  const commands = page.next_commands.map(({ words, why }) => ({ text: commandLine(words, path), why }));
  const width = Math.max(...commands.map(({ text }) => text.length));
  return commands.map(({ text, why }) => `  ${style.code(text.padEnd(width))}  ${style.dim(why)}\n`).join("");
}

function part(heading: string, body: string, { style }: PageOptions): string {
  return body === "" ? "" : `${style.heading(heading)}\n${body}`;
}

/** Breaks at blanks; later lines are indented by `indent`. */
function hang(text: string, width: number, indent = 14): string {
  return wrap(text, width - indent).replaceAll("\n", `\n${" ".repeat(indent)}`);
}

function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
