import { coverageOf, stringEncodings, type OperationResult } from "@rea/core";
import { containerHints } from "../container-hints.js";
import type { BinaryImage } from "../image.js";
import { overlayFormat } from "../overlay-format.js";
import { scanStrings } from "../strings.js";
import type { ContentReader } from "./content.js";
import { bounded, type Display } from "./display.js";

type Result = OperationResult<"inspect_binary">;

/** What follows the last byte the headers account for. */
export function overlayFacet(image: BinaryImage, content: ContentReader, display: Display): Result["overlay"] {
  const overlay = image.overlay();
  if (overlay === undefined) {
    return { present: false, ...display.range(undefined), sha256: null, format: null, entropy_millibits: null, coverage: coverageOf([]) };
  }
  const facts = content.of(overlay);
  return {
    present: true,
    ...display.range(overlay),
    ...facts,
    format: overlayFormat(image.source, overlay) ?? null,
    coverage: coverageOf(content.omissions("overlay")),
  };
}

/** How many texts the mapped data holds, by encoding. */
export function stringsFacet(image: BinaryImage): Result["strings_summary"] {
  const scan = scanStrings(image);
  return {
    by_encoding: stringEncodings.map((encoding) => ({ encoding, count: scan.countOf(encoding) })),
    minimum_length: scan.minimum,
    coverage: coverageOf(scan.omissions),
  };
}

const shownHints = 100;

export function hintsFacet(image: BinaryImage, display: Display): Result["container_hints"] {
  const shown = bounded(containerHints(image), shownHints, "container hints");
  const items = shown.items.map(({ kind, basis, file }) => ({ kind, basis, ...display.range(file) }));
  return { items, coverage: coverageOf(shown.omissions) };
}
