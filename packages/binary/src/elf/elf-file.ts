import type { ByteReader, ByteSource } from "@rea/core";
import { Findings } from "../findings.js";
import { readElfHeader, type ElfHeader } from "./file-header.js";
import { loadMap, type LoadMap } from "./load-map.js";
import { readProgramHeaders, type ProgramHeader } from "./program-headers.js";
import { readSectionHeaders, type SectionHeader } from "./section-headers.js";
import { StringTable } from "./string-table.js";

/** The header tables of one ELF file, on which all other tables build. */
export interface ElfFile {
  readonly source: ByteSource;
  readonly reader: ByteReader;
  readonly header: ElfHeader;
  readonly programs: readonly ProgramHeader[];
  readonly sections: readonly SectionHeader[];
  readonly programFindings: Findings;
  readonly sectionFindings: Findings;
  readonly map: LoadMap;
}

/** Reads the header tables; throws only when the file header itself is unreadable. */
export function readElfFile(source: ByteSource): ElfFile {
  const { header, reader } = readElfHeader(source);
  const programFindings = new Findings();
  const sectionFindings = new Findings();
  const programs = readProgramHeaders(reader, header, programFindings);
  const sections = readSectionHeaders(reader, header, sectionFindings);
  const map = loadMap(programs, source.size);
  return { source, reader, header, programs, sections, programFindings, sectionFindings, map };
}

/** The string table a section links to; an empty one when the link leads nowhere. */
export function linkedStrings(file: ElfFile, section: SectionHeader): StringTable {
  const table = file.sections[section.link];
  return new StringTable(file.reader, table?.offset ?? 0, table?.size ?? 0);
}

/** An address-sized word at a file offset. */
export function readWord(file: ElfFile, offset: number): bigint {
  return file.header.bits === 64 ? file.reader.u64(offset) : BigInt(file.reader.u32(offset));
}
