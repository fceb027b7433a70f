import { Findings } from "../findings.js";
import type { ImageSymbol, Table } from "../image.js";
import { fixedName } from "../string-pool.js";
import type { PeFile } from "./pe-file.js";

const recordSize = 18;
const storage = { external: 2, static: 3, label: 6, file: 103, section: 104, weakExternal: 105 } as const;

interface CoffRecord {
  readonly offset: number;
  readonly value: number;
  readonly sectionNumber: number;
  readonly type: number;
  readonly storageClass: number;
  readonly auxiliaryCount: number;
}

/** PE Format § "COFF Symbol Table"; auxiliary records are folded into their symbol. */
export function readCoffSymbols(file: PeFile): Table<ImageSymbol> {
  const { symbolTableOffset, symbolCount } = file.headers;
  const findings = new Findings();
  const items: ImageSymbol[] = [];
  if (symbolTableOffset === 0 || symbolCount === 0) return { items, omissions: [] };
  const fits = Math.floor(Math.max(0, file.reader.size - symbolTableOffset) / recordSize);
  if (fits < symbolCount) findings.malformed("symbols", symbolTableOffset, "the symbol table reaches past the end of the file");
  for (let index = 0; index < Math.min(fits, symbolCount); ) {
    const record = readRecord(file, symbolTableOffset + index * recordSize);
    items.push(symbolOf(file, record));
    index += 1 + record.auxiliaryCount;
  }
  file.strings.report(findings, "symbols");
  return { items, omissions: findings.list() };
}

function readRecord(file: PeFile, offset: number): CoffRecord {
  const { reader } = file;
  return {
    offset,
    value: reader.u32(offset + 8),
    sectionNumber: (reader.u16(offset + 12) << 16) >> 16,
    type: reader.u16(offset + 14),
    storageClass: reader.u8(offset + 16),
    auxiliaryCount: reader.u8(offset + 17),
  };
}

function symbolOf(file: PeFile, record: CoffRecord): ImageSymbol {
  const section = record.sectionNumber > 0 ? file.sections[record.sectionNumber - 1] : undefined;
  const type = typeOf(record, section?.name, file);
  return {
    name: nameOf(file, record),
    va: section === undefined || type === "file" ? undefined : file.va(section.rva + record.value),
    size: 0n,
    type,
    binding: bindingOf(record.storageClass),
    defined: record.sectionNumber !== 0,
    section: section?.name,
    table: "coff",
    version: undefined,
    library: undefined,
    file: { offset: record.offset, size: recordSize },
  };
}

/** A file record carries the source name in its auxiliary records. */
function nameOf(file: PeFile, record: CoffRecord): string {
  const { reader } = file;
  if (record.storageClass !== storage.file || record.auxiliaryCount === 0) {
    return file.coffNames.symbolName(reader.bytes(record.offset, 8));
  }
  const available = Math.max(0, reader.size - record.offset - recordSize);
  const field = reader.bytes(record.offset + recordSize, Math.min(record.auxiliaryCount * recordSize, available));
  // GNU tools put a long name into the string table, as symbols do.
  return field.length >= 8 && field[0] === 0 ? file.coffNames.symbolName(field.subarray(0, 8)) : fixedName(field);
}

function typeOf(record: CoffRecord, sectionName: string | undefined, file: PeFile): ImageSymbol["type"] {
  if (record.storageClass === storage.file) return "file";
  if (record.storageClass === storage.section) return "section";
  if (record.type >> 4 === 2) return "function";
  const names = record.storageClass === storage.static && record.auxiliaryCount > 0 && record.value === 0;
  return names && nameOf(file, record) === sectionName ? "section" : "none";
}

function bindingOf(storageClass: number): ImageSymbol["binding"] {
  switch (storageClass) {
    case storage.external:
      return "global";
    case storage.weakExternal:
      return "weak";
    case storage.static:
    case storage.label:
    case storage.file:
    case storage.section:
      return "local";
    default:
      return "other";
  }
}
