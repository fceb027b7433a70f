import type { OperationResult } from "@rea/core";
import { escapeHtml } from "./html.js";
import { count } from "./page-parts.js";

type Sections = NonNullable<OperationResult<"inspect_binary">["sections"]>["items"];

const width = 760;
const rowHeight = 26;

/** Sections as bars in the order of the file: as wide as they are large, as dark as their bytes are random. */
export function sectionMap(sections: Sections): string {
  const stored = sections.filter(({ size, file_offset: offset }) => (size ?? 0) > 0 && offset !== null).slice(0, 60);
  const largest = Math.max(1, ...stored.map(({ size }) => size ?? 0));
  const rows = stored.map(({ name, size, entropy_millibits: entropy }, index) => {
    const y = index * rowHeight;
    const length = Math.max(2, Math.round(((size ?? 0) / largest) * 300));
    const strength = entropy === null ? 0.1 : 0.15 + (0.85 * entropy) / 8000;
    const label = `${count(size ?? 0)} bytes${entropy === null ? "" : `, ${(entropy / 1000).toFixed(2)} bits a byte`}`;
    return `<text x="0" y="${String(y + 17)}">${escapeHtml(name)}</text><rect class="bar" x="170" y="${String(y + 4)}" width="${String(length)}" height="18" fill-opacity="${strength.toFixed(2)}"/><text class="dim" x="${String(180 + length)}" y="${String(y + 17)}">${label}</text>`;
  });
  const height = Math.max(rowHeight, stored.length * rowHeight);
  return `<svg class="map" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img" aria-label="Sections by size and entropy">${rows.join("")}</svg>`;
}
