import { basename } from "node:path";
import type { ApplicationAnalysis, JsonValue } from "@rea/core";

/**
 * An analysis of a single file with the name that the person gave it: in the record it has none, so that equal content
 * gives equal records.
 */
export function withFileName(found: ApplicationAnalysis, path: string | null): ApplicationAnalysis {
  if (path === null || (found.format !== "bundle" && found.format !== "source-map")) return found;
  const name = basename(path);
  const named = <T>(value: T): T => renamed(value, name);
  return { ...found, summary: named(found.summary), unknowns: named(found.unknowns) };
}

const sole = /^bundle(?:\.(?:[cm]?[jt]sx?|vue|svelte|html?|map))?$/u;
const places: ReadonlySet<string> = new Set(["path", "script"]);

function renamed<T>(value: T, name: string): T;
function renamed(value: JsonValue, name: string): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => renamed(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typeof item === "string" && places.has(key) && sole.test(item) ? name : renamed(item, name)]));
}
