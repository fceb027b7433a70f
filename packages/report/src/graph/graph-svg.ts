import { escapeHtml } from "../page/html.js";
import { drawnEdges, type GraphEdge, type GraphModel, type GraphNode } from "./graph-model.js";
import { layoutLibrary } from "./layout-library.js";

/** Width of a character of the type that labels are set in, and height of a line, in pixels. */
const character = 6.7;
const line = 14;
const padding = 8;
const longestLine = 64;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Route {
  readonly edge: GraphEdge;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/**
 * The graph as a picture that stands alone: no script, no font and nothing else is fetched. Laid out in layers by dagre. Colours follow the reader's light or dark setting. `mark` tells pictures of one page apart.
 */
export function svgText(graph: GraphModel, mark = ""): string {
  const { width, height, places, routes } = arranged(graph);
  const nodes = graph.nodes.map((node) => box(node, places.get(node.id)));
  const name = escapeHtml(graph.title);
  return [
    `<svg class="graph" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pixels(width)} ${pixels(height)}" width="${pixels(width)}" height="${pixels(height)}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    style,
    `<defs><marker id="arrow${mark}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="head"/></marker></defs>`,
    ...routes.map((route) => path(route, `arrow${mark}`)),
    ...nodes,
    "</svg>",
    "",
  ].join("\n");
}

// Names of the picture only, since in a page its style is that of the whole page.
const style = `<style>
.graph{background:#fff}.graph text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#1a1a1a}.graph .box{fill:#f6f8fa;stroke:#57606a}.graph .start{stroke-width:2.5;fill:#ddf4ff}.graph .outside{stroke-dasharray:4 3;fill:#fff}.graph .unexpanded{fill:#eaeef2}.graph .title{font-weight:600}.graph .edge{fill:none;stroke:#57606a}.graph .branch{stroke:#1a7f37}.graph .jump{stroke:#0969da}.graph .switch{stroke:#8250df}.graph .head{fill:#57606a}.graph .label{font-size:10px;fill:#57606a}
@media(prefers-color-scheme:dark){.graph{background:#0d1117}.graph text{fill:#e6edf3}.graph .box{fill:#161b22;stroke:#8b949e}.graph .start{fill:#0c2d6b}.graph .outside{fill:#0d1117}.graph .unexpanded{fill:#21262d}.graph .edge{stroke:#8b949e}.graph .branch{stroke:#3fb950}.graph .jump{stroke:#58a6ff}.graph .switch{stroke:#bc8cff}.graph .head{fill:#8b949e}.graph .label{fill:#8b949e}}
</style>`;

function arranged(graph: GraphModel) {
  const { Graph, layout } = layoutLibrary();
  const plan = new Graph({ multigraph: true });
  plan.setGraph({ rankdir: graph.direction === "down" ? "TB" : "LR", nodesep: graph.direction === "down" ? 24 : 8, ranksep: graph.direction === "down" ? 36 : 90, marginx: 12, marginy: 12 });
  for (const node of graph.nodes) plan.setNode(node.id, sizeOf(node));
  const edges = drawnEdges(graph);
  edges.forEach((edge, index) => {
    const text = edge.label ?? "";
    plan.setEdge(edge.from, edge.to, { width: text.length * 6, height: text === "" ? 0 : line, labelpos: "c" }, String(index));
  });
  layout(plan);
  const places = new Map<string, Placed>();
  for (const { id } of graph.nodes) places.set(id, placeOf(plan.node(id)));
  const routes: Route[] = edges.map((edge, index) => ({ edge, points: pointsOf(plan.edge(edge.from, edge.to, String(index))) }));
  const all = [...places.values()];
  return {
    width: Math.max(40, ...all.map(({ x, width }) => x + width / 2), ...routes.flatMap(({ points }) => points.map(({ x }) => x))) + 12,
    height: Math.max(40, ...all.map(({ y, height }) => y + height / 2), ...routes.flatMap(({ points }) => points.map(({ y }) => y))) + 12,
    places,
    routes,
  };
}

function sizeOf({ title, lines }: GraphNode): { readonly width: number; readonly height: number } {
  const longest = Math.max(...[title, ...lines].map((text) => cut(text).length));
  return { width: Math.max(60, longest * character + 2 * padding), height: (1 + lines.length) * line + 2 * padding };
}

/** The library's own types say nothing of what it fills in. */
function placeOf(value: unknown): Placed {
  const of = (key: string): number => numberIn(value, key);
  return { x: of("x"), y: of("y"), width: of("width"), height: of("height") };
}

function pointsOf(value: unknown): Route["points"] {
  if (typeof value !== "object" || value === null || !("points" in value) || !Array.isArray(value.points)) return [];
  return value.points.map((point: unknown) => ({ x: numberIn(point, "x"), y: numberIn(point, "y") }));
}

function numberIn(value: unknown, key: string): number {
  const found: unknown = typeof value === "object" && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined;
  return typeof found === "number" ? found : 0;
}

function box({ title, lines, role }: GraphNode, place: Placed | undefined): string {
  if (place === undefined) return "";
  const [left, top] = [place.x - place.width / 2, place.y - place.height / 2];
  const texts = [title, ...lines].map((text, index) => {
    const kind = index === 0 ? ' class="title"' : "";
    return `<text${kind} x="${pixels(left + padding)}" y="${pixels(top + padding + line * index + 11)}" xml:space="preserve">${escapeHtml(cut(text))}</text>`;
  });
  return `<g><rect class="box ${role}" x="${pixels(left)}" y="${pixels(top)}" width="${pixels(place.width)}" height="${pixels(place.height)}" rx="4"/>${texts.join("")}</g>`;
}

function path({ edge, points }: Route, arrow: string): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const middle = points[Math.floor(points.length / 2)] ?? first;
  const label = edge.label === null ? "" : `<text class="label" x="${pixels(middle.x + 4)}" y="${pixels(middle.y)}">${escapeHtml(cut(edge.label))}</text>`;
  const line = rest.map(({ x, y }) => `L${pixels(x)} ${pixels(y)}`).join("");
  return `<path class="edge ${edge.kind}" d="M${pixels(first.x)} ${pixels(first.y)}${line}" marker-end="url(#${arrow})"/>${label}`;
}

function cut(text: string): string {
  const points = [...text];
  return points.length > longestLine ? `${points.slice(0, longestLine - 1).join("")}…` : text;
}

function pixels(value: number): string {
  return String(Math.round(value * 10) / 10);
}
