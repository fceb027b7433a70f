import { isJsonObject, type JsonValue, type OperationResult } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import { anomalyLines, leftOutLines } from "./findings-text.js";
import type { Style } from "./style.js";

type Plist = OperationResult<"inspect_plist">;

/** A property list as an outline: one line a value, what is inside it further in. */
export function plistText(found: Plist, style: Style): string {
  const { document, format, encoding, root } = found;
  const types = new Map(found.typed.items.map(({ key_path, type }) => [key_path, type]));
  const what = [format, ...(encoding === null ? [] : [encoding]), byteSize(document.bytes)].join(", ");
  const body = found.found
    ? [...valueLines("", found.value, { path: "", depth: 0, types, style })]
    : [style.warn(`Nothing stands at ${root}.`)];
  return [
    `${style.heading(document.logical_path)}  ${style.dim(what)}${root === "" ? "" : `  ${style.code(root)}`}`,
    ...body,
    ...anomalyLines(found.anomalies, style),
    ...leftOutLines(found.coverage, style),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly types: ReadonlyMap<string, string>;
  readonly style: Style;
}

function* valueLines(label: string, value: JsonValue, place: Place): Generator<string> {
  const { path, depth, types, style } = place;
  const type = types.get(path);
  const indent = "  ".repeat(depth);
  const name = label === "" ? "" : `${label}: `;
  const plain = plainText(value, type, style);
  if (plain !== undefined) {
    yield `${indent}${name}${plain}`;
    return;
  }
  const entries = entriesOf(value);
  yield `${indent}${name}${style.dim(countOf(value, entries.length))}`;
  for (const [key, item] of entries) {
    const step = key.replace(/[\\.]/g, "\\$&");
    yield* valueLines(key, item, { ...place, path: path === "" ? step : `${path}.${step}`, depth: depth + 1 });
  }
}

function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => [String(index), item] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function countOf(value: JsonValue, count: number): string {
  return Array.isArray(value) ? `[${grouped(count)}]` : `{${grouped(count)}}`;
}

/** What fits on one line; undefined for containers. */
function plainText(value: JsonValue, type: string | undefined, style: Style): string | undefined {
  if (type === "data" && isJsonObject(value)) return dataText(value, style);
  if (type === "uid" && isJsonObject(value)) return `uid ${wordOf(value["uid"])}`;
  if (type === "unreadable") return style.bad("unreadable");
  if (typeof value === "string") return type === undefined ? JSON.stringify(value) : `${value} ${style.dim(type)}`;
  return typeof value === "object" && value !== null ? undefined : String(value);
}

function dataText(value: { readonly [key: string]: JsonValue }, style: Style): string {
  const bytes = Number(value["bytes"]);
  const data = wordOf(value["data"]);
  const shown = data.length > 48 ? `${data.slice(0, 48)}…` : data;
  return `data ${byteSize(bytes)} ${shown} ${style.dim(`sha256 ${wordOf(value["sha256"])}`)}`;
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
