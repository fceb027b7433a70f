import { coverageSchema } from "../coverage.js";
import { sha256Hex } from "../digest.js";
import type { JsonObject } from "../json.js";
import { jsonValue } from "../json-schemas.js";
import { z } from "../z.js";
import { applicationGraphId } from "./javascript-graph-schema.js";
import { semanticNodeKinds, semanticRelations, type ObservationConfidence, type ObservationState, type SemanticNodeKind, type SemanticRelation } from "./javascript-words.js";
import { count } from "./values.js";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** Numbers of one row of `nodes`; kinds count in `semanticNodeKinds`, names in `names`, sources in `sources`, `within` in nodes or -1. */
export const semanticNodeColumns = ["kind", "name", "source", "start", "end", "line", "column", "within"] as const;
/** Numbers of one row of `edges`; relations count in `semanticRelations`, ends in nodes, certainties and reasons in their lists. */
export const semanticEdgeColumns = ["relation", "from", "to", "certainty", "reason"] as const;

/** How sure an edge is. */
export const semanticCertainties = [
  { state: "observed", confidence: "exact" },
  { state: "inferred", confidence: "high" },
  { state: "inferred", confidence: "medium" },
  { state: "inferred", confidence: "low" },
  { state: "unknown", confidence: "unknown" },
] as const satisfies readonly { readonly state: ObservationState; readonly confidence: ObservationConfidence }[];

/** What an edge was concluded from, or why it is not known; the first is for what was observed. */
export const semanticReasons = [
  null,
  "Resolved through an import between modules.",
  "Resolved through the id of a bundled module.",
  "A method of the same class or object of this name.",
  "Recognised by the name of the method; the object is not known.",
  "Several functions of the module have this name; which one is called is decided at run time.",
  "A parameter is called; what it holds depends on the caller.",
  "Equal channel names join both sides; whether the message arrives depends on which processes live.",
  "A name that is assigned more than once; which value it holds is decided at run time.",
  "The function is handed over and called by what receives it.",
  "The code is put together at run time.",
  "A preload script gives pages this function under this name.",
] as const;
export type SemanticReason = NonNullable<(typeof semanticReasons)[number]>;

const numbers = z.custom<readonly number[]>((value) => Array.isArray(value) && value.every((item: unknown) => Number.isSafeInteger(item)), "expected integers");

/** What a function is like, without names and offsets: indexes in `digests`, and words. */
const fingerprintRow = z.strictObject({ node: count, syntax: count, control_flow: count, relations: count, literals: count, arity: count, effects: z.array(z.string()) });

/**
 * Values, calls, events, processes and configuration inside an application, bound to its graph. Nodes and edges are rows of
 * numbers, one after the other, so that a whole stays small; pages and traces give them as objects.
 */
export const semanticGraphSchema = z.strictObject({
  schema: z.literal("JavaScriptSemanticGraph"),
  schema_version: z.literal(1),
  graph_id: applicationGraphId,
  root_artifact_sha256: sha256.nullable(),
  node_columns: z.array(z.enum(semanticNodeColumns)),
  edge_columns: z.array(z.enum(semanticEdgeColumns)),
  node_kinds: z.array(z.enum(semanticNodeKinds)),
  relations: z.array(z.enum(semanticRelations)),
  /** Files and bundled modules that hold code: the graph node, and the file. */
  sources: z.array(z.strictObject({ owner: z.string(), path: z.string(), sha256 })),
  names: z.array(z.string()),
  digests: z.array(sha256),
  nodes: numbers,
  edges: numbers,
  fingerprints: z.array(fingerprintRow),
  /** What else is known of some nodes, by position. */
  properties: z.array(z.strictObject({ node: count, values: z.record(z.string(), jsonValue) })),
  coverage: coverageSchema,
  limitations: z.array(z.string()),
});
export type SemanticGraph = Readonly<z.infer<typeof semanticGraphSchema>>;

/** A node as pages and traces give it. */
export const semanticNodeSchema = z.strictObject({
  node_id: z.string().regex(/^jsg_node_[0-9a-f]{64}$/u),
  kind: z.enum(semanticNodeKinds),
  name: z.string(),
  /** The node of the application graph that holds it. */
  owner: z.string(),
  path: z.string(),
  /** Half-open range in bytes of the file; lines from 1, columns from 0. */
  location: z.strictObject({ start: count, end: count, line: z.number().int().min(1), column: count }),
  properties: z.record(z.string(), jsonValue),
});
export type SemanticNode = Readonly<z.infer<typeof semanticNodeSchema>>;

export const functionFingerprintSchema = z.strictObject({ syntax: sha256, control_flow: sha256, relations: sha256, literals: sha256, arity: count, effects: z.array(z.string()) });
export type FunctionFingerprint = Readonly<z.infer<typeof functionFingerprintSchema>>;

const nodeStride = semanticNodeColumns.length;
const edgeStride = semanticEdgeColumns.length;

export interface SemanticRow {
  readonly kind: SemanticNodeKind;
  readonly name: string;
  readonly source: SemanticGraph["sources"][number];
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  /** The function around it; -1 for none. */
  readonly within: number;
}

export interface SemanticLink {
  readonly relation: SemanticRelation;
  readonly from: number;
  readonly to: number;
  readonly state: ObservationState;
  readonly confidence: ObservationConfidence;
  readonly reason: SemanticReason | null;
}

/** Reads rows of a semantic graph; a row that points past a list, or to no place, is undefined. */
export class SemanticRows {
  readonly graph: SemanticGraph;
  #properties: ReadonlyMap<number, SemanticNode["properties"]> | undefined;
  #fingerprints: ReadonlyMap<number, SemanticGraph["fingerprints"][number]> | undefined;

  constructor(graph: SemanticGraph) {
    this.graph = graph;
  }

  get nodes(): number {
    return Math.floor(this.graph.nodes.length / nodeStride);
  }

  get edges(): number {
    return Math.floor(this.graph.edges.length / edgeStride);
  }

  node(index: number): SemanticRow | undefined {
    const { nodes, names, sources, node_kinds: kinds } = this.graph;
    const [kind, name, source, start, end, line, column, within] = nodes.slice(index * nodeStride, (index + 1) * nodeStride);
    const [kindWord, nameText, place] = [kinds[kind ?? -1], names[name ?? -1], sources[source ?? -1]];
    if (kindWord === undefined || nameText === undefined || place === undefined) return undefined;
    if (start === undefined || end === undefined || line === undefined || column === undefined || start < 0 || end < start || line < 1 || column < 0) return undefined;
    return { kind: kindWord, name: nameText, source: place, start, end, line, column, within: within ?? -1 };
  }

  edge(index: number): SemanticLink | undefined {
    const [relation, from, to, certainty, reason] = this.graph.edges.slice(index * edgeStride, (index + 1) * edgeStride);
    const [word, sure] = [this.graph.relations[relation ?? -1], semanticCertainties[certainty ?? -1]];
    if (word === undefined || sure === undefined || from === undefined || to === undefined) return undefined;
    return { relation: word, from, to, ...sure, reason: semanticReasons[reason ?? 0] ?? null };
  }

  properties(index: number): SemanticNode["properties"] {
    this.#properties ??= new Map(this.graph.properties.map(({ node, values }) => [node, values]));
    return this.#properties.get(index) ?? {};
  }

  /** Undefined for what is no function. */
  fingerprint(index: number): FunctionFingerprint | undefined {
    this.#fingerprints ??= new Map(this.graph.fingerprints.map((row) => [row.node, row]));
    const row = this.#fingerprints.get(index);
    const [syntax, control_flow, relations, literals] = row === undefined ? [] : [row.syntax, row.control_flow, row.relations, row.literals].map((at) => this.graph.digests[at]);
    if (row === undefined || syntax === undefined || control_flow === undefined || relations === undefined || literals === undefined) return undefined;
    return { syntax, control_flow, relations, literals, arity: row.arity, effects: row.effects };
  }

  /** The node with its id, as traces give it. */
  shown(index: number): SemanticNode | undefined {
    const row = this.node(index);
    if (row === undefined) return undefined;
    const { kind, name, source, start, end, line, column } = row;
    return { node_id: semanticNodeIdOf(row), kind, name, owner: source.owner, path: source.path, location: { start, end, line, column }, properties: this.properties(index) };
  }

  /** The node with its fingerprint and the function around it, as pages give it. */
  described(index: number): JsonObject {
    const shown = this.shown(index);
    const around = this.shown(this.node(index)?.within ?? -1);
    return shown === undefined ? {} : { ...shown, within: around?.node_id ?? null, fingerprint: this.fingerprint(index) ?? null };
  }
}

/** Id of a node: over its kind, name and place in the module that holds it. */
export function semanticNodeIdOf({ kind, name, source, start, end }: Pick<SemanticRow, "kind" | "name" | "source" | "start" | "end">): string {
  return `jsg_node_${sha256Hex(JSON.stringify([source.owner, kind, name, start, end]))}`;
}
