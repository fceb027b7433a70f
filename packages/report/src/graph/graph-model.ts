/** A node of a picture: a box with lines of text. All text is escaped for showing already. */
export interface GraphNode {
  readonly id: string;
  /** First line: what it is called. */
  readonly title: string;
  /** Further lines, in the type of code. */
  readonly lines: readonly string[];
  /** How it is drawn: where the graph begins, something outside, something whose own edges were not read. */
  readonly role: "plain" | "start" | "outside" | "unexpanded";
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Kind of the edge: `call`, `fallthrough`, `branch`, `jump`, `switch`. */
  readonly kind: string;
  readonly label: string | null;
}

/** A directed graph to be drawn or written. Edges to nodes that are not in it are left out by every writer. */
export interface GraphModel {
  readonly title: string;
  /** Where edges lead in a picture: control flows down, calls lead to the right, where wide fans stay readable. */
  readonly direction: "down" | "right";
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export const graphFormats = ["svg", "dot", "mermaid", "json"] as const;
export type GraphFormat = (typeof graphFormats)[number];

/** The edges both of whose ends are nodes of the graph. */
export function drawnEdges({ nodes, edges }: GraphModel): readonly GraphEdge[] {
  const known = new Set(nodes.map(({ id }) => id));
  return edges.filter(({ from, to }) => known.has(from) && known.has(to));
}
