import { coverageOf, formatAddress, type OperationResult } from "@rea/core";
import type { BinaryImage } from "../image.js";
import type { ContentReader } from "./content.js";
import { bounded, countOf, type Display } from "./display.js";

type Result = OperationResult<"inspect_binary">;

const shownSegments = 300;
const shownSections = 500;

/** Format, machine, type and entry as the headers declare them. */
export function headerFacet(image: BinaryImage, display: Display): Result["header"] {
  const { header } = image;
  const entries = image.entryPoints();
  const entry = entries.items.find((point) => point.kind === "entry");
  return {
    format: image.format,
    class_bits: image.bits,
    endianness: image.endian,
    machine: header.machine,
    type: header.type,
    entry: display.address(entry?.va),
    image_base: formatAddress(image.imageBase),
    flags: [...header.flags],
    interpreter: display.optionalText(header.interpreter),
    subsystem: header.subsystem ?? null,
    timestamp: header.timestamp === undefined ? null : { raw: header.timestamp.raw, utc: header.timestamp.utc ?? null },
    ...display.range(header.file),
    coverage: coverageOf(display.omissions(entries.omissions, "header")),
  };
}

export function segmentsFacet(image: BinaryImage, content: ContentReader, display: Display): Result["segments"] {
  const table = image.segments();
  const shown = bounded(table.items, shownSegments, "segments");
  const items = shown.items.map((segment) => ({
    name: display.text(segment.name),
    address: formatAddress(segment.va),
    ...display.range(segment.file),
    virtual_size: countOf(segment.virtualSize),
    flags: [...segment.flags],
    ...content.of(segment.file),
  }));
  const omissions = [...table.omissions, ...shown.omissions, ...content.omissions("segments")];
  return { items, coverage: coverageOf(display.omissions(omissions, "segments")) };
}

export function sectionsFacet(image: BinaryImage, content: ContentReader, display: Display): Result["sections"] {
  const table = image.sections();
  const shown = bounded(table.items, shownSections, "sections");
  const items = shown.items.map((section) => ({
    name: display.text(section.name),
    address: display.address(section.va),
    ...display.range(section.file),
    virtual_size: countOf(section.virtualSize),
    flags: [...section.flags],
    ...content.of(section.file),
  }));
  const omissions = [...table.omissions, ...shown.omissions, ...content.omissions("sections")];
  return { items, coverage: coverageOf(display.omissions(omissions, "sections")) };
}
