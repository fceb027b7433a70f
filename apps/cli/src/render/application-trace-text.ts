import type { FeatureTrace, SemanticTrace } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

/** A feature's trace for a person: what was found, the paths to its ends, what is native, and what is left out. */
export function featureTraceText(found: FeatureTrace, style: Style): string {
  const { seed, seeds, nodes, edges, paths, frontier, authorities, native_handovers: native } = found;
  const names = new Map(nodes.items.map((node) => [node.n, `${style.dim(node.kind)} ${node.name}`]));
  const named = (n: number): string => names.get(n) ?? style.dim(`node ${String(n)}`);
  const lines = [
    style.heading(`${seed.kind} ${seed.value}: ${grouped(seeds.total)} ${seeds.total === 1 ? "place" : "places"}, ${grouped(nodes.total ?? 0)} nodes, ${grouped(edges.total ?? 0)} edges`),
    ...seeds.items.map(({ n, matched, text, at }) => `  ${named(n)}${matched === "code" ? `  ${style.code(text)}` : ""}${placeText(at, style)}`),
    ...(paths.items.length === 0 ? [] : ["", style.heading(`Paths (${grouped(paths.total ?? 0)})`)]),
    ...paths.items.map((path) => pathLine(path, named, style)),
    ...(native.length === 0 ? [] : ["", style.heading("Native code")]),
    ...native.map(({ path, state, evidence, next }) => `  ${path}  ${state === "observed" ? style.good(`observed in ${evidence.join(", ")}`) : style.warn("needs an engine")}${next === null ? "" : style.dim(`  ${next}`)}`),
    ...(frontier.total === 0 ? [] : ["", style.warn(`${grouped(frontier.total)} nodes were not followed further; raise --max-depth, --max-nodes or --max-edges.`)]),
    "",
    ...authorities.map(({ authority, state, confidence, edges: count }) => style.dim(`${grouped(count)} edges ${state} (${confidence}) by ${authority}`)),
    ...(nodes.has_more || edges.has_more || paths.has_more ? [style.dim(`More: --offset ${String(nodes.offset + nodes.limit)}`)] : []),
    ...found.coverage.omissions.map(({ scope, reason }) => style.warn(`left out (${reason}): ${scope}`)),
    ...found.limitations.map((one) => style.dim(one)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function pathLine({ direction, nodes, relations, state }: FeatureTrace["paths"]["items"][number], named: (n: number) => string, style: Style): string {
  const arrow = (relation: string): string => (direction === "outgoing" ? ` ─${relation}→ ` : ` ←${relation}─ `);
  const chain = nodes.map((n, index) => `${index === 0 ? "" : arrow(relations[index - 1] ?? "")}${named(n)}`).join("");
  return `  ${chain}${state === "observed" ? "" : style.dim(` (${state})`)}`;
}

function placeText(at: { readonly path: string; readonly line: number; readonly column: number } | null, style: Style): string {
  return at === null ? "" : style.dim(`  ${at.path}:${String(at.line)}:${String(at.column)}`);
}

/** A trace through code for a person: its seeds, and one relation a line with the places of both ends. */
export function semanticTraceText(found: SemanticTrace, style: Style): string {
  const { seed, seeds, nodes, relations, reached, unresolved_calls: unresolved } = found;
  const lines = [
    style.heading(`${found.direction} of ${seed.kind} ${seed.value}: ${grouped(seeds.total)} ${seeds.total === 1 ? "place" : "places"}, ${grouped(reached.relations)} relations, ${grouped(reached.nodes)} nodes`),
    ...seeds.items.map((node) => `  ${nodeText(node, style)}`),
    ...(relations.length === 0 ? [] : [""]),
    ...relations.map(({ relation, from, to, depth, state, confidence, reason }) => {
      const sure = state === "observed" ? "" : style.dim(` (${confidence}${reason === null ? "" : `: ${reason}`})`);
      return `${"  ".repeat(Math.min(depth, 8))}${nodeText(nodes[from], style)} ${style.code(relation)} ${nodeText(nodes[to], style)}${sure}`;
    }),
    ...(found.next_cursor === null ? [] : ["", style.dim(`${grouped(found.total - found.offset - relations.length)} more: --cursor ${found.next_cursor}`)]),
    ...(found.ambiguous_left_out === 0 ? [] : [style.warn(`${grouped(found.ambiguous_left_out)} calls that only a run decides were not followed; --ambiguous follows them.`)]),
    ...unresolved.map(({ reason, calls }) => style.warn(`${grouped(calls)} calls lead to what is not known: ${reason}`)),
    ...found.coverage.omissions.map(({ scope, reason }) => style.warn(`left out (${reason}): ${scope}`)),
    ...found.limitations.map((one) => style.dim(one)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function nodeText(node: Pick<SemanticTrace["nodes"][number], "kind" | "name" | "path" | "location"> | undefined, style: Style): string {
  if (node === undefined) return "";
  return `${style.dim(node.kind)} ${node.kind === "literal" ? JSON.stringify(node.name) : node.name}${style.dim(` ${node.path}:${String(node.location.line)}:${String(node.location.column)}`)}`;
}
