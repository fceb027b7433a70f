import type { Findings } from "../findings.js";
import type { FileRange } from "../image.js";
import type { ElfFile } from "./elf-file.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import { elfTypes, fileNumber } from "./file-header.js";
import { sectionTypes, type SectionHeader } from "./section-headers.js";

/** One relocation table, found through its section or through the dynamic array. */
export interface RelocationTable extends FileRange {
  /** Section name, or the dynamic tag where no section covers it. */
  readonly label: string;
  readonly form: "rel" | "rela" | "relr" | "android";
  readonly entrySize: number;
  readonly symbols: "static" | "dynamic" | "none";
  /** In a relocatable file offsets count from the section `info` names, and nothing has an address yet. */
  readonly relocatable: boolean;
}

const sectionForms: { readonly [type: number]: RelocationTable["form"] | undefined } = {
  [sectionTypes.rel]: "rel",
  [sectionTypes.rela]: "rela",
  [sectionTypes.relr]: "relr",
  [sectionTypes.androidRelr]: "relr",
  [sectionTypes.androidRel]: "android",
  [sectionTypes.androidRela]: "android",
};

/** Tables named by sections; those named by the dynamic array where the file has no relocation section. */
export function relocationTables(file: ElfFile, dynamic: DynamicInfo, findings: Findings): readonly RelocationTable[] {
  const bySection = affordable(file, file.sections.flatMap((section) => sectionTable(file, section, findings)), findings);
  return bySection.length > 0 ? bySection : dynamicTables(file, dynamic);
}

/** Tables that name the same bytes again and again would multiply the file; honest ones add up to less than it. */
function affordable(file: ElfFile, tables: readonly RelocationTable[], findings: Findings): readonly RelocationTable[] {
  const limit = file.reader.size * 2;
  let total = 0;
  const kept = tables.filter((table) => {
    total += table.size;
    return total <= limit;
  });
  if (kept.length < tables.length) findings.limited("relocation tables", "limit_total_bytes", tables.length - kept.length, limit);
  return kept;
}

function sectionTable(file: ElfFile, section: SectionHeader, findings: Findings): RelocationTable[] {
  const form = sectionForms[section.type];
  if (form === undefined) return [];
  const room = Math.max(0, file.reader.size - section.offset);
  if (room < section.size) findings.malformed("relocations", section.headerOffset, "a table reaches past the file");
  const linked = file.sections[section.link]?.type;
  return [
    {
      label: section.name,
      form,
      offset: section.offset,
      size: Math.min(section.size, room),
      entrySize: naturalSize(file, form),
      symbols: symbolsFor(linked),
      relocatable: file.header.type === elfTypes.relocatable,
    },
  ];
}

function symbolsFor(linked: number | undefined): RelocationTable["symbols"] {
  if (linked === sectionTypes.dynamicSymbols) return "dynamic";
  return linked === sectionTypes.symbols ? "static" : "none";
}

function naturalSize(file: ElfFile, form: RelocationTable["form"]): number {
  const word = file.header.bits / 8;
  return form === "rela" ? word * 3 : form === "rel" ? word * 2 : word;
}

function dynamicTables(file: ElfFile, dynamic: DynamicInfo): readonly RelocationTable[] {
  const pltForm = dynamic.value(dt.pltRel) === BigInt(dt.rel) ? "rel" : "rela";
  const named: readonly (readonly [string, RelocationTable["form"], number, number])[] = [
    ["DT_RELA", "rela", dt.rela, dt.relaSize],
    ["DT_REL", "rel", dt.rel, dt.relSize],
    ["DT_RELR", "relr", dt.relr, dt.relrSize],
    ["DT_ANDROID_REL", "android", dt.androidRel, dt.androidRelSize],
    ["DT_ANDROID_RELA", "android", dt.androidRela, dt.androidRelaSize],
    ["DT_ANDROID_RELR", "relr", dt.androidRelr, dt.androidRelrSize],
    ["DT_JMPREL", pltForm, dt.jumpRel, dt.pltRelSize],
  ];
  return named.flatMap(([label, form, tag, sizeTag]) => {
    const place = dynamic.place(tag);
    if (place === undefined) return [];
    const size = Math.min(place.size, fileNumber(dynamic.value(sizeTag) ?? 0n));
    const entrySize = naturalSize(file, form);
    return [{ label, form, offset: place.offset, size, entrySize, symbols: "dynamic" as const, relocatable: false }];
  });
}
