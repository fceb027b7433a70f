import { pageOf, semanticGraphSchema, SemanticRows, type JsonObject, type Page } from "@rea/core";
import type { AnalysisRequest } from "../application/analysis-request.js";
import type { SealedSemantics } from "./build-semantic-graph.js";

/** A page of nodes or edges as objects. */
export function semanticPage({ text }: SealedSemantics, { list, offset, limit }: NonNullable<AnalysisRequest["semanticPage"]>): Page<JsonObject> {
  const graph = semanticGraphSchema.parse(JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8")));
  const rows = new SemanticRows(graph);
  const { omissions } = graph.coverage;
  const positions = Array.from({ length: list === "semantic_nodes" ? rows.nodes : rows.edges }, (_none, index) => index);
  if (list === "semantic_nodes") return pageOf(positions, { offset, limit }, (index) => rows.described(index), omissions);
  return pageOf(positions, { offset, limit }, (index) => edgeAt(rows, index), omissions);
}

function edgeAt(rows: SemanticRows, index: number): JsonObject {
  const edge = rows.edge(index);
  if (edge === undefined) return {};
  const { relation, from, to, state, confidence, reason } = edge;
  return { relation, from: rows.shown(from)?.node_id ?? null, to: rows.shown(to)?.node_id ?? null, state, confidence, reason };
}
