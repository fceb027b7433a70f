import type { PlistValue } from "./property-list.js";

/**
 * Segments of a key path: keys and list positions joined with dots; a dot or backslash that belongs to a key has a
 * backslash before it. The empty path means the whole list.
 */
export function parseKeyPath(path: string): readonly string[] {
  if (path === "") return [];
  const segments = [""];
  for (const [piece] of path.matchAll(/\\[\s\S]|[\s\S]/gu)) {
    if (piece === ".") segments.push("");
    else segments.push((segments.pop() ?? "") + (piece.length > 1 && piece.startsWith("\\") ? piece.slice(1) : piece));
  }
  return segments;
}

/** One step more on a key path. */
export function keyPathStep(path: string, segment: string): string {
  const step = segment.replace(/[\\.]/g, "\\$&");
  return path === "" ? step : `${path}.${step}`;
}

/** What a path leads to; undefined when it leads nowhere. `spelled` is how a key may be written beside its own text. */
export function valueAt(root: PlistValue, path: readonly string[], spelled: (text: string) => string): PlistValue | undefined {
  let value: PlistValue | undefined = root;
  for (const segment of path) value = value === undefined ? undefined : step(value, segment, spelled);
  return value;
}

function step(value: PlistValue, segment: string, spelled: (text: string) => string): PlistValue | undefined {
  if (value.kind === "array" || value.kind === "set") {
    const index = /^\d{1,10}$/.test(segment) ? Number(segment) : value.length;
    return index < value.length ? value.item(index) : undefined;
  }
  if (value.kind !== "dictionary") return undefined;
  for (let index = value.length - 1; index >= 0; index -= 1) {
    const key = value.key(index);
    if (key.kind === "string" && (key.text === segment || spelled(key.text) === segment)) return value.value(index);
  }
  return undefined;
}
