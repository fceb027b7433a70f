import { findGoBuildInfo, goBuildInfoAt } from "./go-build-info.js";
import type { BinaryImage, BuildId, FileRange } from "./image.js";

const named: ReadonlySet<string> = new Set([".go.buildinfo", "__go_buildinfo"]);

/**
 * Go version and modules of PE and Mach-O images; an ELF image has them among its build ids. Looks where Go's own reader
 * looks: the section made for it, else the start of writable data.
 */
export function goBuildIds(image: BinaryImage): readonly BuildId[] {
  if (image.format === "elf") return [];
  for (const place of places(image)) {
    const at = findGoBuildInfo(image.source, place.offset, place.size);
    if (at !== undefined) return goBuildInfoAt(image.source, at, (va) => fileOffset(image, va));
  }
  return [];
}

function places(image: BinaryImage): readonly FileRange[] {
  const sections = image.sections().items.slice(0, 512);
  const own = sections.filter((section) => named.has(section.name)).map((section) => section.file);
  const data = sections.filter((section) => section.kind === "data").slice(0, 4).map((section) => section.file);
  return [...own, ...data].filter((range) => range !== undefined);
}

function fileOffset(image: BinaryImage, va: bigint): number | undefined {
  const segment = image.segments().items.find((item) => va >= item.va && va < item.va + BigInt(item.file.size));
  return segment === undefined ? undefined : segment.file.offset + Number(va - segment.va);
}
