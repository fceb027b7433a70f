import { graphJson, dotText, mermaidText } from "./graph-text.js";
import { svgText } from "./graph-svg.js";
import type { GraphFormat, GraphModel } from "./graph-model.js";

/** The graph in a format. Pictures of more than some hundred nodes take seconds to lay out. */
export function graphDocument(graph: GraphModel, format: GraphFormat): string {
  switch (format) {
    case "svg":
      return svgText(graph);
    case "dot":
      return dotText(graph);
    case "mermaid":
      return mermaidText(graph);
    case "json":
      return graphJson(graph);
  }
}
