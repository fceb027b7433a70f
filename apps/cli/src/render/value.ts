import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";
import { blockLines, frameLine } from "./function-text.js";
import type { Style } from "./style.js";
import { cut, table } from "./table.js";

export interface RenderOptions {
  readonly width: number;
  readonly style: Style;
  /** Set inside a result that did not examine everything: nothing found there is not the same as nothing there. */
  readonly partial?: boolean;
}

/** Any tool result as text: fields one a line, lists of objects as tables, pages with their extent and coverage. */
export function renderValue(value: JsonValue, options: RenderOptions, indent = ""): string {
  if (Array.isArray(value)) return renderList(value, options, indent);
  if (isJsonObject(value)) return renderObject(value, options, indent);
  return `${indent}${scalar(value)}\n`;
}

function renderObject(value: JsonObject, outer: RenderOptions, indent: string): string {
  const options = isPartial(value) ? { ...outer, partial: true } : outer;
  if (isPage(value)) return renderPage(value, options, indent);
  if (value["state"] === "available" && "value" in value) return renderValue(value["value"] ?? null, options, indent);
  if (value["state"] === "unavailable" && typeof value["reason"] === "string") {
    return `${indent}${options.style.dim(`unavailable: ${value["reason"]}`)}\n`;
  }
  return Object.entries(value)
    .map(([key, item]) => renderField(key, item, options, indent))
    .join("");
}

function renderField(key: string, item: JsonValue, options: RenderOptions, indent: string): string {
  const label = key.replaceAll("_", " ");
  if (key === "coverage" && isJsonObject(item)) return renderCoverage(item, options, indent);
  const frame = key === "frame" ? frameLine(item) : undefined;
  if (frame !== undefined) return `${cut(`${indent}${label}: ${frame}`, options.width)}\n`;
  if (isLeaf(item)) return `${cut(`${indent}${label}: ${scalar(item)}`, options.width)}\n`;
  if (typeof item === "string") return `${indent}${options.style.heading(label)}\n${indentLines(item, `${indent}  `)}\n`;
  if (Array.isArray(item) && item.length === 0) return `${indent}${label}: ${options.style.dim(selfReported.has(key) ? "none" : nothing(options))}\n`;
  return `${indent}${options.style.heading(label)}\n${renderValue(item, options, `${indent}  `)}`;
}

/** Lists of what the call itself did; they are whole, however little of the target was examined. */
const selfReported: ReadonlySet<string> = new Set(["failures", "limitations", "residual_unknowns"]);

function isPartial({ coverage }: JsonObject): boolean {
  return coverage !== undefined && isJsonObject(coverage) && coverage["state"] !== "complete";
}

function nothing({ partial }: RenderOptions): string {
  return partial === true ? "no match in what was examined" : "empty";
}

function isLeaf(item: JsonValue): boolean {
  return item === null || typeof item === "number" || typeof item === "boolean" || (typeof item === "string" && !item.includes("\n"));
}

function indentLines(text: string, indent: string): string {
  return text
    .split("\n")
    .map((line) => `${indent}${line}`)
    .join("\n");
}

function renderList(items: readonly JsonValue[], options: RenderOptions, indent: string): string {
  if (items.length === 0) return `${indent}${options.style.dim(nothing(options))}\n`;
  const objects = items.filter(isJsonObject);
  if (objects.length < items.length) return items.map((item) => cut(`${indent}${inline(item)}`, options.width)).join("\n") + "\n";
  const blocks = blockLines(objects, options.width - indent.length);
  if (blocks !== undefined) return `${blocks.map((line) => cut(`${indent}${line}`, options.width)).join("\n")}\n`;
  if (objects.some(holdsObjects)) return objects.map((item) => renderBlock(item, options, indent)).join("");
  const keys = [...new Set(objects.flatMap((item) => Object.keys(item)))];
  const shown = keys.filter((key) => objects.some((item) => item[key] !== null && item[key] !== undefined && item[key] !== false));
  const columns = shown.map((key) => ({
    title: key.replaceAll("_", " "),
    align: objects.every((item) => typeof item[key] === "number" || item[key] === null) ? ("right" as const) : ("left" as const),
  }));
  const rows = objects.map((item) => shown.map((key) => inline(item[key] ?? null)));
  return table(columns, rows, options.width, indent);
}

function holdsObjects(item: JsonObject): boolean {
  return Object.values(item).some((field) => Array.isArray(field) && field.filter(isJsonObject).length > 2);
}

/** An item with lists of its own: its plain fields on one line, each list below it. */
function renderBlock(item: JsonObject, options: RenderOptions, indent: string): string {
  const lists = Object.entries(item).filter(([, field]) => Array.isArray(field) && field.some(isJsonObject));
  const plain = Object.fromEntries(Object.entries(item).filter(([key]) => !lists.some(([list]) => list === key)));
  const head = `${cut(`${indent}- ${inline(plain)}`, options.width)}\n`;
  return head + lists.map(([key, field]) => renderField(key, field, options, `${indent}    `)).join("");
}

/** One line for one cell. */
function inline(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(inline).join(", ");
  if (isJsonObject(value)) {
    return Object.entries(value)
      .filter(([, item]) => item !== null && item !== false && !(Array.isArray(item) && item.length === 0))
      .map(([key, item]) => `${key}=${inline(item)}`)
      .join(" ");
  }
  return value === null ? "" : scalar(value);
}

function scalar(value: JsonValue): string {
  return value === null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isPage(value: JsonObject): boolean {
  return Array.isArray(value["items"]) && ("has_more" in value || "returned" in value);
}

function renderPage(page: JsonObject, options: RenderOptions, indent: string): string {
  const items = Array.isArray(page["items"]) ? page["items"] : [];
  const coverage = isJsonObject(page["coverage"]) ? renderCoverage(page["coverage"], options, indent) : "";
  const list = items.length === 0 && options.partial !== true ? `${indent}${options.style.dim("no match")}\n` : renderList(items, options, indent);
  return `${list}${extent(page, items.length, options, indent)}${coverage}`;
}

function extent(page: JsonObject, shown: number, options: RenderOptions, indent: string): string {
  const total = typeof page["total"] === "number" ? page["total"] : undefined;
  const next = page["next_offset"];
  if (typeof next === "number") {
    const of = total === undefined ? "" : ` of ${total}`;
    return `${indent}${options.style.dim(`${shown} shown${of}; continue with --offset ${next}`)}\n`;
  }
  return total === undefined || total === shown ? "" : `${indent}${options.style.dim(`${shown} shown of ${total}`)}\n`;
}

function renderCoverage(coverage: JsonObject, options: RenderOptions, indent: string): string {
  if (coverage["state"] === "complete") return "";
  const omissions = Array.isArray(coverage["omissions"]) ? coverage["omissions"].filter(isJsonObject) : [];
  const lines = omissions.map((item) => {
    const count = typeof item["count"] === "number" ? ` (${item["count"]})` : "";
    const next = typeof item["how_to_continue"] === "string" ? `; ${item["how_to_continue"]}` : "";
    return `${indent}  ${scalar(item["scope"] ?? null)}: ${scalar(item["reason"] ?? null)}${count}${next}`;
  });
  return `${[options.style.warn(`${indent}not everything was examined:`), ...lines].join("\n")}\n`;
}
