import { ByteReader, ReaError, type ByteSource } from "@rea/core";

/** The ELF header with the extension rules for large tables applied (gABI: "ELF Header", "Sections"). */
export interface ElfHeader {
  readonly bits: 32 | 64;
  readonly endian: "little" | "big";
  readonly osAbi: number;
  readonly type: number;
  readonly machine: number;
  readonly entry: bigint;
  readonly flags: number;
  readonly size: number;
  readonly programs: TablePlace;
  readonly sections: TablePlace;
  /** Index of the section-name string table; 0 when there is none. */
  readonly namesIndex: number;
  /** Extended counts whose section 0 was not readable. */
  readonly extensionUnreadable: boolean;
}

/** Where a header table says it is; nothing here is checked against the file. */
export interface TablePlace {
  readonly offset: number;
  readonly stride: number;
  readonly count: number;
}

export const elfTypes = { relocatable: 1, executable: 2, dynamic: 3, core: 4 } as const;
const indexEscape = 0xffff;

/** True when the data starts with the ELF magic. */
function hasElfMagic(source: ByteSource): boolean {
  if (source.size < 4) return false;
  const magic = source.read(0, 4);
  return magic[0] === 0x7f && magic[1] === 0x45 && magic[2] === 0x4c && magic[3] === 0x46;
}

/** A 64-bit value as a number; values no file can reach become the largest safe integer. */
export function fileNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

/** Reads the header; throws `artifact_operation_failed` (format) when it is cut short or not ELF. */
export function readElfHeader(source: ByteSource): { readonly header: ElfHeader; readonly reader: ByteReader } {
  if (!hasElfMagic(source)) throw notElf("The data does not start with the ELF magic.");
  const ident = new ByteReader(source);
  const classByte = ident.u8(4);
  const dataByte = ident.u8(5);
  if (classByte !== 1 && classByte !== 2) throw notElf(`The ELF class byte is ${String(classByte)}; 1 or 2 is defined.`);
  if (dataByte !== 1 && dataByte !== 2) throw notElf(`The ELF byte-order byte is ${String(dataByte)}; 1 or 2 is defined.`);
  const endian = dataByte === 1 ? "little" : "big";
  const reader = new ByteReader(source, endian);
  const header = classByte === 1 ? readHeader32(reader, endian) : readHeader64(reader, endian);
  return { header: withExtensions(reader, header), reader };
}

function notElf(message: string): ReaError {
  return new ReaError("artifact_operation_failed", { message, details: { operation: "read_elf", reason: "format" } });
}

function readHeader32(reader: ByteReader, endian: "little" | "big"): ElfHeader {
  return {
    ...commonFields(reader, endian),
    bits: 32,
    entry: BigInt(reader.u32(24)),
    flags: reader.u32(36),
    size: reader.u16(40),
    programs: { offset: reader.u32(28), stride: reader.u16(42), count: reader.u16(44) },
    sections: { offset: reader.u32(32), stride: reader.u16(46), count: reader.u16(48) },
    namesIndex: reader.u16(50),
  };
}

function readHeader64(reader: ByteReader, endian: "little" | "big"): ElfHeader {
  return {
    ...commonFields(reader, endian),
    bits: 64,
    entry: reader.u64(24),
    flags: reader.u32(48),
    size: reader.u16(52),
    programs: { offset: fileNumber(reader.u64(32)), stride: reader.u16(54), count: reader.u16(56) },
    sections: { offset: fileNumber(reader.u64(40)), stride: reader.u16(58), count: reader.u16(60) },
    namesIndex: reader.u16(62),
  };
}

function commonFields(reader: ByteReader, endian: "little" | "big") {
  return {
    endian,
    osAbi: reader.u8(7),
    type: reader.u16(16),
    machine: reader.u16(18),
    extensionUnreadable: false,
  } as const;
}

/** Counts that do not fit 16 bits live in section 0: sh_size (sections), sh_info (segments), sh_link (names index). */
function withExtensions(reader: ByteReader, header: ElfHeader): ElfHeader {
  const { sections, programs } = header;
  const manySections = sections.count === 0 && sections.offset !== 0;
  const manyPrograms = programs.count === indexEscape;
  const farNames = header.namesIndex === indexEscape;
  if (!manySections && !manyPrograms && !farNames) return header;
  const wide = header.bits === 64;
  if (sections.offset === 0 || sections.offset + (wide ? 64 : 40) > reader.size) {
    return { ...header, namesIndex: farNames ? 0 : header.namesIndex, extensionUnreadable: true };
  }
  const at = sections.offset;
  const size = wide ? fileNumber(reader.u64(at + 32)) : reader.u32(at + 20);
  const link = reader.u32(at + (wide ? 40 : 24));
  const info = reader.u32(at + (wide ? 44 : 28));
  return {
    ...header,
    sections: { ...sections, count: manySections ? size : sections.count },
    programs: { ...programs, count: manyPrograms && info !== 0 ? info : programs.count },
    namesIndex: farNames ? link : header.namesIndex,
  };
}
