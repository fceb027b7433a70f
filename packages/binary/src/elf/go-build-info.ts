import { findGoBuildInfo, goBuildInfoAt } from "../go-build-info.js";
import type { BuildId } from "../image.js";
import type { ElfFile } from "./elf-file.js";
import { programTypes } from "./program-headers.js";
import { sectionTypes } from "./section-headers.js";

/** Looks where Go's own reader looks: the `.go.buildinfo` section, else the start of the first writable segment. */
export function readGoBuildInfo(file: ElfFile): readonly BuildId[] {
  const section = file.sections.find((entry) => entry.name === ".go.buildinfo" && entry.type !== sectionTypes.noBits);
  const segment = file.programs.find((entry) => entry.type === programTypes.load && (entry.flags & 3) === 2);
  const place = section ?? (segment === undefined ? undefined : { offset: segment.offset, size: segment.fileSize });
  if (place === undefined) return [];
  const at = findGoBuildInfo(file.source, place.offset, place.size);
  return at === undefined ? [] : goBuildInfoAt(file.source, at, (va) => file.map.at(va)?.offset);
}
