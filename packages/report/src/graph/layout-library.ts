import * as dagre from "@dagrejs/dagre";

/** The part of the library that is used; its own types do not resolve from modules. */
export interface LayoutGraph {
  setGraph(options: object): unknown;
  setNode(id: string, size: object): unknown;
  setEdge(from: string, to: string, label: object, name: string): unknown;
  node(id: string): unknown;
  edge(from: string, to: string, name: string): unknown;
}

interface LayoutLibrary {
  readonly Graph: new (options: object) => LayoutGraph;
  layout(graph: LayoutGraph): unknown;
}

const offered: unknown = dagre;

function isLibrary(module: unknown): module is LayoutLibrary {
  return typeof module === "object" && module !== null && "Graph" in module && "layout" in module && typeof module.Graph === "function" && typeof module.layout === "function";
}

/** The layout library; a plain Error when a build of it does not offer what it should. */
export function layoutLibrary(): LayoutLibrary {
  if (isLibrary(offered)) return offered;
  throw new Error("The graph layout library does not offer what it should.");
}
