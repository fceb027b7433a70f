import { createHash } from "node:crypto";
import { canonicalJson, coverageOf, escapeUntrusted, omission, semanticEdgeColumns, semanticNodeColumns, semanticNodeKinds, semanticRelations, type Omission } from "@rea/core";
import type { LinkedElectron } from "../link/electron.js";
import type { LinkedScript } from "../link/linked-application.js";
import type { NodePlaces } from "../graph/node-places.js";
import { FileRows } from "./file-rows.js";
import { GraphRows } from "./graph-rows.js";
import { joinMessages } from "./join-messages.js";
import { nodesIn } from "./place-semantics.js";
import { shareNodes } from "./share-nodes.js";

/** A semantic graph as canonical JSON text, with what replies say of it. */
export interface SealedSemantics {
  readonly text: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  readonly bytes: number;
  readonly nodes: number;
  readonly edges: number;
}

export interface SemanticInput {
  readonly places: NodePlaces;
  readonly electron: LinkedElectron;
  readonly graphId: string;
  readonly rootSha256: string | null;
  /** Of each script: what `semanticsText` wrote, empty for nothing. */
  readonly textOf: (script: LinkedScript) => Uint8Array | undefined;
  readonly limits?: { readonly nodes: number; readonly edges: number };
}

const nothing = new Uint8Array();
const standardLimits = { nodes: 200_000, edges: 600_000 };

/** Ties what files say of values and calls together across modules and processes. Undefined when the text of a file is lost. */
export function buildSemanticGraph({ places, electron, graphId, rootSha256, textOf, limits = standardLimits }: SemanticInput): SealedSemantics | undefined {
  const { scripts } = places.application;
  const texts = new Map<LinkedScript, Uint8Array>();
  for (const script of scripts) {
    const text = textOf(script);
    if (text === undefined) return undefined;
    texts.set(script, text);
  }
  const counts = new Map(scripts.map((script) => [script, nodesIn(texts.get(script) ?? nothing)]));
  const own = scripts.filter(({ path }) => !isPackage(path));
  const packages = scripts.filter(({ path }) => isPackage(path));
  const share = { own: shareNodes(countsOf(own, counts), limits.nodes), packages: 0 };
  const used = countsOf(own, counts).reduce((sum, count) => sum + Math.min(count, share.own), 0);
  share.packages = shareNodes(countsOf(packages, counts), Math.max(0, limits.nodes - used));
  const rows = new GraphRows(limits.edges);
  const files = new FileRows(places, rows, electron);
  for (const script of own) files.add(script, texts.get(script) ?? nothing, share.own);
  for (const script of packages) files.add(script, texts.get(script) ?? nothing, share.packages);
  files.link();
  joinMessages(electron, files, rows);
  return seal(rows, { graphId, rootSha256, omissions: omissionsOf(files, rows, limits) });
}

function isPackage(path: string): boolean {
  return /(?:^|\/)node_modules\//u.test(path);
}

function countsOf(scripts: readonly LinkedScript[], counts: ReadonlyMap<LinkedScript, number>): readonly number[] {
  return scripts.map((script) => counts.get(script) ?? 0);
}

function omissionsOf({ left, cut, firstCut }: FileRows, { edgesLeft }: GraphRows, limits: { readonly nodes: number; readonly edges: number }): readonly Omission[] {
  const found: Omission[] = [];
  if (left > 0) found.push(omission("Nodes and edges beyond the bound of one module or file.", "limit_operations", { count: left, how_to_continue: "Analyse the module alone, by its path or inner_path." }));
  if (cut > 0) {
    found.push(omission(`Nodes beyond the bound of the whole graph; the first file with some left out is ${escapeUntrusted(firstCut)}.`, "limit_items", { count: cut, limit: limits.nodes, how_to_continue: "Analyse a part of the application, by its path or inner_path." }));
  }
  if (edgesLeft > 0) found.push(omission("Edges beyond the bound of the whole graph.", "limit_items", { count: edgesLeft, limit: limits.edges }));
  return found;
}

const limitations = [
  "Values are followed by names, calls and imports; what objects and arrays hold is not told apart by key, and what only a run decides is unknown.",
  "Calls through objects that are not known are tied by the method's name, and say so.",
];

function seal(rows: GraphRows, { graphId, rootSha256, omissions }: { readonly graphId: string; readonly rootSha256: string | null; readonly omissions: readonly Omission[] }): SealedSemantics {
  // Members in the order of canonical JSON; numbers and short texts only, which the language writes so itself.
  const members: readonly (readonly [string, () => string])[] = [
    ["coverage", () => canonicalJson(coverageOf(omissions))],
    ["digests", () => JSON.stringify(rows.digests())],
    ["edge_columns", () => JSON.stringify(semanticEdgeColumns)],
    ["edges", () => JSON.stringify(rows.edges)],
    ["fingerprints", () => JSON.stringify(rows.fingerprints)],
    ["graph_id", () => JSON.stringify(graphId)],
    ["limitations", () => JSON.stringify(limitations)],
    ["names", () => JSON.stringify(rows.names())],
    ["node_columns", () => JSON.stringify(semanticNodeColumns)],
    ["node_kinds", () => JSON.stringify(semanticNodeKinds)],
    ["nodes", () => JSON.stringify(rows.nodes)],
    ["properties", () => `[${rows.properties.map((one) => canonicalJson(one)).join(",")}]`],
    ["relations", () => JSON.stringify(semanticRelations)],
    ["root_artifact_sha256", () => JSON.stringify(rootSha256)],
    ["schema", () => '"JavaScriptSemanticGraph"'],
    ["schema_version", () => "1"],
    ["sources", () => JSON.stringify(rows.sources)],
  ];
  const parts: Buffer[] = [];
  for (const [index, [name, text]] of members.entries()) parts.push(Buffer.from(`${index === 0 ? "{" : ","}"${name}":${text()}`));
  parts.push(Buffer.from("}"));
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const text = new Uint8Array(bytes);
  const hash = createHash("sha256");
  let at = 0;
  for (const part of parts) {
    text.set(part, at);
    at += part.byteLength;
  }
  return { text, sha256: hash.update(text).digest("hex"), bytes, nodes: rows.count, edges: rows.edges.length / semanticEdgeColumns.length };
}
