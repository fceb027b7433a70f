import { operations, type Evidence } from "@rea/core";
import { callGraphSchema, callsGraph, controlFlowGraph } from "../graph/function-graphs.js";
import { svgText } from "../graph/graph-svg.js";
import type { GraphModel } from "../graph/graph-model.js";
import { escapeHtml } from "./html.js";
import { memberChanges, programChanges } from "./change-tables.js";
import { claimTables, conclusions, openQuestions } from "./conclusions.js";
import { artifactTables, signatureTables } from "./integrity-tables.js";
import { overviewTables } from "./overview-tables.js";
import { cite, code, count, section, table, tableSection, verdict, type PageTable } from "./page-parts.js";
import { runTables } from "./run-tables.js";
import { sectionMap } from "./section-map.js";
import { pageStyle } from "./page-style.js";

export interface ReportInput {
  readonly title: string;
  readonly records: readonly Evidence[];
  readonly product: { readonly name: string; readonly version: string };
}

/** Pictures of more nodes are hard to read and slow to lay out. */
const mostNodes = 60;
const mostPictures = 12;
/** More rows than these no reader goes through, and phones cannot hold. */
const mostRecords = 5000;

/**
 * One HTML page about the records of a bundle: what was examined, sections by size and entropy, what the overview says, graphs,
 * every finding with the id of its record, and everything that was not looked at. It fetches nothing and runs nothing.
 */
export function reportPage({ title, records, product }: ReportInput): string {
  const whole = [conclusions(records), openQuestions(records)].map((found) => tableSection(found, undefined));
  const parts = [subjects(records), ...whole, ...records.flatMap(partsOf), ...pictures(records), recordTable(records), limitations(records)].filter((part) => part !== "");
  const name = escapeHtml(title);
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${name}</title><style>${pageStyle}</style></head><body><main>`,
    `<h1>${name}</h1>`,
    ...parts,
    `<footer>Made by ${escapeHtml(product.name)} ${escapeHtml(product.version)} from ${count(records.length)} Evidence ${records.length === 1 ? "record" : "records"}. An id says that a record is unchanged, not who made it.</footer>`,
    "</main></body></html>\n",
  ].join("\n");
}

function subjects(records: readonly Evidence[]): string {
  const known = new Map(records.flatMap(({ subject }) => (subject === null ? [] : [[subject.digest.sha256, subject] as const])));
  if (known.size === 0) return "";
  const rows = [...known.values()].map(({ name, format, architecture, digest }) => [escapeHtml(name), escapeHtml(format), escapeHtml(architecture ?? "–"), code(digest.sha256)]);
  return section("Examined", table(["Name", "Format", "Architecture", "SHA-256"], rows));
}

function partsOf(record: Evidence): string[] {
  const tables = (found: readonly PageTable[]): string[] => found.map((one) => tableSection(one, record));
  switch (record.operation) {
    case "inspect_binary":
      return binaryParts(record);
    case "binary_overview":
      return tables(overviewTables(record));
    case "inspect_artifact":
      return tables(artifactTables(record));
    case "inspect_signature":
      return tables(signatureTables(record));
    case "verify_reconstruction":
      return tables(claimTables(record));
    case "compare_binaries":
      return tables(programChanges(record));
    case "compare_artifacts":
      return tables(memberChanges(record));
    case "capture_process_scenario":
      return tables(runTables(record));
    default:
      return [];
  }
}

function pictures(records: readonly Evidence[]): string[] {
  const drawable = records.filter(({ operation }) => operation === "get_call_graph" || operation === "analyze_function");
  const more = drawable.length - mostPictures;
  const note = more > 0 ? [`<p class="dim">${count(more)} further functions and call graphs are not drawn here; rea graph draws each.</p>`] : [];
  return [...drawable.slice(0, mostPictures).flatMap(pictureOf), ...note];
}

function binaryParts(record: Evidence): string[] {
  const parsed = operations.inspect_binary.result.safeParse(record.normalized_result);
  if (!parsed.success) return [];
  const { sections, mitigations, anomalies } = parsed.data;
  const [absent, present] = [mitigations?.items.filter(isForeign) ?? [], mitigations?.items.filter((item) => !isForeign(item)) ?? []];
  const hardening = present.map(({ name, state, basis }) => [escapeHtml(name), verdict(state), escapeHtml(basis)]);
  const others = absent.length === 0 ? "" : `<p class="dim">Not known to files of this format: ${absent.map(({ name }) => escapeHtml(name)).join(", ")}.</p>`;
  const strange = (anomalies?.items ?? []).map(({ kind, detail }) => [escapeHtml(kind), escapeHtml(detail)]);
  return [
    sections === undefined || sections.items.length === 0 ? "" : section("Sections", `${scrolled("Sections", sectionMap(sections.items))}<p class="dim">Bars are as long as sections are large, and as dark as their bytes are random.</p>${cite(record)}`),
    hardening.length === 0 ? "" : section("Hardening", table(["What", "State", "Because"], hardening) + others + cite(record)),
    tableSection({ heading: "Anomalies", columns: ["Kind", "Detail"], rows: strange }, record),
  ];
}

function isForeign({ state }: { readonly state: string }): boolean {
  return state === "not_applicable";
}

function pictureOf(record: Evidence): string[] {
  const graph = graphOf(record);
  if (graph === undefined || graph.nodes.length === 0) return [];
  return [section(graph.title, scrolled(graph.title, svgText(graph, record.evidence_id)) + cite(record))];
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
  const rows = records.slice(0, mostRecords).map(({ evidence_id, operation, provider, confidence, authority }) =>
    [code(evidence_id), escapeHtml(operation), escapeHtml(`${provider.id} ${provider.version ?? ""}`.trim()), escapeHtml(confidence), escapeHtml(authority)],
  );
  const heading = records.length > mostRecords ? `Evidence (first ${count(mostRecords)} of ${count(records.length)} records)` : "Evidence";
  return section(heading, table(["Id", "Operation", "Producer", "Confidence", "Authority"], rows));
}

function limitations(records: readonly Evidence[]): string {
  const texts = [...new Set(records.flatMap((record) => record.limitations))];
  return texts.length === 0 ? "" : section("What was not looked at, and what is not certain", `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`);
}

/** A picture that is wider than a phone is scrolled, also by keyboard. */
function scrolled(name: string, picture: string): string {
  return `<div class="wide" tabindex="0" role="group" aria-label="${escapeHtml(name)}">${picture}</div>`;
}
