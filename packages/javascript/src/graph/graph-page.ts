import { evidenceRefusal, fittingPageOf, type ApplicationGraph, type ApplicationNodeKind, type JsonObject, type Page } from "@rea/core";
import type { Text } from "../text/decode.js";

/** A page of an application graph that is wanted with the answer. */
export interface GraphPageRequest {
  readonly list: "nodes" | "edges";
  readonly kind?: ApplicationNodeKind | undefined;
  readonly offset: number;
  readonly limit: number;
}

export function graphPage(text: Text, { list, kind, ...request }: GraphPageRequest): Page<JsonObject> {
  const graph = graphIn(text);
  const { omissions } = graph.coverage;
  if (list === "edges") return fittingPageOf(graph.edges, request, plain, omissions);
  return fittingPageOf(graph.nodes.filter((node) => kind === undefined || node.kind === kind), request, plain, omissions);
}

/** The graph of a text that `writeGraph` wrote; may take seconds. */
function graphIn(text: Text): ApplicationGraph {
  const value: unknown = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8"));
  if (isGraph(value)) return value;
  throw evidenceRefusal("schema", "This is not an application graph of this version. Run analyze_javascript_application again.");
}

/** Only texts of this code get here. */
function isGraph(value: unknown): value is ApplicationGraph {
  return typeof value === "object" && value !== null && "schema" in value && value.schema === "JavaScriptApplicationGraph";
}

function plain(item: object): JsonObject {
  return Object.fromEntries(Object.entries(item));
}
