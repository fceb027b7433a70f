import { drawnEdges, type GraphModel, type GraphNode } from "./graph-model.js";

/** The graph in the DOT language of Graphviz. */
export function dotText(graph: GraphModel): string {
  const nodes = graph.nodes.map(({ id, role, ...node }) => `  ${quoted(id)} [label=${quoted(labelOf(node, "\\l"))}${dotStyle(role)}];`);
  const edges = drawnEdges(graph).map(({ from, to, kind, label }) => `  ${quoted(from)} -> ${quoted(to)} [class=${quoted(kind)}${label === null ? "" : `, label=${quoted(label)}`}];`);
  const head = [`digraph ${quoted(graph.title)} {`, `  rankdir=${graph.direction === "down" ? "TB" : "LR"};`, '  node [shape=box, fontname="monospace", fontsize=10];', '  edge [fontname="monospace", fontsize=9];'];
  return [...head, ...nodes, ...edges, "}", ""].join("\n");
}

const dotStyles = { plain: "", start: ", penwidth=2", outside: ", style=dashed", unexpanded: ', style=filled, fillcolor="#eeeeee"' } as const satisfies { readonly [role in GraphNode["role"]]: string };

function dotStyle(role: GraphNode["role"]): string {
  return dotStyles[role];
}

/** Only the quote needs care in DOT; `\l`, which ends a line at its left, is ours. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', String.raw`\"`)}"`;
}

function labelOf({ title, lines }: Pick<GraphNode, "title" | "lines">, end: string): string {
  const plain = (line: string): string => line.replaceAll("\\", "\\\\");
  return lines.length === 0 ? plain(title) : [title, ...lines].map((line) => `${plain(line)}${end}`).join("");
}

/** The graph as a Mermaid flow chart. */
export function mermaidText(graph: GraphModel): string {
  const names = new Map(graph.nodes.map(({ id }, index) => [id, `n${String(index)}`]));
  const nodes = graph.nodes.map(({ id, title, lines, role }) => {
    const text = [title, ...lines].map(mermaidEscaped).join("<br/>");
    return `  ${names.get(id) ?? ""}["${text}"]${role === "plain" ? "" : `:::${role}`}`;
  });
  const edges = drawnEdges(graph).map(({ from, to, kind, label }) => {
    const arrow = kind === "branch" || kind === "switch" ? "-.->" : "-->";
    return `  ${names.get(from) ?? ""} ${arrow}${label === null ? "" : `|"${mermaidEscaped(label)}"|`} ${names.get(to) ?? ""}`;
  });
  const styles = ["  classDef start stroke-width:3px", "  classDef outside stroke-dasharray:4", "  classDef unexpanded fill:#eee"];
  return [`flowchart ${graph.direction === "down" ? "TD" : "LR"}`, ...nodes, ...edges, ...styles, ""].join("\n");
}

/** Mermaid reads entities by number with `#` instead of `&#`. */
function mermaidEscaped(text: string): string {
  return text.replace(/[^\w .,:;+*/=()-]/gu, (character) => `#${String(character.codePointAt(0))};`);
}

/** The graph as JSON: `{title, nodes, edges}`. */
export function graphJson(graph: GraphModel): string {
  return `${JSON.stringify({ title: graph.title, nodes: graph.nodes, edges: drawnEdges(graph) }, null, 2)}\n`;
}
