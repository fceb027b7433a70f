import type { OperationResult } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import { anomalyLines, leftOutLines } from "./findings-text.js";
import type { Style } from "./style.js";
import { table } from "./table.js";

type Catalog = OperationResult<"inspect_asset_catalog">;
type Row = Catalog["renditions"]["items"][number];

const width = 200;
const columns = [
  { title: "asset" },
  { title: "type" },
  { title: "scale" },
  { title: "idiom" },
  { title: "appearance" },
  { title: "pixels" },
  { title: "encoding" },
  { title: "bytes", align: "right" as const },
  { title: "sha256" },
  { title: "file" },
];

/** Who wrote the catalog, and its renditions as a table. */
export function assetCatalogText(found: Catalog, style: Style): string {
  const { document, header, platform, renditions } = found;
  const facts = [
    byteSize(document.bytes),
    ...(header === null ? [] : [`CoreUI ${String(header.core_ui_version)}, ${grouped(header.rendition_count)} renditions`, ...(header.timestamp === null ? [] : [header.timestamp])]),
    ...(platform === null ? [] : [`${platform.name} ${platform.version}`]),
  ];
  const next = renditions.next_offset === null ? [] : [`… continue with --offset ${String(renditions.next_offset)}`];
  const before = [`${style.heading(document.logical_path)}  ${style.dim(facts.join(" · "))}`, ...(platform === null ? [] : [style.dim(platform.authoring_tool)])];
  const after = [...next, ...anomalyLines(found.anomalies, style), ...leftOutLines(renditions.coverage, style)];
  const rows = renditions.items.map(cells);
  return `${lines(before)}${rows.length === 0 ? "No renditions.\n" : table(columns, rows, width)}${lines(after)}`;
}

function cells(row: Row): readonly string[] {
  const { name, type, scale, idiom, appearance, pixel_size, pixel_format, encoding, bytes, sha256, file_name, color, problem } = row;
  const pixels = pixel_size === null ? "" : `${String(pixel_size.width)}×${String(pixel_size.height)}`;
  const format = [encoding ?? "?", pixel_format ?? ""].filter((word) => word !== "").join(" ");
  const shownColor = color === null ? "" : `color ${color.components.join(" ")}`;
  return [name ?? "?", type ?? "?", scale ?? "", idiom ?? "", appearance === "any" ? "" : appearance, pixels, format, grouped(bytes), sha256?.slice(0, 12) ?? "", problem ?? (file_name ?? shownColor)];
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line.trimEnd()}\n`).join("");
}
