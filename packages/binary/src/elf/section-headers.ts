import type { ByteReader } from "@rea/core";
import type { Findings } from "../findings.js";
import { fileNumber, type ElfHeader } from "./file-header.js";
import { maximumHeaders } from "./program-headers.js";
import { StringTable } from "./string-table.js";

/** One entry of the section header table with its name resolved (gABI: "Sections"). */
export interface SectionHeader {
  readonly index: number;
  readonly name: string;
  readonly type: number;
  readonly flags: bigint;
  readonly va: bigint;
  readonly offset: number;
  readonly size: number;
  /** As declared, where `size` was beyond any file. */
  readonly virtualSize: bigint;
  readonly link: number;
  readonly info: number;
  readonly entrySize: number;
  /** Where the header itself stands. */
  readonly headerOffset: number;
}

export const sectionTypes = {
  nothing: 0,
  symbols: 2,
  strings: 3,
  rela: 4,
  hash: 5,
  dynamic: 6,
  note: 7,
  noBits: 8,
  rel: 9,
  dynamicSymbols: 11,
  group: 17,
  symbolIndexes: 18,
  relr: 19,
  androidRel: 0x60000001,
  androidRela: 0x60000002,
  androidRelr: 0x6fffff00,
  gnuHash: 0x6ffffff6,
  versionDefinitions: 0x6ffffffd,
  versionNeeds: 0x6ffffffe,
  versionSymbols: 0x6fffffff,
  armExidx: 0x70000001,
} as const;

interface RawSection extends SectionHeader {
  readonly nameOffset: number;
}

/** The readable entries, section 0 included; a table that leaves the file is cut and noted. */
export function readSectionHeaders(reader: ByteReader, header: ElfHeader, findings: Findings): readonly SectionHeader[] {
  const place = header.sections;
  const scope = "section headers";
  if (header.extensionUnreadable) findings.malformed(scope, place.offset, "section 0, which holds a count, is unreadable");
  if (place.count === 0 || place.offset === 0) return [];
  if (place.stride < (header.bits === 64 ? 64 : 40)) {
    findings.malformed(scope, place.offset, `an entry of ${String(place.stride)} bytes is too small`);
    return [];
  }
  const room = Math.max(0, Math.floor((reader.size - place.offset) / place.stride));
  if (room < place.count) {
    findings.malformed(scope, place.offset, `${String(place.count)} entries are declared, ${String(room)} fit the file`);
  }
  const count = Math.min(place.count, room, maximumHeaders);
  if (count === maximumHeaders && place.count > count) {
    findings.limited(scope, "limit_items", place.count - count, maximumHeaders);
  }
  const read = header.bits === 64 ? readEntry64 : readEntry32;
  const raw = Array.from({ length: count }, (_, index) => read(reader, place.offset + index * place.stride, index));
  return withNames(reader, raw, header.namesIndex, findings);
}

function withNames(
  reader: ByteReader,
  raw: readonly RawSection[],
  namesIndex: number,
  findings: Findings,
): readonly SectionHeader[] {
  const table = raw[namesIndex];
  const usable = namesIndex !== 0 && table !== undefined && table.type !== sectionTypes.noBits;
  if (namesIndex !== 0 && !usable) findings.malformed("section names", 0, "the section-name table does not exist");
  const names = usable ? new StringTable(reader, table.offset, table.size) : undefined;
  return raw.map(({ nameOffset, ...section }) => {
    const name = names?.at(nameOffset);
    if (names !== undefined && name === undefined) {
      findings.malformed("section names", section.headerOffset, "a name offset lies outside the name table");
    }
    return { ...section, name: name ?? "" };
  });
}

function readEntry32(reader: ByteReader, at: number, index: number): RawSection {
  return {
    index,
    name: "",
    nameOffset: reader.u32(at),
    type: reader.u32(at + 4),
    flags: BigInt(reader.u32(at + 8)),
    va: BigInt(reader.u32(at + 12)),
    offset: reader.u32(at + 16),
    size: reader.u32(at + 20),
    virtualSize: BigInt(reader.u32(at + 20)),
    link: reader.u32(at + 24),
    info: reader.u32(at + 28),
    entrySize: reader.u32(at + 36),
    headerOffset: at,
  };
}

function readEntry64(reader: ByteReader, at: number, index: number): RawSection {
  const size = reader.u64(at + 32);
  return {
    index,
    name: "",
    nameOffset: reader.u32(at),
    type: reader.u32(at + 4),
    flags: reader.u64(at + 8),
    va: reader.u64(at + 16),
    offset: fileNumber(reader.u64(at + 24)),
    size: fileNumber(size),
    virtualSize: size,
    link: reader.u32(at + 40),
    info: reader.u32(at + 44),
    entrySize: fileNumber(reader.u64(at + 56)),
    headerOffset: at,
  };
}
