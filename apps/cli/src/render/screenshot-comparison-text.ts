import type { ScreenshotComparison } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import type { Style } from "./style.js";
import { table } from "./table.js";

const shownRegions = 20;

/** A comparison of two images for a person: the verdict, how much changed, and where. */
export function screenshotComparisonText(found: ScreenshotComparison, style: Style): string {
  const lines = [
    style.heading(verdict(found)),
    "",
    imageLine("left", found.left, style),
    imageLine("right", found.right, style),
    ...amountLines(found),
    ...found.color_management.differing.map((aspect) => style.warn(`? ${aspect.replaceAll("_", " ")} differs: ${String(found.left.color[aspect] ?? "none")} and ${String(found.right.color[aspect] ?? "none")}`)),
  ];
  return [...lines.map((line) => `${line}\n`), regionTable(found), ...found.limitations.map((text) => `${style.dim(text)}\n`)].join("");
}

function verdict({ status, changed_pixels, channel_threshold }: ScreenshotComparison): string {
  switch (status) {
    case "identical":
      return channel_threshold === 0 ? "The two images show the same." : `The two images differ nowhere by more than ${String(channel_threshold)}.`;
    case "different":
      return "The two images differ.";
    case "dimension_mismatch":
      return "The two images have different sizes.";
    case "unknown":
      return `Whether the two images show the same is not known; ${grouped(changed_pixels ?? 0)} pixels differ as they are stored.`;
  }
}

function imageLine(side: string, image: ScreenshotComparison["left"], style: Style): string {
  const form = `${image.color_type.replaceAll("_", " with ")}, ${String(image.bit_depth)} bits${image.interlaced ? ", interlaced" : ""}`;
  return `  ${side.padEnd(5)}  ${String(image.width)} × ${String(image.height)}  ${style.dim(`${form}, ${byteSize(image.bytes)}, sha256 ${image.sha256}`)}`;
}

function amountLines({ changed_pixels: changed, total_pixels: total, max_channel_delta: most, sample_depth: depth }: ScreenshotComparison): string[] {
  if (changed === null || total === null || changed === 0) return [];
  const tenths = Math.round((changed * 1000) / total);
  const share = tenths === 0 ? "less than 0.1 %" : `${String(Math.floor(tenths / 10))}.${String(tenths % 10)} %`;
  return ["", `  ${grouped(changed)} of ${grouped(total)} pixels changed (${share}), by at most ${grouped(most ?? 0)} of ${depth === 16 ? "65,535" : "255"}`];
}

function regionTable({ regions }: ScreenshotComparison): string {
  if (regions.length === 0) return "\n";
  const columns = [
    { title: "x", align: "right" },
    { title: "y", align: "right" },
    { title: "width", align: "right" },
    { title: "height", align: "right" },
    { title: "changed", align: "right" },
  ] as const;
  const rows = regions.slice(0, shownRegions).map(({ x, y, width, height, changed_pixels }) => [x, y, width, height, changed_pixels].map((value) => grouped(value)));
  const more = regions.length - rows.length;
  return `\n${table(columns, rows, 110)}${more > 0 ? `  … ${String(more)} more\n` : ""}\n`;
}
