import type { ByteSource, Omission } from "@rea/core";
import { goCounters } from "./go-pclntab.js";
import type { BinaryImage, FileRange, Section } from "./image.js";

/** Bytes to search, with the address of the first one where they are mapped. */
export interface StringRegion extends FileRange {
  readonly va: bigint | undefined;
}

export function sourceRegion(source: ByteSource): StringRegion {
  return { offset: 0, size: source.size, va: undefined };
}

/** What to search of an image, and what of it the file does not hold or does not tell. */
export interface SearchedRegions {
  /** In file order and without overlap. */
  readonly regions: readonly StringRegion[];
  readonly omissions: readonly Omission[];
}

/** `data`: the mapped parts that hold neither code nor tables of linker or unwinder; see `StringScanOptions.scope`. */
export function stringRegions(image: BinaryImage, scope: "data" | "mapped" | "file"): SearchedRegions {
  const { omissions } = image.segments();
  if (scope === "mapped") return { regions: disjoint(mapped(image)), omissions };
  if (scope === "file") return { regions: withGaps(disjoint(mapped(image)), image.source.size), omissions: [] };
  const sections = image.sections();
  const data = sections.items.filter(holdsText).flatMap(regionOf);
  if (data.length === 0) return { regions: disjoint(mapped(image)), omissions };
  return { regions: without(disjoint(data), goCounters(image)), omissions: distinct([...sections.omissions, ...omissions]) };
}

/** PE reads sections and segments from one table and says the same of both. */
function distinct(omissions: readonly Omission[]): readonly Omission[] {
  return [...new Map(omissions.map((item) => [JSON.stringify(item), item])).values()];
}

/** Tables of unwinding and relocation that some formats keep as plain data; PE cuts names at eight bytes. */
const tableName = /^(\.(pdata|xdata|eh_fram(e(_hdr)?)?|gcc_exc(ept_table)?|reloc)|__(unwind_info|eh_frame|gcc_except_tab))$/;

/** A section whose long name cannot be read, which the loader drops: with GNU tools these hold debug information. */
function isNamelessDebug({ name, flags }: Section): boolean {
  return /^\/\/?[A-Za-z0-9+/]+$/.test(name) && flags.includes("IMAGE_SCN_MEM_DISCARDABLE");
}

function holdsText(section: Section): boolean {
  if (tableName.test(section.name) || isNamelessDebug(section)) return false;
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

/** The regions, cut where they meet a range that holds no text. */
function without(regions: readonly StringRegion[], range: FileRange | undefined): readonly StringRegion[] {
  if (range === undefined) return regions;
  const after = range.offset + range.size;
  return regions.flatMap((region) => {
    const end = region.offset + region.size;
    if (end <= range.offset || region.offset >= after) return [region];
    return [part(region, region.offset, range.offset), part(region, Math.max(after, region.offset), end)].filter(({ size }) => size > 0);
  });
}

function part(region: StringRegion, from: number, to: number): StringRegion {
  const va = region.va === undefined ? undefined : region.va + BigInt(from - region.offset);
  return { offset: from, size: Math.max(0, to - from), va };
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
