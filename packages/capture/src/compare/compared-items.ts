import { canonicalJson, type JournalCollection, type JsonObject, type ProcessDifference } from "@rea/core";

/** One thing of a capture as it is compared: its fields in normalised form, and its place. */
export interface ComparedItem {
  readonly view: JsonObject;
  /** Canonical text of the view. */
  readonly text: string;
  readonly order: number | null;
}

export function comparedItem(view: JsonObject, order: number | null): ComparedItem {
  return { view, text: canonicalJson(view), order };
}

/** A difference before it is told to which dimension it belongs. */
export type FoundDifference = Omit<ProcessDifference, "dimension">;

export interface Place {
  readonly collection: JournalCollection;
  readonly place: string;
}

/** What stands on one side only, or differently on both; undefined when the sides are equal. */
export function itemDifference(left: ComparedItem | undefined, right: ComparedItem | undefined, where: Place): FoundDifference | undefined {
  if (left?.text === right?.text) return undefined;
  const fields = left === undefined || right === undefined ? [] : differingFields(left.view, right.view);
  return {
    ...where,
    state: left === undefined ? "added" : right === undefined ? "removed" : "changed",
    fields,
    left: left === undefined ? null : excerpt(left.view, fields),
    right: right === undefined ? null : excerpt(right.view, fields),
    left_order: left?.order ?? null,
    right_order: right?.order ?? null,
  };
}

function differingFields(left: JsonObject, right: JsonObject): string[] {
  const text = (view: JsonObject, key: string): string => canonicalJson(view[key] ?? null);
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].sort().filter((key) => text(left, key) !== text(right, key));
}

const excerptLength = 200;

/** The differing fields as JSON, or all of them; cut on a code-point boundary. */
function excerpt(view: JsonObject, fields: readonly string[]): string {
  const shown = fields.length === 0 ? view : Object.fromEntries(fields.map((field) => [field, view[field] ?? null]));
  return cutText(canonicalJson(shown));
}

export function cutText(text: string, length = excerptLength): string {
  const points = [...text.slice(0, length * 2 + 2)];
  return points.length <= length && text.length <= length * 2 ? text : `${points.slice(0, length).join("")}…`;
}
