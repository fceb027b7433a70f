import type { JsonValue } from "@rea/core";

/** A value as TOML on one line. Numbers are whole, as all of ours are. */
export function tomlValue(value: JsonValue): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) throw new Error("TOML has no null");
  if (isList(value)) return `[${value.map(tomlValue).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key);
}

/** Paths of Windows are read more easily without escapes. */
function tomlString(text: string): string {
  if (text.includes("\\") && !/['\u0000-\u0008\u000A-\u001F\u007F]/.test(text)) return `'${text}'`;
  const escaped = text.replace(/["\\\u0000-\u001F\u007F]/g, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}
