import type { ApplicationGraph, ApplicationNode, ApplicationNodeKind, SemanticNodeKind, SemanticRow, TraceSeed, TraceSeedKind } from "@rea/core";
import { SemanticRows, semanticNodeIdOf } from "@rea/core";
import { seedMatcher } from "./seed-match.js";

export interface FeatureSeed {
  /** Position in the graph's nodes. */
  readonly node: number;
  readonly matched: "id" | "name" | "property" | "code";
  readonly text: string;
  readonly at: { readonly path: string; readonly line: number; readonly column: number } | null;
}

const kindsOf: { readonly [K in TraceSeedKind]: ReadonlySet<ApplicationNodeKind> | null } = {
  "node-id": null,
  string: null,
  route: new Set(["endpoint"]),
  api: new Set(["context-bridge-api", "storage"]),
  channel: new Set(["ipc-channel", "ipc-handler"]),
  module: new Set(["javascript-asset", "javascript-chunk", "javascript-module", "source-module", "package", "electron-main", "electron-preload", "electron-renderer", "electron-utility", "worker", "service-worker"]),
  "native-export": new Set(["native-export", "native-addon", "managed-assembly"]),
};

/** Kinds of code that a seed may name; the module that holds it is where the trace begins. */
const codeOf: { readonly [K in TraceSeedKind]: ReadonlySet<SemanticNodeKind> } = {
  "node-id": new Set(),
  module: new Set(),
  "native-export": new Set(),
  channel: new Set(),
  string: new Set(["literal", "request"]),
  route: new Set(["literal", "request"]),
  api: new Set(["function", "call-site", "process", "resource", "configuration-read"]),
};

/** Nodes of the graph that a seed names, by their own names first, then by code that they hold. */
export function featureSeeds(graph: ApplicationGraph, semantics: SemanticRows | null, seed: TraceSeed): readonly FeatureSeed[] {
  const found = new Map<number, FeatureSeed>();
  const matches = seedMatcher(seed);
  for (const [node, one] of graph.nodes.entries()) {
    const match = ofNode(one, seed, matches);
    if (match !== undefined) found.set(node, { node, ...match, at: null });
  }
  if (semantics !== null) for (const one of inCode(graph, semantics, { seed, matches })) if (!found.has(one.node)) found.set(one.node, one);
  const order = ["id", "name", "property", "code"];
  return [...found.values()].sort((a, b) => order.indexOf(a.matched) - order.indexOf(b.matched) || a.node - b.node);
}

function ofNode(node: ApplicationNode, { kind, value }: TraceSeed, matches: (text: string) => boolean): Pick<FeatureSeed, "matched" | "text"> | undefined {
  if (kind === "node-id") return node.node_id === value ? { matched: "id", text: value } : undefined;
  const kinds = kindsOf[kind];
  if (kinds !== null && !kinds.has(node.kind)) return undefined;
  const name = namesOf(node, kind).find((text) => matches(text));
  if (name !== undefined) return { matched: "name", text: name };
  const property = propertyTexts(node, kind).find((text) => matches(text));
  return property === undefined ? undefined : { matched: "property", text: property };
}

/** A path also by its last segment, an address also by its path. */
function namesOf({ name, kind: nodeKind }: ApplicationNode, kind: TraceSeedKind): readonly string[] {
  if (kind === "route") return [name, name.replace(/^[a-z][\w+.-]*:\/\/[^/]*/iu, "")];
  if ((kind === "module" && nodeKind !== "package") || kind === "native-export") return [name, name.slice(name.lastIndexOf("/") + 1)];
  return [name];
}

function propertyTexts({ properties }: ApplicationNode, kind: TraceSeedKind): readonly string[] {
  const wanted = kind === "api" ? ["members", "area", "key"] : kind === "module" ? ["path", "id"] : kind === "string" ? Object.keys(properties) : [];
  return wanted.flatMap((key) => {
    const value = properties[key];
    if (typeof value === "string") return [value];
    return Array.isArray(value) ? value.filter((item: unknown) => typeof item === "string") : [];
  });
}

function* inCode(graph: ApplicationGraph, rows: SemanticRows, { seed, matches }: { readonly seed: TraceSeed; readonly matches: (text: string) => boolean }): Generator<FeatureSeed> {
  const kinds = codeOf[seed.kind];
  const isId = seed.kind === "node-id" && seed.value.startsWith("jsg_node_");
  if (kinds.size === 0 && !isId) return;
  const owners = new Map(graph.nodes.map(({ node_id }, index) => [node_id, index]));
  for (const { row } of semanticSeeds(rows, { seed, matches, kinds })) {
    const node = owners.get(row.source.owner);
    if (node !== undefined) yield { node, matched: "code", text: row.name, at: { path: row.source.path, line: row.line, column: row.column } };
  }
}

interface Seeking {
  readonly seed: TraceSeed;
  readonly matches: (text: string) => boolean;
  /** Empty for every kind. */
  readonly kinds: ReadonlySet<SemanticNodeKind>;
}

/** Nodes of a semantic graph whose name, or what is known of them as an API or address, fits. */
export function* semanticSeeds(rows: SemanticRows, { seed, matches, kinds }: Seeking): Generator<{ readonly index: number; readonly row: SemanticRow }> {
  const isId = seed.kind === "node-id";
  const names = new Set<number>();
  if (!isId) for (const [index, name] of rows.graph.names.entries()) if (matches(name) || (seed.kind === "api" && matches(name.replace(/^new /u, "")))) names.add(index);
  const told = new Set(isId ? [] : rows.graph.properties.filter(({ values }) => ["api", "url"].some((key) => typeof values[key] === "string" && matches(values[key]))).map(({ node }) => node));
  const { nodes, node_columns: columns } = rows.graph;
  const at = columns.indexOf("name");
  for (let index = 0; index < rows.nodes; index += 1) {
    if (!isId && !names.has(nodes[index * columns.length + at] ?? -1) && !told.has(index)) continue;
    const row = rows.node(index);
    if (row === undefined || (kinds.size > 0 && !kinds.has(row.kind))) continue;
    if (isId && semanticNodeIdOf(row) !== seed.value) continue;
    yield { index, row };
  }
}
