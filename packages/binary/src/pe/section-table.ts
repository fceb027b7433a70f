import type { ByteReader } from "@rea/core";

import type { Findings } from "../findings.js";
import { fixedName, type StringPool } from "../string-pool.js";
import type { PeHeaders } from "./headers.js";

export interface PeSection {
  readonly name: string;
  readonly rva: number;
  /** VirtualSize, or the raw size where it is 0. */
  readonly virtualSize: number;
  /** PointerToRawData rounded as the loader does. */
  readonly fileOffset: number;
  /** False when the section names no data in the file; its offset says nothing then. */
  readonly stored: boolean;
  /** Declared raw size. */
  readonly rawSize: number;
  /** Bytes of the file that stand behind the mapping, at most to the end of the file. */
  readonly backedSize: number;
  readonly characteristics: number;
  readonly headerOffset: number;
}

const entrySize = 40;
const pageSize = 0x1000;
const sectorSize = 0x200;

/** PE Format § "Section Table (Section Headers)"; long names of MinGW and LLVM resolve through the COFF string table. */
export function readSectionTable(reader: ByteReader, headers: PeHeaders, names: CoffNames, findings: Findings): readonly PeSection[] {
  const sections: PeSection[] = [];
  const fits = Math.floor(Math.max(0, reader.size - headers.sectionTableOffset) / entrySize);
  for (let index = 0; index < Math.min(headers.sectionCount, fits); index += 1) {
    const at = headers.sectionTableOffset + index * entrySize;
    const section = findings.attempt("sections", at, () => readSection(reader, headers, names, at));
    if (section === undefined) continue;
    sections.push(section);
    if (section.stored && section.fileOffset + section.rawSize > reader.size) findings.malformed("sections", at, "the data of a section reaches past the end of the file");
  }
  if (fits < headers.sectionCount) {
    findings.malformed("sections", headers.sectionTableOffset, "the section table reaches past the end of the file");
  }
  if (names.isCut && sections.some(({ name }) => name.startsWith("/"))) {
    findings.malformed("sections", headers.symbolTableOffset, "the table that holds long section names reaches past the end of the file");
  }
  return sections;
}

function readSection(reader: ByteReader, headers: PeHeaders, names: CoffNames, at: number): PeSection {
  const rawSize = reader.u32(at + 16);
  const declaredSize = reader.u32(at + 8);
  const virtualSize = declaredSize === 0 ? rawSize : declaredSize;
  const pointer = reader.u32(at + 20);
  const paged = headers.sectionAlignment >= pageSize;
  const fileOffset = paged ? pointer - (pointer % sectorSize) : pointer;
  const mapped = Math.min(roundUp(rawSize, paged ? headers.fileAlignment : 1), roundUp(virtualSize, pageSize));
  const present = pointer === 0 ? 0 : Math.max(0, reader.size - fileOffset);
  return {
    name: names.sectionName(reader.bytes(at, 8)),
    rva: reader.u32(at + 12),
    virtualSize,
    fileOffset,
    stored: pointer !== 0 && rawSize > 0,
    rawSize,
    backedSize: Math.min(mapped, present),
    characteristics: reader.u32(at + 36),
    headerOffset: at,
  };
}

function roundUp(value: number, alignment: number): number {
  return alignment < 2 ? value : Math.ceil(value / alignment) * alignment;
}

/** Names that may live in the COFF string table, which follows the symbol table (PE Format § "COFF String Table"). */
export class CoffNames {
  readonly stringTableOffset: number | undefined;
  readonly stringTableSize: number;
  /** The file declares the tables of symbols and strings but ends before their end. */
  readonly isCut: boolean;
  readonly #pool: StringPool;

  constructor(reader: ByteReader, headers: PeHeaders, pool: StringPool) {
    this.#pool = pool;
    const offset = headers.symbolTableOffset + headers.symbolCount * 18;
    const present = headers.symbolTableOffset !== 0 && offset + 4 <= reader.size;
    this.stringTableOffset = present ? offset : undefined;
    const declaredSize = present ? reader.u32(offset) : 0;
    this.stringTableSize = Math.min(declaredSize, Math.max(0, reader.size - offset));
    this.isCut = headers.symbolTableOffset !== 0 && offset + Math.max(4, declaredSize) > reader.size;
  }

  /** `/123` is a decimal offset, `//AAAAAA` a base-64 one; anything else is the name itself. */
  sectionName(field: Uint8Array): string {
    const name = fixedName(field);
    const offset = longNameOffset(name);
    return (offset === undefined ? undefined : this.#long(offset)) ?? name;
  }

  /** Symbol name field: four zero bytes and an offset, or eight bytes of name. */
  symbolName(field: Uint8Array): string {
    const view = new DataView(field.buffer, field.byteOffset, field.byteLength);
    if (view.getUint32(0, true) !== 0) return fixedName(field);
    return this.#long(view.getUint32(4, true)) ?? "";
  }

  #long(offset: number): string | undefined {
    if (this.stringTableOffset === undefined || offset < 4 || offset >= this.stringTableSize) return undefined;
    return this.#pool.at(this.stringTableOffset + offset, this.stringTableOffset + this.stringTableSize);
  }
}

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function longNameOffset(name: string): number | undefined {
  if (/^\/\d{1,7}$/.test(name)) return Number.parseInt(name.slice(1), 10);
  if (!/^\/\/[A-Za-z0-9+/]{6}$/.test(name)) return undefined;
  return [...name.slice(2)].reduce((value, digit) => value * 64 + base64.indexOf(digit), 0);
}
