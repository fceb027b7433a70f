import { ByteReader, ReaError, type ByteSource } from "@rea/core";

export interface DataDirectory {
  /** An RVA, except for certificates, where it is a file offset. */
  readonly rva: number;
  readonly size: number;
}

/** DOS, COFF and optional header of one PE file (PE Format §§ "MS-DOS Stub", "COFF File Header", "Optional Header"). */
export interface PeHeaders {
  readonly peOffset: number;
  readonly machine: number;
  readonly sectionCount: number;
  readonly timestamp: number;
  readonly symbolTableOffset: number;
  readonly symbolCount: number;
  readonly characteristics: number;
  readonly plus: boolean;
  readonly linkerVersion: string;
  readonly entryRva: number;
  readonly imageBase: bigint;
  readonly sectionAlignment: number;
  readonly fileAlignment: number;
  readonly sizeOfImage: number;
  readonly sizeOfHeaders: number;
  readonly checksum: number;
  readonly checksumOffset: number;
  readonly subsystem: number;
  readonly dllCharacteristics: number;
  readonly directories: readonly DataDirectory[];
  readonly directoriesOffset: number;
  readonly declaredDirectories: number;
  readonly sectionTableOffset: number;
}

const mostDirectories = 16;

/** Reads the headers; throws `artifact_operation_failed` (reason `format`) when they are missing or cut off. */
export function readPeHeaders(source: ByteSource): PeHeaders {
  const reader = new ByteReader(source);
  if (reader.u16(0) !== 0x5a4d) throw notPe("The file does not start with the MZ signature.", 0);
  const peOffset = reader.u32(0x3c);
  if (reader.u32(peOffset) !== 0x4550) throw notPe("No PE signature stands where the DOS header points.", peOffset);
  const coff = peOffset + 4;
  const optional = coff + 20;
  const magic = reader.u16(optional);
  if (magic !== 0x10b && magic !== 0x20b) throw notPe("The optional header is neither PE32 nor PE32+.", optional);
  const plus = magic === 0x20b;
  const counted = optional + (plus ? 108 : 92);
  const optionalSize = reader.u16(coff + 16);
  const declaredDirectories = reader.u32(counted);
  return {
    peOffset,
    machine: reader.u16(coff),
    sectionCount: reader.u16(coff + 2),
    timestamp: reader.u32(coff + 4),
    symbolTableOffset: reader.u32(coff + 8),
    symbolCount: reader.u32(coff + 12),
    characteristics: reader.u16(coff + 18),
    plus,
    linkerVersion: `${String(reader.u8(optional + 2))}.${String(reader.u8(optional + 3))}`,
    entryRva: reader.u32(optional + 16),
    imageBase: plus ? reader.u64(optional + 24) : BigInt(reader.u32(optional + 28)),
    sectionAlignment: reader.u32(optional + 32),
    fileAlignment: reader.u32(optional + 36),
    sizeOfImage: reader.u32(optional + 56),
    sizeOfHeaders: reader.u32(optional + 60),
    checksum: reader.u32(optional + 64),
    checksumOffset: optional + 64,
    subsystem: reader.u16(optional + 68),
    dllCharacteristics: reader.u16(optional + 70),
    directories: readDirectories(reader, counted + 4, declaredDirectories),
    directoriesOffset: counted + 4,
    declaredDirectories,
    sectionTableOffset: optional + optionalSize,
  };
}

function readDirectories(reader: ByteReader, offset: number, declared: number): readonly DataDirectory[] {
  const fits = Math.floor(Math.max(0, reader.size - offset) / 8);
  const directories: DataDirectory[] = [];
  for (let index = 0; index < Math.min(declared, mostDirectories, fits); index += 1) {
    directories.push({ rva: reader.u32(offset + index * 8), size: reader.u32(offset + index * 8 + 4) });
  }
  return directories;
}

function notPe(message: string, offset: number): ReaError {
  return new ReaError("artifact_operation_failed", {
    message,
    details: { operation: "read_pe", reason: "format", offset },
    action: "Open the file as an artifact, or name another file.",
  });
}
