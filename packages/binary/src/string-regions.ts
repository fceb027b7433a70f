import type { ByteSource } from "@rea/core";
import type { BinaryImage, FileRange, Section } from "./image.js";

/** Bytes to search, with the address of the first one where they are mapped. */
export interface StringRegion extends FileRange {
  readonly va: bigint | undefined;
}

export function sourceRegion(source: ByteSource): StringRegion {
  return { offset: 0, size: source.size, va: undefined };
}

/** The parts of an image to search, in file order and without overlap. */
export function stringRegions(image: BinaryImage, scope: "data" | "mapped" | "file"): readonly StringRegion[] {
  if (scope === "mapped") return disjoint(mapped(image));
  if (scope === "file") return withGaps(disjoint(mapped(image)), image.source.size);
  const data = image.sections().items.filter(holdsText).flatMap(regionOf);
  return disjoint(data.length > 0 ? data : mapped(image));
}

function holdsText(section: Section): boolean {
  return section.kind === "rodata" || section.kind === "data" || (section.kind === "other" && section.va !== undefined);
}

function regionOf(section: Section): StringRegion[] {
  return section.file === undefined || section.va === undefined ? [] : [{ ...section.file, va: section.va }];
}

function mapped(image: BinaryImage): readonly StringRegion[] {
  return image.segments().items.map((segment) => ({ ...segment.file, va: segment.va }));
}

function disjoint(regions: readonly StringRegion[]): readonly StringRegion[] {
  const sorted = regions.filter((region) => region.size > 0).sort((left, right) => left.offset - right.offset);
  const kept: StringRegion[] = [];
  let end = 0;
  for (const region of sorted) {
    const skip = Math.max(0, end - region.offset);
    if (skip >= region.size) continue;
    const va = region.va === undefined ? undefined : region.va + BigInt(skip);
    kept.push({ offset: region.offset + skip, size: region.size - skip, va });
    end = region.offset + region.size;
  }
  return kept;
}

/** The same regions with what lies between them, unmapped. */
function withGaps(regions: readonly StringRegion[], size: number): readonly StringRegion[] {
  const all: StringRegion[] = [];
  let at = 0;
  for (const region of regions) {
    if (region.offset > at) all.push({ offset: at, size: region.offset - at, va: undefined });
    all.push(region);
    at = region.offset + region.size;
  }
  if (at < size) all.push({ offset: at, size: size - at, va: undefined });
  return all;
}
