import { artifactComparisonSchema, binaryComparisonSchema, type Evidence } from "@rea/core";
import { escapeHtml } from "./html.js";
import { code, count, verdict, type PageTable } from "./page-parts.js";

/** Functions that differ between two programs, most changed first, and those that only one has. */
export function programChanges({ normalized_result: result }: Evidence): PageTable[] {
  const parsed = binaryComparisonSchema.safeParse(result);
  if (!parsed.success) return [];
  const { changed, added, removed } = parsed.data;
  const named = ({ name, demangled, address }: (typeof added)["items"][number]): string => escapeHtml(demangled ?? name ?? address);
  const only = (list: typeof added, state: string): string[][] => list.items.map((place) => [named(place), code(place.address), state, ""]);
  const rows = changed.items.map(({ right, similarity_permille: alike, parts }) => [named(right), code(right.address), "changed", escapeHtml(`${(alike / 10).toFixed(1)} % alike; ${parts.join(", ")}`)]);
  const total = [changed, added, removed].reduce((sum, list) => sum + (list.total ?? list.items.length), 0);
  return [{ heading: heading("Functions that changed", rows.length + added.items.length + removed.items.length, total), columns: ["Function", "Address", "State", "What"], rows: [...rows, ...only(added, "added"), ...only(removed, "removed")] }];
}

/** Members that differ between two artifacts. */
export function memberChanges({ normalized_result: result }: Evidence): PageTable[] {
  const parsed = artifactComparisonSchema.safeParse(result);
  if (!parsed.success) return [];
  const { changes, changes_total: total } = parsed.data;
  const rows = changes.map(({ logical_path: path, state, dimensions }) => [escapeHtml(path), verdict(state), escapeHtml(dimensions.join(", "))]);
  return [{ heading: heading("Members that changed", rows.length, total), columns: ["Path", "State", "In"], rows }];
}

function heading(text: string, shown: number, total: number): string {
  return shown >= total ? text : `${text} (${count(shown)} of ${count(total)})`;
}
