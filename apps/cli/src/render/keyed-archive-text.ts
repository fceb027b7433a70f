import { isJsonObject, type JsonValue, type OperationResult } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import { anomalyLines, leftOutLines } from "./findings-text.js";
import { cut } from "./table.js";
import type { Style } from "./style.js";

type Archive = OperationResult<"inspect_keyed_archive">;
type Item = Archive["objects"]["items"][number];

const lineWidth = 160;

/** Objects one after another, each with its fields; `#12` is the object with that number. */
export function keyedArchiveText(found: Archive, style: Style): string {
  const { document, archiver, version, top, objects, classes } = found;
  const writer = [archiver ?? "unknown archiver", ...(version === null ? [] : [version])].join(" ");
  const next = objects.next_offset === null ? [] : [`… continue with --offset ${String(objects.next_offset)}`];
  return [
    `${style.heading(document.logical_path)}  ${style.dim(`${writer}, ${byteSize(document.bytes)}, ${grouped(found.object_count)} objects`)}`,
    ...top.items.map(({ name, reference, value }) => `  ${name} = ${reference === null ? plain(value) : `#${String(reference)}`}`),
    "",
    ...objects.items.flatMap((item) => [...itemLines(item, style)]),
    ...next,
    "",
    style.heading("classes"),
    ...classes.items.map(({ class: name, count }) => `  ${grouped(count).padStart(8)}  ${name}`),
    ...anomalyLines(found.anomalies, style),
    ...leftOutLines(objects.coverage, style),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function* itemLines({ index, kind, class: name, fields, value }: Item, style: Style): Generator<string> {
  const what = name === null ? kind : style.code(name);
  const entries = Object.entries(fields);
  const inline = entries.length > 0 || value === null ? "" : ` ${plain(value)}`;
  yield cut(`#${String(index)} ${kind === "class" ? `class ${what}` : what}${inline}`, lineWidth);
  for (const [key, field] of entries) yield cut(`    ${key}: ${plain(field)}`, lineWidth);
}

function plain(value: JsonValue): string {
  if (isReference(value)) return `#${String(value.uid)}`;
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => plain(item)).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, item]) => `${key}: ${plain(item)}`).join(", ")}}`;
}

function isReference(value: JsonValue): value is { readonly uid: number } {
  return isJsonObject(value) && Object.keys(value).length === 1 && typeof value["uid"] === "number";
}
