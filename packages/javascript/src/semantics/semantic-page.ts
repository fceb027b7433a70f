import { fittingPageOf, semanticGraphSchema, SemanticRows, type JsonObject, type Page } from "@rea/core";
import type { SealedSemantics } from "./build-semantic-graph.js";

/** A page of a semantic graph that is wanted with the answer. */
export interface SemanticPageRequest {
  readonly list: "semantic_nodes" | "semantic_edges";
  readonly offset: number;
  readonly limit: number;
}

/** A page of nodes or edges as objects. */
export function semanticPage({ text }: SealedSemantics, { list, offset, limit }: SemanticPageRequest): Page<JsonObject> {
  const graph = semanticGraphSchema.parse(JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8")));
  const rows = new SemanticRows(graph);
  const { omissions } = graph.coverage;
  const positions = Array.from({ length: list === "semantic_nodes" ? rows.nodes : rows.edges }, (_none, index) => index);
  if (list === "semantic_nodes") return fittingPageOf(positions, { offset, limit }, (index) => rows.described(index), omissions);
  return fittingPageOf(positions, { offset, limit }, (index) => edgeAt(rows, index), omissions);
}

function edgeAt(rows: SemanticRows, index: number): JsonObject {
  const edge = rows.edge(index);
  if (edge === undefined) return {};
  const { relation, from, to, state, confidence, reason } = edge;
  return { relation, from: rows.shown(from)?.node_id ?? null, to: rows.shown(to)?.node_id ?? null, state, confidence, reason };
}
