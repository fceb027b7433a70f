import { operations, type Evidence } from "@rea/core";
import { callGraphSchema, callsGraph, controlFlowGraph } from "../graph/function-graphs.js";
import { svgText } from "../graph/graph-svg.js";
import type { GraphModel } from "../graph/graph-model.js";
import { escapeHtml } from "./html.js";
import { overviewTables } from "./overview-tables.js";
import { count, sectionMap } from "./section-map.js";
import { pageStyle } from "./page-style.js";

export interface ReportInput {
  readonly title: string;
  readonly records: readonly Evidence[];
  readonly product: { readonly name: string; readonly version: string };
}

/** Pictures of more nodes are hard to read and slow to lay out. */
const mostNodes = 60;
const mostPictures = 12;

/**
 * One HTML page about the records of a bundle: what was examined, sections by size and entropy, what the overview says, graphs,
 * every finding with the id of its record, and everything that was not looked at. It fetches nothing and runs nothing.
 */
export function reportPage({ title, records, product }: ReportInput): string {
  const parts = [subjects(records), ...records.flatMap(partsOf), recordTable(records), limitations(records)].filter((part) => part !== "");
  const name = escapeHtml(title);
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${name}</title><style>${pageStyle}</style></head><body><main>`,
    `<h1>${name}</h1>`,
    ...parts,
    `<footer>Made by ${escapeHtml(product.name)} ${escapeHtml(product.version)} from ${count(records.length)} Evidence records. An id says that a record is unchanged, not who made it.</footer>`,
    "</main></body></html>\n",
  ].join("\n");
}

function subjects(records: readonly Evidence[]): string {
  const known = new Map(records.flatMap(({ subject }) => (subject === null ? [] : [[subject.digest.sha256, subject] as const])));
  if (known.size === 0) return "";
  const rows = [...known.values()].map(({ name, format, architecture, digest }) => row([escapeHtml(name), escapeHtml(format), escapeHtml(architecture ?? "–"), code(digest.sha256)]));
  return section("Examined", table(["Name", "Format", "Architecture", "SHA-256"], rows));
}

function partsOf(record: Evidence, index: number, all: readonly Evidence[]): string[] {
  switch (record.operation) {
    case "inspect_binary":
      return binaryParts(record);
    case "binary_overview":
      return overviewTables(record).map(({ heading, columns, rows }) => section(heading, table(columns, rows.map(row)) + cite(record)));
    case "get_call_graph":
    case "analyze_function":
      return drawnBefore(all.slice(0, index)) < mostPictures ? pictureOf(record) : [];
    default:
      return [];
  }
}

function drawnBefore(records: readonly Evidence[]): number {
  return records.filter(({ operation }) => operation === "get_call_graph" || operation === "analyze_function").length;
}

function binaryParts(record: Evidence): string[] {
  const parsed = operations.inspect_binary.result.safeParse(record.normalized_result);
  if (!parsed.success) return [];
  const { sections, mitigations, anomalies } = parsed.data;
  const hardening = (mitigations?.items ?? []).map(({ name, state, basis }) => row([escapeHtml(name), `<span class="${state}">${escapeHtml(state)}</span>`, escapeHtml(basis)]));
  const strange = (anomalies?.items ?? []).map(({ kind, detail }) => row([escapeHtml(kind), escapeHtml(detail)]));
  return [
    sections === undefined || sections.items.length === 0 ? "" : section("Sections", `<div class="wide">${sectionMap(sections.items)}</div><p class="dim">Bars are as long as sections are large, and as dark as their bytes are random.</p>${cite(record)}`),
    hardening.length === 0 ? "" : section("Hardening", table(["What", "State", "Because"], hardening) + cite(record)),
    strange.length === 0 ? "" : section("Anomalies", table(["Kind", "Detail"], strange) + cite(record)),
  ];
}

function pictureOf(record: Evidence): string[] {
  const graph = graphOf(record);
  if (graph === undefined || graph.nodes.length === 0) return [];
  return [section(graph.title, `<div class="wide">${svgText(graph)}</div>${cite(record)}`)];
}

function graphOf(record: Evidence): GraphModel | undefined {
  if (record.operation === "get_call_graph") {
    const calls = callGraphSchema.safeParse(record.normalized_result);
    const direction = record.parameters["direction"] === "backward" ? ("backward" as const) : ("forward" as const);
    return calls.success ? callsGraph(calls.data, { direction, most: mostNodes }) : undefined;
  }
  const dossier = operations.analyze_function.result.safeParse(record.normalized_result);
  if (!dossier.success) return undefined;
  const graph = controlFlowGraph(dossier.data);
  const more = graph.nodes.length - mostNodes;
  return more > 0 ? { ...graph, title: `${graph.title} (first ${String(mostNodes)} of ${String(graph.nodes.length)} blocks)`, nodes: graph.nodes.slice(0, mostNodes) } : graph;
}

function recordTable(records: readonly Evidence[]): string {
  const rows = records.map(({ evidence_id, operation, provider, confidence, authority }) =>
    row([code(evidence_id), escapeHtml(operation), escapeHtml(`${provider.id} ${provider.version}`), escapeHtml(confidence), escapeHtml(authority)]),
  );
  return section("Evidence", table(["Id", "Operation", "Producer", "Confidence", "Authority"], rows));
}

function limitations(records: readonly Evidence[]): string {
  const texts = [...new Set(records.flatMap((record) => record.limitations))];
  return texts.length === 0 ? "" : section("What was not looked at, and what is not certain", `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`);
}

function section(heading: string, content: string): string {
  return `<section><h2>${escapeHtml(heading)}</h2>${content}</section>`;
}

function table(columns: readonly string[], rows: readonly string[]): string {
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** Cells are HTML already. */
function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

function cite({ evidence_id: id }: Evidence): string {
  return `<p class="cite">${code(id)}</p>`;
}
