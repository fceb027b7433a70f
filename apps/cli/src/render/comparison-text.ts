import type { artifactComparisonSchema, z } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

type Comparison = z.output<typeof artifactComparisonSchema>;
type Change = Comparison["changes"][number];

const signs = { added: "+", removed: "-", changed: "~", unknown: "?", contradiction: "!" } as const;
const words = {
  unchanged: "No difference.",
  changed: "They differ.",
  unknown: "Some places could not be compared.",
  contradiction: "Some contents contradict what is declared of them.",
  truncated: "At least one side was not read to its end.",
} as const;

/** A comparison as people read a diff: one line for each place, containers before what is in them. */
export function comparisonText(found: Comparison, style: Style): string {
  const { summary, changes, changes_total, next_offset, moves } = found;
  const moved = new Map(moves.map(({ from, to }) => [from, to] as const));
  const counts = Object.entries(summary).filter(([, count]) => count > 0);
  return [
    style.heading(words[found.status]),
    ...changes.map((change) => changeLine(change, moved, style)),
    ...(next_offset === null ? [] : [`… ${grouped(changes_total - next_offset)} more; continue with --offset ${String(next_offset)}`]),
    "",
    counts.map(([state, count]) => `${grouped(count)} ${state}`).join(", "),
    ...found.limitations.map((one) => style.dim(one)),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function changeLine(change: Change, moved: ReadonlyMap<string, string>, style: Style): string {
  const { state, logical_path, dimensions, left, right } = change;
  const sign = `${signs[state]} ${logical_path}`;
  const to = state === "removed" ? moved.get(logical_path) : undefined;
  const what = [...(dimensions.length > 0 ? [dimensions.join(", ")] : []), ...sizes(left, right), ...(to === undefined ? [] : [`moved to ${to}`])];
  return `${coloured(state, style)(sign)}  ${style.dim(what.join("; "))}`;
}

function coloured(state: Change["state"], style: Style): (text: string) => string {
  if (state === "added") return (text) => style.good(text);
  if (state === "removed" || state === "contradiction") return (text) => style.bad(text);
  return (text) => style.warn(text);
}

function sizes(left: Change["left"], right: Change["right"]): string[] {
  const isDirectory = (left ?? right)?.entry_kind === "directory";
  const [before, after] = [left?.bytes ?? null, right?.bytes ?? null];
  if (isDirectory || (before === null && after === null)) return [];
  if (before === null || after === null) return [`${grouped(after ?? before ?? 0)} bytes`];
  if (before === after) return [];
  const by = after - before;
  return [`${grouped(before)} → ${grouped(after)} bytes (${by > 0 ? "+" : ""}${grouped(by)})`];
}
